// Runs one program for execute_code: what it prints and gives back is the answer; tools are its only way out.
import { call, log, tool, ToolError } from "../../script/helpers/skillz.ts";

const LIMIT = 256 * 1024;
// So many prints are told one by one, later ones together; a program that is ended from outside has still said them.
const ONE_BY_ONE = 200;
const PAUSE_MS = 20;

interface Input {
  code: string;
  language: "typescript" | "javascript";
  spaces?: string[];
}

class Printed {
  readonly parts: string[] = [];
  kept = 0;
  leftOut = 0;
  #lines = 0;
  #untold = "";
  #toldAt = 0;

  line(values: readonly unknown[]): void {
    const text = values.map((value) => typeof value === "string" ? value : show(value)).join(" ") + "\n";
    const room = Math.max(LIMIT - this.kept, 0);
    if (room > 0) this.#keep(text.slice(0, room));
    this.kept += Math.min(room, text.length);
    this.leftOut += Math.max(text.length - room, 0);
  }

  #keep(text: string): void {
    this.parts.push(text);
    this.#untold += text;
    this.#lines += 1;
    const now = performance.now();
    if (this.#lines > ONE_BY_ONE && now - this.#toldAt < PAUSE_MS) return;
    log("printed", "debug", { printed: this.#untold });
    this.#untold = "";
    this.#toldAt = now;
  }
}

function show(value: unknown): string {
  try {
    return JSON.stringify(value, plain) ?? String(value);
  } catch {
    return String(value);
  }
}

// What JSON can't say becomes text instead of a failure or a silent null.
function plain(_key: string, value: unknown): unknown {
  if (typeof value === "bigint" || typeof value === "symbol" || typeof value === "function") {
    return String(value);
  }
  if (typeof value === "number" && !Number.isFinite(value)) return String(value);
  if (value instanceof Map) return Object.fromEntries(value);
  if (value instanceof Set) return [...value];
  return value instanceof Error ? `${value.name}: ${value.message}` : value;
}

/** Calls a tool so that its failure tells where in the code the call stands: it is made elsewhere. */
async function callFrom(name: string, args: Record<string, unknown>): Promise<unknown> {
  try {
    return await call(name, args);
  } catch (error) {
    if (error instanceof Error && !error.stack?.includes("data:application/")) {
      error.stack = new Error(error.message).stack ?? "";
    }
    throw error;
  }
}

function createTools(spaces: ReadonlySet<string>): unknown {
  // With arguments instead of words it is a call of a tool that happens to be named "search".
  const search = async (query: unknown, limit = 10) =>
    typeof query === "string"
      ? (await callFrom("$search", { query, limit }) as { tools: unknown[] }).tools
      : await callFrom("search", query as Record<string, unknown>);
  const space = (prefix: string) =>
    new Proxy({}, {
      get(_target, name) {
        if (typeof name !== "string" || name === "then") return undefined;
        if (prefix === "" && name === "search") return search;
        if (prefix === "" && spaces.has(name)) return space(`${name}_`);
        return (args: Record<string, unknown> = {}) => callFrom(prefix + name, args);
      },
    });
  return space("");
}

// The parameters belong to an outer function, so that the code may have variables of these names.
const HEADS = {
  javascript: "export default (tools, print, console, ToolError) => async function program() {",
  typescript:
    "export default (tools: any, print: any, console: any, ToolError: any) => async function program() {",
};

tool(async ({ code, language, spaces }: Input) => {
  const printed = new Printed();
  const print = (...values: unknown[]) => printed.line(values);
  const fakeConsole = { log: print, info: print, warn: print, error: print, debug: print };
  const answer: Record<string, unknown> = {};
  // What nobody waited for must not end the process before the answer is out.
  const stray = (event: Event, error: unknown) => {
    event.preventDefault();
    print(`Failed while nobody waited for it: ${describe(error).message}`);
  };
  addEventListener("unhandledrejection", (event) => stray(event, event.reason));
  addEventListener("error", (event) => stray(event, event.error));
  try {
    // A module of its own, so that Deno strips the types. Imported dynamically: whatever it imports needs permissions.
    const source = `${HEADS[language]}\n${code}\n}\n`;
    const module = await import(`data:application/${language};charset=utf-8,${encodeURIComponent(source)}`);
    const value = await module.default(createTools(new Set(spaces)), print, fakeConsole, ToolError)();
    if (value !== undefined) answer.value = JSON.parse(JSON.stringify(value, plain) ?? "null");
  } catch (error) {
    answer.error = describe(error);
  }
  answer.printed = printed.parts.join("");
  answer.left_out = printed.leftOut;
  return answer;
});

function describe(error: unknown): { message: string; line?: number; column?: number } {
  if (!(error instanceof Error)) {
    return { message: `Thrown: ${typeof error === "string" ? error : show(error)}` };
  }
  // Line 1 is the wrapper's.
  const place = /data:application\/\S*?:(\d+):(\d+)/.exec(error.stack ?? "");
  const message = messageOf(error);
  return place ? { message, line: Number(place[1]) - 1, column: Number(place[2]) } : { message };
}

/** Deno's own errors about modules quote code and places; the first line says it all. */
function messageOf({ name, message }: Error): string {
  const ofModule = /^(SyntaxError: .*|Requires (?:read|import) access .*)/.exec(message);
  if (ofModule) return ofModule[1] ?? message;
  // What the server says is a sentence of its own.
  if (name === "SkillzError") return message;
  return `${name}: ${message}`.replaceAll(/data:application\/\S{40,}/g, "the code");
}
