import {
  type InputRequiredResult,
  MissingRequiredClientCapabilityError,
  ProtocolError,
} from "@modelcontextprotocol/server";
import { callContext } from "./call_context_of.ts";
import { ClientCaller } from "./client_caller.ts";
import { DirectAsker } from "./direct_asker.ts";
import { readEnvelope } from "./envelope.ts";
import type { ClientCall } from "./parking_lot.ts";
import { RequestOutlet } from "./request_outlet.ts";
import { askInAnswer, resumeCall, type RoundsDeps, startCall } from "./rounds.ts";
import type { AnswerableRequest } from "./answerable_request.ts";
import type { RunningCalls } from "./running_calls.ts";

/** What the answering of requests needs besides the request. */
export interface AnswerDeps extends RoundsDeps {
  readonly running: RunningCalls;
}

/** Answers a request, with the value or, in the newer era, with the questions that must be answered first. */
export function answerRequest<T>(
  request: AnswerableRequest<T>,
  deps: AnswerDeps,
): Promise<T | InputRequiredResult> {
  return deps.running.track<T | InputRequiredResult>(() =>
    request.session.era === "legacy" ? answerDirectly(request) : answerInRounds(request, deps)
  );
}

async function answerDirectly<T>(request: AnswerableRequest<T>): Promise<T> {
  const { ctx, session, declared } = request;
  const caller = new ClientCaller({ session, declared, asker: new DirectAsker(ctx), asksRoots: true });
  const outlet = new RequestOutlet(ctx);
  caller.bind(outlet, undefined);
  try {
    return await request.run(callContext(ctx, { caller, signal: ctx.mcpReq.signal }));
  } finally {
    caller.unbind();
    await outlet.flushed();
  }
}

async function answerInRounds<T>(
  request: AnswerableRequest<T>,
  deps: AnswerDeps,
): Promise<T | InputRequiredResult> {
  const { ctx } = request;
  const parked: ClientCall = resumeCall(request, deps) ?? startCall(request);
  const { call, caller } = parked;
  const outlet = new RequestOutlet(ctx);
  caller.bind(outlet, readEnvelope(ctx).logLevel);
  try {
    const step = await call.next(ctx.mcpReq.signal);
    if (step.kind === "asks") return await askInAnswer(parked, { request, deps, questions: step.questions });
    refuseIfMissing(caller, { failed: isFailure(step.value) });
    // A call is only ever resumed by the same request, so its value is of that request's type.
    return step.value as T;
  } catch (error) {
    refuseIfMissing(caller, { failed: !(error instanceof ProtocolError) && !ctx.mcpReq.signal.aborted });
    throw error;
  } finally {
    caller.unbind();
    await outlet.flushed();
  }
}

/**
 * The newer era has an error of its own for work that needs what the client can't do. Code that could go on without
 * an answer has not failed; code that could not has.
 */
function refuseIfMissing({ missingCapabilities }: ClientCaller, { failed }: { failed: boolean }): void {
  if (!failed || !missingCapabilities) return;
  throw new MissingRequiredClientCapabilityError({ requiredCapabilities: missingCapabilities });
}

function isFailure(value: unknown): boolean {
  return typeof value === "object" && value !== null && "isError" in value && value.isError === true;
}
