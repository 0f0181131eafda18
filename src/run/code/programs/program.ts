// Runs one program for execute_code: what it prints and gives back is the answer; tools are its only way out.
import { call, tool, ToolError } from "skillz";

const LIMIT = 256 * 1024;

interface Input {
  code: string;
  language: "typescript" | "javascript";
  spaces?: string[];
}

class Printed {
  readonly parts: string[] = [];
  kept = 0;
  leftOut = 0;

  line(values: readonly unknown[]): void {
    const text = values.map((value) => typeof value === "string" ? value : show(value)).join(" ") + "\n";
    const room = Math.max(LIMIT - this.kept, 0);
    if (room > 0) this.parts.push(text.slice(0, room));
    this.kept += Math.min(room, text.length);
    this.leftOut += Math.max(text.length - room, 0);
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

function createTools(spaces: ReadonlySet<string>): unknown {
  const search = async (query: string, limit = 10) =>
    (await call("$search", { query, limit }) as { tools: unknown[] }).tools;
  const space = (prefix: string) =>
    new Proxy({}, {
      get(_target, name) {
        if (typeof name !== "string" || name === "then") return undefined;
        if (prefix === "" && name === "search") return search;
        if (prefix === "" && spaces.has(name)) return space(`${name}_`);
        return (args: Record<string, unknown> = {}) => call(prefix + name, args);
      },
    });
  return space("");
}

tool(async ({ code, language, spaces }: Input) => {
  const printed = new Printed();
  const print = (...values: unknown[]) => printed.line(values);
  const fakeConsole = { log: print, info: print, warn: print, error: print, debug: print };
  const answer: Record<string, unknown> = {};
  try {
    // A module of its own, so that Deno strips the types; nothing in it can be fetched before permissions are asked.
    const source = `export default async function program(tools, print, console, ToolError) {\n${code}\n}\n`;
    const typed = language === "typescript"
      ? source.replace(
        "(tools, print, console, ToolError)",
        "(tools: any, print: any, console: any, ToolError: any)",
      )
      : source;
    const module = await import(`data:application/${language};charset=utf-8,${encodeURIComponent(typed)}`);
    const value = await module.default(createTools(new Set(spaces)), print, fakeConsole, ToolError);
    if (value !== undefined) answer.value = JSON.parse(JSON.stringify(value, plain) ?? "null");
  } catch (error) {
    answer.error = describe(error);
  }
  answer.printed = printed.parts.join("");
  answer.left_out = printed.leftOut;
  return answer;
});

function describe(error: unknown): { message: string; line?: number; column?: number } {
  if (!(error instanceof Error)) return { message: `Thrown: ${show(error)}` };
  // Line 1 is the wrapper's.
  const place = /data:application\/[^\s]*?:(\d+):(\d+)/.exec(error.stack ?? "");
  const message = `${error.name}: ${error.message}`.replaceAll(/data:application\/\S{40,}/g, "code");
  return place ? { message, line: Number(place[1]) - 1, column: Number(place[2]) } : { message };
}
