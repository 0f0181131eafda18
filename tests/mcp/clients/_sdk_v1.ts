import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
  LoggingMessageNotificationSchema,
  PromptListChangedNotificationSchema,
  ResourceListChangedNotificationSchema,
  ResourceUpdatedNotificationSchema,
  ToolListChangedNotificationSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { isJsonObject, type JsonObject } from "../../../src/base/json.ts";
import { ANSWERS, type CallResult, type ClientAbilities, type TestClient } from "./_test_client.ts";

const NOTIFICATIONS = [
  ToolListChangedNotificationSchema,
  PromptListChangedNotificationSchema,
  ResourceListChangedNotificationSchema,
  ResourceUpdatedNotificationSchema,
  LoggingMessageNotificationSchema,
] as const;

/** The client library that most clients in use are made of. */
export async function connectV1(transport: Transport, options: ClientAbilities): Promise<TestClient> {
  const capabilities = options.asks
    ? { elicitation: { form: {}, url: {} }, sampling: {}, roots: { listChanged: true } }
    : {};
  const client = new Client({ name: "v1", version: "1" }, { capabilities });
  const heard: { method: string; params: JsonObject }[] = [];
  const asked: string[] = [];
  for (const schema of NOTIFICATIONS) {
    client.setNotificationHandler(schema, ({ method, params }: { method: string; params?: unknown }) => {
      heard.push({ method, params: isJsonObject(params) ? params : {} });
    });
  }
  if (options.asks) answerQuestions(client, asked);
  await client.connect(transport);
  return {
    version: "legacy",
    modern: false,
    heard,
    asked,
    call: async (name, args, { signal, onprogress } = {}) => {
      const result = await client.callTool({ name, ...(args ? { arguments: args } : {}) }, undefined, {
        timeout: 60_000,
        ...(signal ? { signal } : {}),
        ...(onprogress ? { onprogress } : {}),
      });
      return result as unknown as CallResult;
    },
    listTools: async () => (await client.listTools()).tools.map(({ name }: { name: string }) => name),
    read: async (uri) => {
      const [first] = (await client.readResource({ uri })).contents;
      return first && "text" in first ? String(first.text) : "";
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
      await client.subscribeResource({ uri });
    },
    rootsChanged: () => client.sendRootsListChanged(),
    setLevel: async (level) => {
      await client.setLoggingLevel(level);
    },
    [Symbol.asyncDispose]: () => client.close(),
  };
}

interface FormOrPage {
  mode?: string;
  url?: string;
  requestedSchema?: { properties: Record<string, unknown> };
}

function answerQuestions(client: Client, asked: string[]): void {
  client.setRequestHandler(ElicitRequestSchema, ({ params }: { params: FormOrPage }) => {
    if (params.mode === "url") {
      asked.push(`open ${params.url}`);
      return { action: "accept" };
    }
    const [field = ""] = Object.keys(params.requestedSchema?.properties ?? {});
    asked.push(field);
    return { action: "accept", content: { [field]: field === "name" ? ANSWERS.name : ANSWERS.colour } };
  });
  client.setRequestHandler(CreateMessageRequestSchema, () => {
    asked.push("sample");
    return { model: "m", role: "assistant", content: { type: "text", text: ANSWERS.sample } };
  });
  client.setRequestHandler(ListRootsRequestSchema, () => {
    asked.push("roots");
    return { roots: [{ uri: ANSWERS.root, name: "work" }] };
  });
}
