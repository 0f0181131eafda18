import { type AdmitDeps, admitTool } from "../author/admit_tool.ts";
import { loadLate } from "../base/load_late.ts";
import type { Config } from "../config/config.ts";
import type { Builtin } from "../mcp/builtin.ts";
import type { BuiltinTable } from "../mcp/builtin_table.ts";
import { createAddSkillRepoTool } from "../mcp/builtins/add_skill_repo.ts";
import { createActivateSkillTool, createDeactivateSkillTool } from "../mcp/builtins/activate_skill.ts";
import { createBuildToolTool } from "../mcp/builtins/build_tool.ts";
import { createCallToolTool } from "../mcp/builtins/call_tool.ts";
import { createDeleteToolTool } from "../mcp/builtins/delete_tool.ts";
import { createExecuteCodeTool } from "../mcp/builtins/execute_code.ts";
import { createListToolsTool } from "../mcp/builtins/list_tools.ts";
import { createMemoryTool } from "../mcp/builtins/memory.ts";
import { createPipelineTool } from "../mcp/builtins/pipeline.ts";
import { createRegisterScriptTool } from "../mcp/builtins/register_script.ts";
import { createSuggestSkillTool } from "../mcp/builtins/suggest_skill.ts";
import { createVersionTool } from "../mcp/builtins/version.ts";
import type { SessionStore } from "../mcp/session_store.ts";
import type { MemoryStore } from "../memory/memory_store.ts";
import type { CallContext } from "../run/call_context.ts";
import { pipelineProblems } from "../run/pipeline/pipeline_problems.ts";
import { detectInterpreter } from "../run/script/detect_interpreter.ts";
import type { ProgramResolver } from "../sandbox/resolve_program.ts";
import type { ActivationSources } from "../skills/activation.ts";
import { isVirtualSkill } from "../skills/catalog.ts";
import { openSkill, skillText } from "../skills/open_skill.ts";
import type { SkillStore } from "../skills/skill_store.ts";
import { matchExample } from "../tools/examples.ts";
import { hiddenOffers } from "../tools/hidden_offers.ts";
import { checkName } from "../tools/names.ts";
import type { Tool } from "../tools/tool.ts";
import type { ToolStore } from "../tools/tool_store.ts";
import { unkeptFields } from "../tools/unkept_fields.ts";
import { checkSyntax } from "./check_syntax.ts";
import type { Install } from "./compose_install.ts";
import { knownTool } from "./code_tools.ts";
import type { ComposedPolicy } from "./compose_policy.ts";
import type { Run } from "./compose_run.ts";
import { RESERVED_NAMES } from "./reserved_names.ts";

/** What {@linkcode composeBuiltins} hands to the built-in tools. */
export interface BuiltinParts {
  readonly config: Config;
  readonly policy: ComposedPolicy;
  readonly store: ToolStore;
  readonly memory: MemoryStore;
  readonly sessions: SessionStore;
  readonly run: Run;
  readonly install: Install;
  readonly programs: ProgramResolver;
  readonly skills: SkillStore;
  /** Skills and bundles as they are now. */
  loadSources(): Promise<ActivationSources>;
  /** The table that these tools go to. */
  builtins(): BuiltinTable;
}

/** Most time for a client's model to choose skills. */
const SUGGEST_MS = 60_000;

