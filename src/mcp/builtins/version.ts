import { z } from "zod";
import { SkillzError } from "../../base/errors.ts";
import { okResult, type ToolResult } from "../../base/tool_result.ts";
import type { Tool } from "../../tools/tool.ts";
import type { ToolStore, VersionInfo } from "../../tools/tool_store.ts";
import type { Builtin } from "../builtin.ts";
import { briefly } from "./briefly.ts";

/** What `version` needs. */
export interface VersionToolDeps {
  readonly store: Pick<ToolStore, "get" | "versions" | "version" | "rollback" | "refresh">;
  /** The text files of a version's folder by relative path. */
  readFiles(tool: Tool): Promise<ReadonlyMap<string, string>>;
}

const input = z.strictObject({
  action: z.enum(["list", "info", "rollback", "diff"]),
  tool_name: z.string().min(1),
  version: z.string().optional().describe("For info, rollback, diff (against the current one)"),
});
const output = z.looseObject({ tool_name: z.string() });
type Input = z.output<typeof input>;

/** `version`: the history of a tool – list it, look at a state, compare, go back. */
export function createVersionTool(deps: VersionToolDeps): Builtin<typeof input> {
  return {
    name: "version",
    title: "Versions of a tool",
    description: "History of a tool: list, info, diff, rollback. Run an old one by call_tool's version.",
    skill: "always",
    input,
    output,
    annotations: { destructiveHint: false, openWorldHint: false },
    async run(args) {
      // Another server on the same TOOLS_DIR may have changed it.
      await deps.store.refresh(args.tool_name);
      return await ACTIONS[args.action](args, deps);
    },
  };
}

/** Most versions that are listed, and that an error names. */
const MOST_LISTED = 100;
const MOST_NAMED = 20;

const ACTIONS: Record<Input["action"], (args: Input, deps: VersionToolDeps) => Promise<ToolResult>> = {
  async list({ tool_name }, { store }) {
    const versions = await store.versions(tool_name);
    const shown = versions.slice(0, MOST_LISTED)
      .map((one) => ({ ...one, description: briefly(one.description) }));
    const text = shown.map((one) =>
      `${one.version}${one.current ? " (current)" : ""}  ${one.created_at}  ${one.description}`
    );
    const older = versions.length - shown.length;
    if (older > 0) text.push(`and ${older} older ones, which info, diff and rollback know too`);
    return okResult(text.join("\n"), { tool_name, versions: shown, total: versions.length });
  },
  async info(args, { store }) {
    const version = args.version ?? currentVersion(args.tool_name, store);
    const found = await find(args.tool_name, version, store);
    const tool = await store.version(args.tool_name, version);
    const manifest = JSON.parse(JSON.stringify(tool.manifest));
    return okResult(JSON.stringify({ ...found, manifest }, null, 2), {
      tool_name: args.tool_name,
      ...found,
      manifest,
    });
  },
  async rollback(args, { store }) {
    const left = store.get(args.tool_name);
    const tool = await store.rollback(args.tool_name, needed(args));
    // A state that was edited by hand gets a number of its own.
    const kept = (await store.versions(args.tool_name)).find(({ hash }) => hash === left?.hash);
    const before = kept?.version ?? left?.manifest.version ?? tool.manifest.version;
    const text =
      `${args.tool_name} is as it was in ${args.version}; its state until now is kept as ${before}`;
    return okResult(text, { tool_name: args.tool_name, current: tool.manifest.version, before });
  },
  async diff(args, deps) {
    const old = await deps.store.version(args.tool_name, needed(args));
    const current = await deps.store.version(args.tool_name, currentVersion(args.tool_name, deps.store));
    const text = await unifiedDiff(await deps.readFiles(old), await deps.readFiles(current));
    return okResult(text || "No difference", {
      tool_name: args.tool_name,
      from: old.manifest.version,
      to: current.manifest.version,
      diff: text,
    });
  },
};

async function unifiedDiff(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): Promise<string> {
  const { createTwoFilesPatch } = await import("diff");
  const names = [...new Set([...before.keys(), ...after.keys()])].sort();
  return names
    .filter((name) => before.get(name) !== after.get(name))
    .map((name) =>
      createTwoFilesPatch(name, name, before.get(name) ?? "", after.get(name) ?? "").replace(/^=+\n/, "")
    )
    .join("");
}

function needed(args: Input): string {
  if (args.version !== undefined) return args.version;
  throw new SkillzError("invalid_input", `Cannot ${args.action} "${args.tool_name}": version is missing`, {
    hint: 'version {"action": "list"} shows those that exist',
  });
}

function currentVersion(name: string, store: VersionToolDeps["store"]): string {
  const tool = store.get(name);
  if (!tool) throw new SkillzError("not_found", `Cannot show versions of "${name}": there is no such tool`);
  return tool.manifest.version;
}

async function find(name: string, version: string, store: VersionToolDeps["store"]): Promise<VersionInfo> {
  const versions = await store.versions(name);
  const found = versions.find((one) => one.version === version);
  if (found) return found;
  throw new SkillzError("not_found", `Cannot show version ${version} of "${name}": it does not exist`, {
    hint: `There are: ${versions.slice(0, MOST_NAMED).map((one) => one.version).join(", ")}${
      versions.length > MOST_NAMED ? " …" : ""
    }`,
  });
}
