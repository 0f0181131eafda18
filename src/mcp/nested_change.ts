import { SkillzError } from "../base/errors.ts";
import { isJsonObject, type JsonObject } from "../base/json.ts";
import type { CallContext } from "../run/call_context.ts";

/** Built-in tools by which a tool could give itself or others more than its manifest grants. */
const CHANGES: Readonly<Record<string, (args: JsonObject) => boolean>> = {
  register_script: () => true,
  build_tool: () => true,
  delete_tool: () => true,
  import_tool: () => true,
  import_mcp: () => true,
  add_skill_repo: () => true,
  services: () => true,
  version: ({ action }) => action === "rollback",
  pipeline: ({ action }) => action === "create" || action === "delete",
  execute_code: ({ permissions }) => isJsonObject(permissions) && Object.keys(permissions).length > 0,
};

const SCHEMA: JsonObject = {
  type: "object",
  properties: { allow: { type: "boolean", title: "Allow", default: false } },
  required: ["allow"],
};

/**
 * A made tool that makes tools, brings an older version back, or runs code with permissions could reach whatever no
 * policy forbids: the user is asked. Programs of `execute_code` are the model's own, like its direct calls.
 * Throws `SkillzError("denied")`.
 */
export async function confirmNestedChange(
  call: { name: string; args: JsonObject; isBuiltin(name: string): boolean },
  { chain, caller, signal }: CallContext,
): Promise<void> {
  const changes = Object.hasOwn(CHANGES, call.name) && CHANGES[call.name]?.(call.args) === true;
  const tool = changes ? chain.find((name) => !call.isBuiltin(name)) : undefined;
  if (tool === undefined) return;
  const what = `the tool "${tool}" calls ${call.name}, which may give more rights than the tool has`;
  if (!caller.capabilities.elicitation) {
    throw new SkillzError(
      "denied",
      `Cannot call "${call.name}": ${what}, and this client can't ask the user`,
      {
        hint: "Call it directly",
      },
    );
  }
  const target = call.args.name ?? call.args.tool_name;
  const named = typeof target === "string" ? ` for ${JSON.stringify(target.slice(0, 100))}` : "";
  const wanted = isJsonObject(call.args.permissions) ? ` with ${JSON.stringify(call.args.permissions)}` : "";
  const message = `The tool "${tool}" wants to call ${call.name}${named}${wanted}. Allow it?`;
  const question = { method: "elicitation/create", params: { message, requestedSchema: SCHEMA } } as const;
  const answer = await caller.ask({ ...question, key: `policy:${call.name}` }, signal);
  if (answer.action === "accept" && isJsonObject(answer.content) && answer.content.allow === true) return;
  throw new SkillzError("denied", `Cannot call "${call.name}": ${what}, and the user did not allow it`);
}
