import { isOwnVariable } from "../base/own_variables.ts";
import type { Limits } from "../sandbox/limits.ts";
import type { Manifest } from "./tool.ts";

/** The least that some limits may be. */
type Floor = Readonly<Partial<Limits>>;

/**
 * What a program needs to start at all, in whichever sandbox, with some room: below it every call would fail, and tell
 * a cause that misleads.
 */
const FLOOR: Floor = { memory_mb: 16, open_files: 24, processes: 2, file_bytes: 4096 };

/** The same of programs that need more: they have threads of their own, and Deno writes its caches. */
const FLOORS: Readonly<Record<string, Floor>> = {
  bun: { memory_mb: 64, open_files: 32, processes: 16 },
  deno: { memory_mb: 32, open_files: 32, processes: 8, file_bytes: 1024 * 1024 },
  node: { memory_mb: 32, open_files: 32, processes: 16 },
};

/** WebAssembly counts its memory alone: what Rust begins with. */
const MODULE_FLOOR: Floor = { memory_mb: 2 };

/**
 * What a manifest asks for and no tool can have, one text for each field. It is refused where a tool is made; a folder
 * that holds it loads, and list_tools tells it.
 */
export function unkeptFields(manifest: Manifest): string[] {
  return [...variableFaults(manifest), ...limitFaults(manifest)];
}

function variableFaults({ env, permissions }: Manifest): string[] {
  const lists = { env, "permissions.env": permissions?.env };
  return Object.entries(lists).flatMap(([field, names = []]) =>
    names.flatMap((name, index) =>
      isOwnVariable(name)
        ? [
          `${field}[${index}]: ${name} configures the server itself, no tool gets it; give the secret another name`,
        ]
        : []
    )
  );
}

function limitFaults(manifest: Manifest): string[] {
  const { who, least: floor } = leastLimits(manifest);
  return (Object.keys(floor) as (keyof Limits)[]).flatMap((limit) => {
    const [given, least] = [manifest.limits[limit], floor[limit] ?? 0];
    return given < least
      ? [`limits.${limit}: is ${given}, must be >=${least}, which ${who} needs to start`]
      : [];
  });
}

/** The least limits of what runs a tool, and who that is. */
export function leastLimits(
  { tool_type, interpreter = "" }: Pick<Manifest, "tool_type" | "interpreter">,
): { who: string; least: Floor } {
  if (tool_type === "wasm") return { who: "WebAssembly", least: MODULE_FLOOR };
  if (tool_type !== "script") return { who: "", least: {} };
  const [first = ""] = interpreter.trim().split(/\s+/);
  const who = (first.split(/[/\\]/).at(-1) ?? "").replace(/\.exe$/i, "").toLowerCase();
  const name = who === "nodejs" ? "node" : who;
  const own = Object.hasOwn(FLOORS, name) ? FLOORS[name] : undefined;
  return { who: who || "a script", least: { ...FLOOR, ...own } };
}
