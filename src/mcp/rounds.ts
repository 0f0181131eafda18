import {
  type InputRequest,
  inputRequired,
  type InputRequiredResult,
  ProtocolError,
  ProtocolErrorCode,
  type RequestStateCodec,
} from "@modelcontextprotocol/server";
import { SkillzError } from "../base/errors.ts";
import type { Question } from "../run/call_context.ts";
import type { AnswerableRequest } from "./answerable_request.ts";
import { callContext } from "./call_context_of.ts";
import { type CallState, requestDigest } from "./call_state.ts";
import { ClientCaller } from "./client_caller.ts";
import { ParkedCall } from "./parked_call.ts";
import type { ClientCall, ParkingLot } from "./parking_lot.ts";

/** What calls that go on over several requests need. */
export interface RoundsDeps {
  readonly lot: ParkingLot;
  readonly codec: RequestStateCodec<CallState>;
}

/** The waiting call that the request goes on with, given its answers; `undefined` when it is to be started. */
export function resumeCall<T>(request: AnswerableRequest<T>, { lot }: RoundsDeps): ClientCall | undefined {
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
    (self) => request.run(callContext(ctx, { caller: holder.caller ?? callerOf(self), signal: self.signal })),
    { answers: ctx.mcpReq.inputResponses ?? {} },
  );
  const callerOf = (asker: ParkedCall<T>) =>
    holder.caller ??= new ClientCaller({ session, declared, asker, asksRoots: ctx.http === undefined });
  return { call, caller: callerOf(call) };
}

/** Lets a call wait for the answers, and makes the result that puts its questions to the client. */
export async function askInAnswer<T>(
  parked: ClientCall,
  { request, deps, questions }: {
    request: AnswerableRequest<T>;
    deps: RoundsDeps;
    questions: ReadonlyMap<string, Question>;
  },
): Promise<InputRequiredResult> {
  const { call } = parked;
  const state = { call: call.id, round: call.round, request: requestDigest(request.subject) };
  const requestState = await deps.codec.mint(state, request.ctx);
  deps.lot.park(parked);
  return inputRequired({ inputRequests: asInputRequests(questions), requestState });
}

/** Questions as the newer era puts them. */
export function asInputRequests(questions: ReadonlyMap<string, Question>): Record<string, InputRequest> {
  const requests: Record<string, InputRequest> = {};
  // What a question holds is checked by the client; the library checks its kind.
  for (const [key, question] of questions) requests[key] = asInputRequest(question);
  return requests;
}

function asInputRequest({ method, params }: Question): InputRequest {
  const form = method === "elicitation/create" && params.mode === undefined;
  return { method, params: form ? { mode: "form", ...params } : params } as unknown as InputRequest;
}
