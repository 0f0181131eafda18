import { SkillzError } from "../../base/errors.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../base/json.ts";
import { okResult, type ToolResult } from "../../base/tool_result.ts";
import type { CallContext } from "../call_context.ts";
import type { CallTool } from "../runner.ts";
import type { CodeTool } from "./code_tool.ts";
import { CODE_TOOL_NAME } from "./program_tool.ts";
import { searchTools } from "./search_tools.ts";
import { typescriptSignature } from "./typescript_declarations.ts";
import { pythonSignature } from "./python_signatures.ts";
import { type KnownTools, unknownToolHint } from "./unknown_tool.ts";

/** Most calls that one program may make. */
export const MAX_CALLS = 1000;

/** The name under which programs reach the search; no tool can have it. */
const SEARCH = "$search";

/** What one program may call, and what it has called. */
export class CodeSession {
  readonly #known: KnownTools;
  readonly #tools: ReadonlyMap<string, CodeTool>;
  readonly #language: "typescript" | "javascript" | "python";
  readonly #callTool: CallTool;
  #calls = 0;
  #bytes = 0;
  #printed = "";

  /** A session over exactly the chosen tools. */
  constructor(
    known: KnownTools,
    options: { language: "typescript" | "javascript" | "python"; callTool: CallTool },
  ) {
    this.#known = known;
    this.#tools = new Map(known.chosen.map((tool) => [tool.name, tool]));
    this.#language = options.language;
    this.#callTool = options.callTool;
  }

  /** How many calls of tools were made. */
  get calls(): number {
    return this.#calls;
  }

  /** Bytes of JSON that those calls returned to the program. */
  get bytes(): number {
    return this.#bytes;
  }

  /** What the program has told that it printed; all of it only where the program ended by itself. */
  get printed(): string {
    return this.#printed;
  }

  /** Takes a log message of the program; false for one that is no print. */
  takePrint(data: JsonValue, logger: string | undefined): boolean {
    if (logger !== CODE_TOOL_NAME || !isJsonObject(data) || !isJsonObject(data.data)) return false;
    const { printed } = data.data;
    if (typeof printed !== "string") return false;
    this.#printed += printed;
    return true;
  }

  /** Serves a call that the program makes. */
  async call(name: string, args: JsonObject, ctx: CallContext): Promise<ToolResult> {
    if (name === SEARCH) return this.#search(args);
    if (!this.#tools.has(name)) throw this.#unknown(name);
    if (this.#calls >= MAX_CALLS) {
      throw new SkillzError(
        "limit",
        `Cannot call "${name}": one program may make ${MAX_CALLS} calls, all are used`,
        {
          hint: "Split the work over several runs",
        },
      );
    }
    this.#calls += 1;
    const result = await this.#callTool(name, args, ctx);
    this.#bytes += byteLength(result.structuredContent ?? result.content);
    return result;
  }

  #search(args: JsonObject): ToolResult {
    const limit = typeof args.limit === "number" ? Math.max(1, Math.min(50, args.limit)) : 10;
    const hits = searchTools(String(args.query ?? ""), [...this.#tools.values()], { limit });
    const sign = this.#language === "python" ? pythonSignature : typescriptSignature;
    const tools = hits.map((tool) => ({
      name: tool.name,
      description: tool.description,
      signature: sign(tool),
    }));
    return okResult(JSON.stringify(tools), { tools });
  }

  #unknown(name: string): SkillzError {
    return new SkillzError("not_found", `Cannot call "${name}": this program has no such tool`, {
      hint: unknownToolHint(name, this.#known),
    });
  }
}

function byteLength(value: unknown): number {
  return new TextEncoder().encode(JSON.stringify(value)).length;
}
