import { withTimeout } from "../../base/abort.ts";
import { SkillzError } from "../../base/errors.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../base/json.ts";
import { errorResult, okResult, resultText, type ToolResult } from "../../base/tool_result.ts";
import type { Permissions } from "../../sandbox/permissions.ts";
import type { CallContext } from "../call_context.ts";
import type { Host } from "../host.ts";
import type { CallTool, Runner } from "../runner.ts";
import { CodeSession } from "./code_session.ts";
import { type CodeTool, toolsMentioned } from "./code_tool.ts";
import type { TypeCompiler } from "./find_compiler.ts";
import { type CodeLanguage, programTool } from "./program_tool.ts";
import { type CodeFault, typeCheck } from "./type_check.ts";
import { typescriptDeclarations } from "./typescript_declarations.ts";

/** A program to run. */
export interface CodeInput {
  readonly code: string;
  readonly language: CodeLanguage;
  /** Names of the tools it may call; absent means all. */
  readonly tools?: readonly string[];
  readonly timeoutMs: number;
  /** What it may do besides calling tools; nothing by default. */
  readonly permissions: Permissions;
}

/** What {@linkcode createCodeRunner} needs. */
export interface CodeRunnerDeps {
  readonly toolsDir: string;
  /** Every tool there is, as generated code sees it. */
  tools(): readonly CodeTool[];
  readonly callTool: CallTool;
  /** A script runner that serves the programs' calls through this host. */
  script(host: Host): Runner;
  compiler(): Promise<TypeCompiler>;
  /** Environment of the compiler. */
  readonly compilerEnvironment: Readonly<Record<string, string>>;
}

/** Runs programs that call tools. */
export interface CodeRunner extends AsyncDisposable {
  /** Checks and runs a program. Its own failure is a result with `isError`; throws for misuse. */
  run(input: CodeInput, ctx: CallContext): Promise<ToolResult>;
}

/** Makes the runner behind `execute_code`. */
export function createCodeRunner(deps: CodeRunnerDeps): CodeRunner {
  // The context's `meta` travels unchanged down a tree of calls, so a fresh object marks everything below one program.
  const sessions = new WeakMap<JsonObject, CodeSession>();
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
  return {
    async run(input, ctx) {
      const tools = chosenTools(input.tools, deps.tools());
      const faults = await checkTypes(input, { tools, deps, ctx });
      if (faults.length > 0) return faultsResult(faults);
      const session = new CodeSession(tools, { language: input.language, callTool: deps.callTool });
      const meta = { ...ctx.meta };
      sessions.set(meta, session);
      using limit = withTimeout(ctx.signal, { ms: input.timeoutMs, what: "finish the code" });
      const tool = await programTool(input.language, {
        toolsDir: deps.toolsDir,
        permissions: input.permissions,
        limits: { timeout_ms: input.timeoutMs, cpu_ms: 600_000 },
      });
      const spaces = [...new Set(tools.map((one) => one.namespace).filter((space) => space !== undefined))];
      const args = { code: input.code, language: input.language, spaces };
      try {
        const result = await runner.run(tool, { kind: "tool", arguments: args }, {
          ...ctx,
          meta,
          signal: limit.signal,
        });
        return programResult(result, session);
      } catch (error) {
        ctx.signal.throwIfAborted();
        if (!(error instanceof SkillzError)) throw error;
        return errorResult(`${error.message}${soFar(session)}`, counts(session));
      }
    },
    [Symbol.asyncDispose]: () => runner[Symbol.asyncDispose](),
  };
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
    throw new SkillzError(
      "invalid_input",
      `Cannot run the code: tools names unknown ones: ${unknown.join(", ")}`,
      {
        hint: "list_tools shows every tool",
      },
    );
  }
  return names.map((name) => known.get(name)).filter((tool) => tool !== undefined);
}

interface Check {
  tools: readonly CodeTool[];
  deps: CodeRunnerDeps;
  ctx: CallContext;
}

async function checkTypes(input: CodeInput, { tools, deps, ctx }: Check): Promise<CodeFault[]> {
  if (input.language !== "typescript") return [];
  return await typeCheck(input.code, {
    declarations: typescriptDeclarations(toolsMentioned(input.code, tools)),
    compiler: await deps.compiler(),
    env: deps.compilerEnvironment,
    signal: ctx.signal,
  });
}

function faultsResult(faults: readonly CodeFault[]): ToolResult {
  const lines = faults.map(({ line, column, message }) => `line ${line}, column ${column}: ${message}`);
  return errorResult(`Nothing was run, the code does not type-check:\n${lines.join("\n")}`, {
    success: false,
    faults: faults.map((fault) => ({ ...fault })),
  });
}

/** The program's answer as the client gets it: what it printed, what it returned, and what stayed behind. */
function programResult(result: ToolResult, session: CodeSession): ToolResult {
  const meta = result._meta === undefined ? {} : { _meta: result._meta };
  const answer = result.structuredContent;
  if (result.isError || !isJsonObject(answer)) {
    return { ...errorResult(`${resultText(result)}${soFar(session)}`, counts(session)), ...meta };
  }
  const printed = typeof answer.printed === "string" ? answer.printed : "";
  const cut = Number(answer.left_out) > 0
    ? `\n… ${answer.left_out} more characters were printed and left out`
    : "";
  const structured: JsonObject = {
    ...counts(session),
    success: answer.error === undefined,
    output: printed + cut,
  };
  if (answer.value !== undefined) structured.result = answer.value;
  const parts = [(printed + cut).trimEnd(), asText(answer.value)];
  if (isJsonObject(answer.error)) {
    structured.error = answer.error;
    parts.push(errorLine(answer.error));
  }
  const text = [...parts.filter((part) => part !== ""), summary(session)].join("\n");
  return { ...(answer.error === undefined ? okResult : errorResult)(text, structured), ...meta };
}

function errorLine(error: JsonObject): string {
  const place = typeof error.line === "number"
    ? ` (line ${error.line}${typeof error.column === "number" ? `, column ${error.column}` : ""})`
    : "";
  return `${String(error.message)}${place}`;
}

function asText(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

function counts(session: CodeSession): JsonObject {
  return { success: false, tool_calls: session.calls, tool_bytes: session.bytes };
}

function summary(session: CodeSession): string {
  return `[${session.calls} tool calls returned ${session.bytes} bytes that stayed out of the conversation]`;
}

function soFar(session: CodeSession): string {
  return session.calls > 0 ? `\n${summary(session)}` : "";
}