/** Every built-in tool, in the order of `tools/list`. */
export function composeBuiltins(parts: BuiltinParts): Builtin[] {
  const { store, memory, sessions, run } = parts;
  const maker = {
    store,
    checkName: (name: string) => checkName(name, { reservedNames: RESERVED_NAMES }),
    admit: (staged: Tool, ctx: CallContext) => admitTool(staged, admission(parts), ctx),
  };
  const getTool = (name: string) => knownTool(name, { store, listings: parts.builtins });
  const remove = async (name: string) => {
    await store.remove(name);
    await run.forget(name);
    await parts.policy.forget(name);
  };
  const skillDeps = {
    sources: parts.loadSources,
    skills: sessions,
    toolsOf: (skill: string) => toolsOf(skill, parts),
    textOf: (skill: string) => knowledgeText(skill, parts),
  };
  return [
    createCallToolTool(() => run.callTool, { name: "call_tool" }),
    createListToolsTool({
      tools: () => store.list(),
      broken: () => store.broken(),
      problems: (tool) => [
        ...unkeptFields(tool.manifest),
        ...pipelineProblems(tool, getTool),
        ...hiddenOffers(tool, store.list()),
      ],
      builtins: () => listings(parts.builtins()),
      knowledge: () => knowledge(parts),
      active: (sessionId) => sessions.active(sessionId),
    }),
    createExecuteCodeTool(run.code),
    createActivateSkillTool(skillDeps),
    createDeactivateSkillTool(skillDeps),
    createSuggestSkillTool({
      skills: async () => (await parts.loadSources()).catalog.list(),
      active: (sessionId) => sessions.active(sessionId),
      timeoutMs: SUGGEST_MS,
    }),
    createVersionTool({
      store,
      async readFiles(tool) {
        const url = new URL("./read_text_files.ts", import.meta.url);
        const { readTextFiles } = await loadLate<typeof import("./read_text_files.ts")>(url);
        return await readTextFiles(tool);
      },
    }),
    createRegisterScriptTool({
      ...maker,
      detect: detectInterpreter,
      hidden: (tool) => hiddenOffers(tool, store.list()),
      missingProgram: (interpreter) => missingProgram(interpreter, parts.config),
    }),
    createBuildToolTool({ ...maker, rust: parts.install.rust }),
    createAddSkillRepoTool({
      toolsDir: parts.config.toolsDir,
      skills: parts.skills,
      env: gitEnvironment(parts.config),
    }),
    createDeleteToolTool({
      isBuiltin: (name) => parts.builtins().has(name),
      remove,
      clearMemory: (namespace) => memory.clear(namespace),
    }),
    createPipelineTool({
      ...maker,
      getTool,
      remove,
      tools: () => store.list(),
      problems: (tool) => pipelineProblems(tool, getTool),
      callTool: run.callTool,
    }),
    createMemoryTool(memory),
    createCallToolTool(() => run.callTool, { name: "call_tool_internal" }),
  ];
}

/** What git sees: where programs are, how the network is reached, the agent of ssh. */
function gitEnvironment(config: Config): Record<string, string> {
  return { ...config.safeEnvironment, ...config.networkEnvironment, ...config.hostEnvironment.git };
}

/** What a tool must pass before it takes its place. */
function admission({ config, run, install, policy, programs }: BuiltinParts): AdmitDeps {
  return {
    checks: [
      policy.check,
      (staged, ctx) => installDependencies(staged, install, ctx),
      run.check,
      (staged, ctx) => checkSyntax(staged, { programs, safeEnvironment: config.safeEnvironment }, ctx),
    ],
    runTool: (tool, args, ctx) => run.runTool(tool, { kind: "tool", arguments: args }, ctx),
    matchExample,
  };
}

/** The program of an interpreter if it is not there; the Deno for tools always is. */
async function missingProgram(interpreter: string, { safeEnvironment }: Config): Promise<string | undefined> {
  const [name = ""] = interpreter.trim().split(/\s+/);
  const path = safeEnvironment.PATH ?? "";
  const url = new URL("../process/find_program.ts", import.meta.url);
  const { findProgram } = await loadLate<typeof import("../process/find_program.ts")>(url);
  const found = name === "deno"
    ? name
    : await findProgram(interpreter, path) ?? await findProgram(name, path);
  return found === undefined ? name : undefined;
}

async function installDependencies(staged: Tool, { environments }: Install, ctx: CallContext): Promise<void> {
  let steps = 0;
  await environments.prepare(staged, {
    signal: ctx.signal,
    progress: (message) => ctx.caller.progress({ progress: ++steps, message }),
  });
}

/** A SKILL.md beside a tool belongs to the tool. */
async function knowledge({ skills, store }: BuiltinParts) {
  await skills.ready();
  return {
    skills: skills.list().filter(({ name }) => !store.get(name)),
    broken: skills.skipped().map(({ path, reason }) => ({ folder: path, reason: `it ${reason}` })),
  };
}

async function knowledgeText(name: string, { skills }: BuiltinParts): Promise<string | undefined> {
  const skill = skills.get(name);
  return skill && skillText(skill, await openSkill(skill));
}

function listings(table: BuiltinTable) {
  return table.names().flatMap((name) => {
    const listing = table.listing(name);
    const skill = table.get(name)?.skill;
    return listing && skill ? [{ listing, skill }] : [];
  });
}

function toolsOf(skill: string, { store, builtins }: BuiltinParts): string[] {
  if (isVirtualSkill(skill)) {
    return builtins().names().filter((name) => builtins().get(name)?.skill === skill);
  }
  const tool = store.get(skill);
  return tool && tool.manifest.tool_type !== "knowledge" ? [tool.name] : [];
}
