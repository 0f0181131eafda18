import { Client, type Transport } from "@modelcontextprotocol/client";
import { isJsonObject, type JsonObject } from "../../../src/base/json.ts";
import { ANSWERS, type CallResult, type ClientAbilities, type TestClient } from "./_test_client.ts";

/** Options of {@linkcode connectV2}. */
export interface ConnectV2Options extends ClientAbilities {
  readonly modern: boolean;
}

const NOTIFICATIONS = [
  "notifications/tools/list_changed",
  "notifications/prompts/list_changed",
  "notifications/resources/list_changed",
  "notifications/resources/updated",
  "notifications/message",
] as const;

/** The current client library, in the era wanted. */
export async function connectV2(transport: Transport, options: ConnectV2Options): Promise<TestClient> {
  const capabilities = options.asks
    ? { elicitation: { form: {}, url: {} }, sampling: {}, roots: { listChanged: true } }
    : {};
  const client = new Client({ name: "v2", version: "1" }, {
    capabilities,
    versionNegotiation: { mode: options.modern ? { pin: "2026-07-28" } : "legacy" },
  });
  const heard: { method: string; params: JsonObject }[] = [];
  const asked: string[] = [];
  for (const method of NOTIFICATIONS) {
    client.setNotificationHandler(method, (notification) => {
      const params: unknown = notification.params;
      heard.push({ method, params: isJsonObject(params) ? params : {} });
    });
  }
  if (options.asks) answerQuestions(client, asked);
  await client.connect(transport);
  const modern = client.getProtocolEra() === "modern";
  let listening: { close(): Promise<void> } | undefined;
  return {
    version: client.getNegotiatedProtocolVersion() ?? "",
    modern,
    heard,
    asked,
    call: async (name, args, { signal, onprogress } = {}) => {
      const result = await client.callTool({ name, ...(args ? { arguments: args } : {}) }, {
        timeout: 60_000,
        ...(signal ? { signal } : {}),
        ...(onprogress ? { onprogress } : {}),
      });
      return result as unknown as CallResult;
    },
    listTools: async () => (await client.listTools()).tools.map(({ name }) => name),
    read: async (uri) => {
      const [first] = (await client.readResource({ uri })).contents;
      return first && "text" in first ? first.text : "";
    },
    prompt: async (name, args) => {
      const [message] = (await client.getPrompt({ name, arguments: args })).messages;
      return message?.content.type === "text" ? message.content.text : "";
    },
    complete: async (name, argument) => {
      const answer = await client.complete({ ref: { type: "ref/prompt", name }, argument });
      return answer.completion.values;
    },
    subscribe: async (uri) => {
      if (!modern) await client.subscribeResource({ uri });
      else {
        listening = await client.listen({
          toolsListChanged: true,
          promptsListChanged: true,
          resourcesListChanged: true,
          resourceSubscriptions: [uri],
        });
      }
    },
    ...(modern ? {} : {
      rootsChanged: () => client.sendRootsListChanged(),
      setLevel: async (level) => {
        await client.setLoggingLevel(level);
      },
    }),
    async [Symbol.asyncDispose]() {
      await listening?.close();
      await client.close();
    },
  };
}

function answerQuestions(client: Client, asked: string[]): void {
  client.setRequestHandler("elicitation/create", ({ params }) => {
    if (params.mode === "url") {
      asked.push(`open ${params.url}`);
      return { action: "accept" };
    }
    const [field = ""] = Object.keys(params.requestedSchema.properties);
    asked.push(field);
    return { action: "accept", content: { [field]: field === "name" ? ANSWERS.name : ANSWERS.colour } };
  });
  client.setRequestHandler("sampling/createMessage", () => {
    asked.push("sample");
    return { model: "m", role: "assistant", content: { type: "text", text: ANSWERS.sample } };
  });
  client.setRequestHandler("roots/list", () => {
    asked.push("roots");
    return { roots: [{ uri: ANSWERS.root, name: "work" }] };
  });
}
