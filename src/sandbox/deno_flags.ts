import { SkillzError } from "../base/errors.ts";
import { isInside } from "../base/is_inside.ts";
import type { Access } from "./permissions.ts";

/** What {@linkcode denoFlags} has to know beside the access. */
export interface DenoFlagsOptions {
  /** `npm:` and `jsr:` specifiers that were cached when the tool was registered. */
  dependencies: readonly string[];
  /** Lock file of these, checked at each start. */
  lockFile?: string;
  /** Memory limit in MiB. V8 gets it for its heap; typed arrays lie outside of that, so the sandbox bounds them. */
  memoryMb: number;
}

/**
 * The flags of `deno run` that grant exactly `access`, in front of the entry file. Never asks, fetches nothing that was
 * not declared, reads no configuration of the folder.
 *
 * Every variable that the child has may be read, because it only has those that were granted.
 * Throws `SkillzError("denied")` for a path with a comma: Deno splits its lists there.
 */
export function denoFlags(access: Access, options: DenoFlagsOptions): string[] {
  const readable = [...access.read, ...access.write];
  const sealed = access.read.filter((path) => access.write.some((folder) => isInside(path, folder)));
  const denied = access.denied ?? [];
  return [
    "--no-prompt",
    "--no-config",
    ...(options.lockFile === undefined ? ["--no-lock"] : [`--lock=${options.lockFile}`, "--frozen"]),
    ...moduleFlags(access, options.dependencies),
    `--v8-flags=--max-old-space-size=${options.memoryMb}`,
    "--allow-env",
    ...list("--allow-read", readable),
    ...list("--deny-read", denied),
    ...list("--allow-write", access.write),
    ...list("--deny-write", [...unwritable(access), ...sealed]),
    ...netFlags(access.net),
    ...list("--allow-run", access.run),
    ...list("--allow-sys", access.sys),
    ...(access.ffi ? ["--allow-ffi"] : []),
  ];
}

/** What is hidden, as a whole where that is possible: else the folder could be moved aside by its name. */
function unwritable({ write, hidden = [], denied = [] }: Access): string[] {
  const whole = hidden.filter((path) => !write.some((folder) => isInside(folder, path)));
  return [...whole, ...denied.filter((path) => !whole.some((folder) => isInside(path, folder)))];
}

function moduleFlags(access: Access, dependencies: readonly string[]): string[] {
  const npm = dependencies.some((name) => name.startsWith("npm:"));
  const flags = npm ? ["--node-modules-dir=none"] : ["--no-npm"];
  if (access.import.length > 0) return [...flags, ...list("--allow-import", access.import)];
  return [...flags, dependencies.length > 0 ? "--cached-only" : "--no-remote"];
}

function netFlags(net: true | readonly string[]): string[] {
  if (net === true) return ["--allow-net"];
  return [...list("--allow-net", net), ...list("--deny-net", apexes(net))];
}

/** To Deno `*.example.com` means `example.com` too, which nobody granted; denying it leaves the names below it. */
function apexes(net: readonly string[]): string[] {
  return net.filter((host) => host.startsWith("*.")).map((host) => host.slice(2))
    .filter((apex) => !net.some((host) => host === apex || host.startsWith(`${apex}:`)));
}

function list(flag: string, values: readonly string[]): string[] {
  const bad = values.find((value) => value.includes(","));
  if (bad !== undefined) {
    throw new SkillzError(
      "denied",
      `Cannot pass ${JSON.stringify(bad)} to Deno's ${flag}: it holds a comma, must not`,
      {
        hint: "Rename the folder, or grant its parent",
      },
    );
  }
  return values.length > 0 ? [`${flag}=${values.join(",")}`] : [];
}
