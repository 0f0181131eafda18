import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/server";
import { raceAbort } from "../../base/abort.ts";
import type { JsonValue } from "../../base/json.ts";
import { readFrame } from "../frame.ts";
import type { Admitted, EndpointDeps } from "./endpoint.ts";
import { httpError } from "./http_error.ts";
import { lateStream, PADDED_JSON } from "./late_stream.ts";

/** Answers a single message in the body of the response: for `curl` and other clients that keep nothing. */
export async function answerOnce(
  deps: EndpointDeps,
  { admitted, body }: { admitted: Admitted; body: JsonValue },
): Promise<Response> {
  const frame = Array.isArray(body) ? undefined : readFrame(body);
  if (!frame || frame.kind === "batch") return httpError(400, "Cannot serve: send one message at a time");
  if (frame.kind === "invalid") return Response.json(frame.reply, { status: 400 });
  if (frame.kind !== "request") return new Response(null, { status: 202 });
  // Its shape was checked by `readFrame`.
  const message = frame.message as unknown as JSONRPCMessage;
  const { keepAliveMs } = deps.limits;
  return await lateStream(
    (left) => exchange(deps, { message, left, principal: admitted.identity.principal }),
    {
      keepAliveMs,
      format: PADDED_JSON,
    },
  );
}

async function exchange(
  { protocol, sessions }: EndpointDeps,
  { message, left, principal }: { message: JSONRPCMessage; left: AbortSignal; principal: string },
): Promise<Response> {
  const session = sessions.open({ era: "legacy", principal });
  const server = protocol.server(session);
  try {
    const transport = new OneShotTransport();
    await server.connect(transport);
    return Response.json(await raceAbort(transport.exchange(message), left));
  } finally {
    // Ends the call too if it still runs.
    await server.close();
    protocol.end(session);
  }
}

/** Takes one request and gives its answer; everything else that is sent has nowhere to go. */
class OneShotTransport implements Transport {
  onclose?: () => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #answer = Promise.withResolvers<JSONRPCMessage>();

  start(): Promise<void> {
    return Promise.resolve();
  }

  exchange(message: JSONRPCMessage): Promise<JSONRPCMessage> {
    this.onmessage?.(message);
    return this.#answer.promise;
  }

  send(message: JSONRPCMessage): Promise<void> {
    if (!("method" in message)) this.#answer.resolve(message);
    return Promise.resolve();
  }

  close(): Promise<void> {
    this.onclose?.();
    return Promise.resolve();
  }
}
