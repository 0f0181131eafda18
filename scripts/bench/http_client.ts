/** One session over HTTP. */
export interface HttpSession extends AsyncDisposable {
  /** Calls a tool; its structured result. */
  call(tool: string, args: Record<string, unknown>): Promise<unknown>;
}

interface Message {
  readonly id?: number;
  readonly result?: { structuredContent?: unknown; isError?: boolean };
  readonly error?: unknown;
}

const HELLO = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "bench", version: "1.0.0" },
  },
};
const INITIALIZED = { jsonrpc: "2.0", method: "notifications/initialized" };

/** Opens a session of the Streamable HTTP transport. */
export async function openStreamable(base: string): Promise<HttpSession> {
  let session: Record<string, string> = {};
  const post = async (message: object) => {
    const response = await fetch(`${base}/mcp`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        ...session,
      },
      body: JSON.stringify(message),
    });
    const text = await response.text();
    if (!response.ok) {
      throw new Error(`Cannot measure /mcp: status ${response.status}, ${text.slice(0, 300)}`);
    }
    return { response, text };
  };
  const { response } = await post(HELLO);
  session = {
    "mcp-session-id": response.headers.get("mcp-session-id") ?? "",
    "mcp-protocol-version": "2025-06-18",
  };
  await post(INITIALIZED);
  let id = 1;
  return {
    async call(tool, args) {
      const own = ++id;
      const { text } = await post({
        jsonrpc: "2.0",
        id: own,
        method: "tools/call",
        params: { name: tool, arguments: args },
      });
      const messages = text.startsWith("{")
        ? [text]
        : text.split("\n").filter((line) => line.startsWith("data: {")).map((line) => line.slice(6));
      const answer = messages.map((message): Message => JSON.parse(message)).find((one) => one.id === own);
      return structuredOf(answer);
    },
    async [Symbol.asyncDispose]() {
      const gone = await fetch(`${base}/mcp`, { method: "DELETE", headers: session });
      await gone.body?.cancel();
    },
  };
}

/** Opens a session of the older HTTP+SSE transport. */
export async function openSse(base: string): Promise<HttpSession> {
  const stream = await fetch(`${base}/sse`);
  if (!stream.ok || !stream.body) throw new Error(`Cannot measure /sse: status ${stream.status}`);
  const reader = stream.body.pipeThrough(new TextDecoderStream()).getReader();
  const waiting = new Map<number, (message: Message) => void>();
  const endpoint = Promise.withResolvers<string>();
  const reading = (async () => {
    let rest = "";
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      const events = (rest + read.value.replaceAll("\r", "")).split("\n\n");
      rest = events.pop() ?? "";
      for (const event of events) {
        const data = event.split("\n").filter((line) => line.startsWith("data: ")).map((line) =>
          line.slice(6)
        )
          .join("\n");
        if (event.includes("event: endpoint")) endpoint.resolve(data);
        else if (data.startsWith("{")) {
          const message: Message = JSON.parse(data);
          if (message.id !== undefined) waiting.get(message.id)?.(message);
        }
      }
    }
  })().catch((error) => endpoint.reject(error));
  const address = new URL(await endpoint.promise, base);
  const post = async (message: object) => {
    const response = await fetch(address, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(message),
    });
    await response.body?.cancel();
    if (!response.ok) throw new Error(`Cannot measure /message: status ${response.status}`);
  };
  const ask = async (message: { id: number }) => {
    const answer = new Promise<Message>((resolve) => waiting.set(message.id, resolve));
    await post(message);
    return await answer;
  };
  await ask(HELLO);
  await post(INITIALIZED);
  let id = 1;
  return {
    async call(tool, args) {
      return structuredOf(
        await ask({
          jsonrpc: "2.0",
          id: ++id,
          method: "tools/call",
          params: { name: tool, arguments: args },
        } as { id: number }),
      );
    },
    async [Symbol.asyncDispose]() {
      await reader.cancel();
      await reading;
    },
  };
}

function structuredOf(message: Message | undefined): unknown {
  if (!message?.result || message.result.isError) {
    throw new Error(`Cannot measure HTTP: the call failed, ${JSON.stringify(message)?.slice(0, 300)}`);
  }
  return message.result.structuredContent;
}
