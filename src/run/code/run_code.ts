import { errorText, SkillzError } from "../../base/errors.ts";
import { isJsonObject, type JsonObject } from "../../base/json.ts";
import { nearest } from "../../base/nearest.ts";
import type { ToolResult } from "../../base/tool_result.ts";
import { findDenied } from "../../sandbox/denied.ts";
import type { Permissions } from "../../sandbox/permissions.ts";
import type { Tool } from "../../tools/tool.ts";
import type { CallContext } from "../call_context.ts";
import { deriveCaller } from "../child_context.ts";
import type { Host } from "../host.ts";
import type { CallTool, Runner } from "../runner.ts";
import { TimeLimit } from "../time_limit.ts";
import { CodeSession } from "./code_session.ts";
import { type CodeTool, toolsMentioned } from "./code_tool.ts";
import type { TypeCompiler } from "./find_compiler.ts";
import { endedResult, faultsResult, programResult } from "./program_result.ts";
import { CODE_TOOL_NAME, type CodeLanguage, createProgramTools } from "./program_tool.ts";
import { createTypeChecker } from "./type_checker.ts";
import { typescriptDeclarations } from "./typescript_declarations.ts";
import { nameUnknownTools } from "./unknown_tool.ts";

/** A program to run. */
export interface CodeInput {
  /** The body of a function. */
  readonly code: string;
  readonly language: CodeLanguage;
  /** Names of the tools it may call; absent means all. */
  readonly tools?: readonly string[];
  /** How long it may run, type check excluded. */
  readonly timeoutMs: number;
  /** What it may do besides calling tools; nothing by default. */
  readonly permissions: Permissions;
}

/** What {@linkcode createCodeRunner} needs. */
export interface CodeRunnerDeps {
  /** Where the scripts that run programs are written: the first of these folders that can be. */
  readonly places: readonly [string, ...string[]];
  /** Every tool there is, as generated code sees it. */
  tools(): readonly CodeTool[];
  readonly callTool: CallTool;
  /** A script runner that serves the programs' calls through this host. */
  script(host: Host): Runner;
  /** Finds what checks types; asked once. */
  compiler(): Promise<TypeCompiler>;
  /** Variables for that; no secrets. */
  readonly compilerEnvironment: Readonly<Record<string, string>>;
  /**
   * Where temporary files go.
   * @default the system's folder for them
   */
  readonly tempRoot?: string;
  /** Throws `SkillzError("denied")` when the policy does not let a program have the permissions that it asks for. */
  readonly authorize?: (program: Tool, ctx: CallContext) => Promise<void>;
}

/** Runs programs that call tools. */
export interface CodeRunner extends AsyncDisposable {
  /** Checks and runs a program. Its own failure is a result with `isError`; throws for misuse. */
  run(input: CodeInput, ctx: CallContext): Promise<ToolResult>;
}

