import {
  type InputRequest,
  inputRequired,
  type InputRequiredResult,
  ProtocolError,
  ProtocolErrorCode,
  type RequestStateCodec,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { SkillzError } from "../base/errors.ts";
import { isJsonObject, type JsonObject } from "../base/json.ts";
import type { CallContext, Question } from "../run/call_context.ts";
import { type CallState, requestDigest } from "./call_state.ts";
import { ClientCaller } from "./client_caller.ts";
import { DirectAsker } from "./direct_asker.ts";
import { readEnvelope } from "./envelope.ts";
import { ParkedCall } from "./parked_call.ts";
import type { ClientCall, ParkingLot } from "./parking_lot.ts";
import { RequestOutlet } from "./request_outlet.ts";
import type { RunningCalls } from "./running_calls.ts";
import type { Session } from "./session.ts";

/** What the answering of requests needs besides the request. */
export interface AnswerDeps {
  readonly lot: ParkingLot;
  readonly running: RunningCalls;
  readonly codec: RequestStateCodec<CallState>;
}

/** A request that may lead to questions: a tool call, a prompt, a resource. */
export interface AnswerableRequest<T> {
  readonly ctx: ServerContext;
  readonly session: Session;
  /** The client's capabilities as it sent them. */
  readonly declared: JsonObject;
  /** What is requested, as data: a later request goes on with this one only if it is the same. */
  readonly subject: readonly unknown[];
  /** Whether starting anew does no harm when the call that asked is gone. */
  readonly repeatable: boolean;
  /** Does the work. */
  readonly run: (call: CallContext) => Promise<T>;
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
    return await request.run(callContext(request, { caller, signal: ctx.mcpReq.signal }));
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
  const parked = resume(request, deps) ?? startCall(request);
  const { call, caller } = parked;
  const outlet = new RequestOutlet(ctx);
  caller.bind(outlet, readEnvelope(ctx).logLevel);
  try {
    const step = await call.next(ctx.mcpReq.signal);
    // A call is only ever resumed by the same request, so its value is of that request's type.
    if (step.kind === "done") return step.value as T;
    const state = { call: call.id, round: call.round, request: requestDigest(request.subject) };
    const requestState = await deps.codec.mint(state, ctx);
    deps.lot.park(parked);
    return inputRequired({ inputRequests: inputRequests(step.questions), requestState });
  } finally {
    caller.unbind();
    await outlet.flushed();
  }
}

/** The waiting call that the request goes on with, given its answers; `undefined` when it is to be started. */
function resume<T>(request: AnswerableRequest<T>, { lot }: AnswerDeps): ClientCall | undefined {
  const { ctx } = request;
  const state = ctx.mcpReq.requestState<CallState>();
  if (state === undefined) return undefined;
  const invalidState = () =>
    new ProtocolError(ProtocolErrorCode.InvalidParams, "Invalid or expired requestState");
  if (state.request !== requestDigest(request.subject)) throw invalidState();
  const parked = lot.take(state.call);
  if (!parked) {
    if (request.repeatable) return undefined;
    throw new SkillzError("unavailable", "Cannot go on: the call that asked is no longer there", {
      hint: "Start it anew, without requestState, if doing its work twice is no harm",
    });
  }
  if (parked.call.round !== state.round) {
    lot.park(parked);
    throw invalidState();
  }
  parked.call.answer(ctx.mcpReq.inputResponses ?? {});
  return parked;
}

/** Starts a call that may outlive its request. Answers that came along are given when they are asked for. */
export function startCall<T>(request: AnswerableRequest<T>): { call: ParkedCall<T>; caller: ClientCaller } {
  const { ctx, session, declared } = request;
  const holder: { caller?: ClientCaller } = {};
  const call = new ParkedCall<T>(
    (self) =>
      request.run(callContext(request, { caller: holder.caller ?? callerOf(self), signal: self.signal })),
    { answers: ctx.mcpReq.inputResponses ?? {} },
  );
  const callerOf = (asker: ParkedCall<T>) =>
    holder.caller ??= new ClientCaller({ session, declared, asker, asksRoots: ctx.http === undefined });
  return { call, caller: callerOf(call) };
}

function callContext<T>(
  { ctx }: AnswerableRequest<T>,
  { caller, signal }: { caller: ClientCaller; signal: AbortSignal },
): CallContext {
  const meta: unknown = ctx.mcpReq._meta;
  return {
    callId: crypto.randomUUID(),
    caller,
    signal,
    depth: 0,
    chain: [],
    meta: isJsonObject(meta) ? meta : {},
  };
}

function inputRequests(questions: ReadonlyMap<string, Question>): Record<string, InputRequest> {
  const requests: Record<string, InputRequest> = {};
  // What a question holds is checked by the client; the library checks its kind.
  for (const [key, question] of questions) requests[key] = asInputRequest(question);
  return requests;
}

function asInputRequest({ method, params }: Question): InputRequest {
  const form = method === "elicitation/create" && params.mode === undefined;
  return { method, params: form ? { mode: "form", ...params } : params } as unknown as InputRequest;
}
