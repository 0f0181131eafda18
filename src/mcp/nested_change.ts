import { SkillzError } from "../base/errors.ts";
import { isJsonObject, type JsonObject } from "../base/json.ts";
import type { CallContext } from "../run/call_context.ts";
import type { Permissions } from "../sandbox/permissions.ts";
import { covers, itemsOf } from "../sandbox/policy_items.ts";

/** `permissions` of a manifest; `undefined` is the default profile with every secret. */
export type Rights = Permissions | undefined;

/** What a tool without `permissions` may do at the most, for comparing. */
const DEFAULT_RIGHTS: Permissions = { read: ["$ROOTS"], env: ["SKILLZ_*"] };

/** A new tool with no more rights than those that make it gives nobody anything. */
function makesMore(args: JsonObject, own: readonly Rights[]): boolean {
  if (args.overwrite === true) return true;
  const wanted = itemsOf(args.permissions === undefined ? DEFAULT_RIGHTS : args.permissions as Permissions);
  const paths = (path: string) => [path];
  return own.some((rights) => !wanted.every((item) => covers(rights ?? DEFAULT_RIGHTS, item, { paths })));
}

/** Built-in tools by which a tool could give itself or others more than its manifest grants. */
const CHANGES: Readonly<Record<string, (args: JsonObject, own: readonly Rights[]) => boolean>> = {
  register_script: makesMore,
  build_tool: makesMore,
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
 * A made tool that makes tools of more rights than its own, replaces or deletes some, brings an older version back, or runs code with permissions could reach whatever no
 * policy forbids: the user is asked. Programs of `execute_code` are the model's own, like its direct calls.
 * Throws `SkillzError("denied")`.
 */
export async function confirmNestedChange(
  call: { name: string; args: JsonObject; isBuiltin(name: string): boolean; rightsOf(name: string): Rights },
  { chain, caller, signal }: CallContext,
): Promise<void> {
  if (!Object.hasOwn(CHANGES, call.name)) return;
  const made = chain.filter((name) => !call.isBuiltin(name));
  const [tool] = made;
  if (tool === undefined || CHANGES[call.name]?.(call.args, made.map(call.rightsOf)) !== true) return;
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