/** Makes the runner behind `execute_code`. */
export function createCodeRunner(deps: CodeRunnerDeps): CodeRunner {
  const checker = createTypeChecker({
    compiler: deps.compiler,
    env: deps.compilerEnvironment,
    ...(deps.tempRoot === undefined ? {} : { tempRoot: deps.tempRoot }),
  });
  const programs = createProgramTools(deps.places);
  // The context's `meta` travels unchanged down a tree of calls, so a fresh object marks everything below one program.
  const sessions = new Map<JsonObject, CodeSession>();
  const runner = deps.script({
    callTool(name, args, ctx) {
      const session = sessions.get(ctx.meta);
      if (!session) throw new SkillzError("cancelled", `Cannot call "${name}": its program has ended`);
      return session.call(name, args, ctx);
    },
    memory: { get: refuse, set: refuse, list: refuse, delete: refuse },
    listResources: refuse,
    readResource: refuse,
  });

  async function run(input: CodeInput, ctx: CallContext): Promise<ToolResult> {
    const { code, language, permissions } = input;
    const all = deps.tools();
    const tools = chosenTools(input.tools, all);
    if (language === "typescript") {
      const declarations = typescriptDeclarations(toolsMentioned(code, tools));
      const faults = await checker.check(code, declarations, { signal: ctx.signal });
      if (faults.length > 0) return faultsResult(nameUnknownTools(faults, { chosen: tools, all }));
    }
    const program = await programs.get(language, permissions);
    if (Object.keys(permissions).length > 0) await deps.authorize?.(program, ctx);
    using limit = new TimeLimit(ctx, { tool: CODE_TOOL_NAME, timeoutMs: input.timeoutMs });
    const asker = { ask: askThrough(ctx, limit) };
    const session = new CodeSession({ chosen: tools, all }, {
      language,
      // A called tool may ask the user, the program itself may not.
      callTool: (name, args, below) =>
        deps.callTool(name, args, { ...below, caller: deriveCaller(below.caller, asker) }),
    });
    const meta = { ...ctx.meta };
    sessions.set(meta, session);
    const spaces = namespaces(tools);
    try {
      const result = await runner.run(program, { kind: "tool", arguments: { code, language, spaces } }, {
        ...ctx,
        meta,
        signal: limit.signal,
        deadline: limit.deadline,
        caller: deriveCaller(ctx.caller, {
          ask: refuse,
          log: (level, data, logger) => {
            if (!session.takePrint(data, logger)) ctx.caller.log(level, data, logger);
          },
        }),
      });
      return await programResult(result, { session, explain: (message) => explain(message, result, input) });
    } catch (error) {
      ctx.signal.throwIfAborted();
      if (!(error instanceof SkillzError)) throw error;
      const own = error.code === "timeout" && error.data?.timeout_ms === input.timeoutMs;
      return endedResult(own ? timeoutText(input) : errorText(error), session);
    } finally {
      sessions.delete(meta);
    }
  }

  return { run, [Symbol.asyncDispose]: () => runner[Symbol.asyncDispose]() };
}

/** Puts questions to the one who called; the program's clock stands still meanwhile. */
function askThrough({ caller }: CallContext, limit: TimeLimit): CallContext["caller"]["ask"] {
  return (question, signal) => limit.pausedWhile(() => caller.ask(question, signal));
}

function refuse(): never {
  throw new SkillzError("denied", "Cannot do that from execute_code: programs only call tools", {
    hint: "Call the tools memory or list_tools instead",
  });
}

function chosenTools(names: readonly string[] | undefined, all: readonly CodeTool[]): readonly CodeTool[] {
  if (names === undefined) return all;
  const known = new Map(all.map((tool) => [tool.name, tool]));
  const unknown = names.filter((name) => !known.has(name));
  if (unknown.length > 0) {
    const near = [...new Set(unknown.flatMap((name) => nearest(name, known.keys())))];
    throw new SkillzError(
      "invalid_input",
      `Cannot run the code: tools names unknown ones: ${unknown.join(", ")}`,
      {
        hint: near.length > 0
          ? `Similar names: ${near.join(", ")}; list_tools shows every tool`
          : "list_tools shows every tool",
      },
    );
  }
  return names.map((name) => known.get(name)).filter((tool) => tool !== undefined);
}

/** Names of imported servers; one that is a tool's name too means the tool. */
function namespaces(tools: readonly CodeTool[]): string[] {
  const spaces = new Set(tools.map((tool) => tool.namespace).filter((space) => space !== undefined));
  for (const { name } of tools) spaces.delete(name);
  return [...spaces];
}

function timeoutText({ timeoutMs }: CodeInput): string {
  return `Cannot finish the code: it ran longer than its limit, timeout is ${timeoutMs / 1000} s. ` +
    "Give it less to do, or pass a greater timeout";
}

/** The permission that an error of the program asks for, if the sandbox can tell. */
async function explain(
  message: string,
  result: ToolResult,
  { permissions }: CodeInput,
): Promise<string | undefined> {
  const isolation = result._meta?.["skillz/isolation"];
  if (!isJsonObject(isolation)) return undefined;
  const { net = [], read = [], write = [], run = [], sys = [], import: imports = [], ffi = false } =
    permissions;
  const denied = await findDenied(message, {
    access: { net, read, write, run, sys, ffi, import: imports },
    confined: isolation.filesystem === "granted",
    offline: isolation.network === "none",
  });
  if (denied === undefined) return undefined;
  const wanted = denied.field === "ffi" ? { ffi: true } : { [denied.field]: [denied.value ?? "…"] };
  return `The sandbox does not allow that; to grant it pass permissions: ${JSON.stringify(wanted)}`;
}
