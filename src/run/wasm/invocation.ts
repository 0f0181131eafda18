import type { JsonObject } from "../../base/json.ts";
import type { Manifest } from "../../tools/tool.ts";
import type { ToolRequest } from "../runner.ts";
import { grantedSecrets } from "../script/environment.ts";
import { SCRATCH_NAME } from "./files/preopens.ts";

/** What a module is started with. */
export interface Invocation {
  /** `argv`, the program first. */
  readonly args: readonly string[];
  /** Variables as `NAME=value`. */
  readonly env: readonly string[];
  /** What the module reads. */
  readonly stdin: Uint8Array;
}

/** Where the environment of a module comes from. */
export interface InvocationSources {
  /** All `SKILLZ_*` variables that are the tools'. */
  readonly secrets: Readonly<Record<string, string>>;
  /** Names of those that a tool without `permissions` and `env` gets; all when absent. */
  readonly secretsByDefault?: readonly string[];
  /** The safe list of the server's environment. */
  readonly safe: Readonly<Record<string, string>>;
  /** Addresses of required services. */
  readonly services: Readonly<Record<string, string>>;
}

/** Of the safe list, what means something inside. */
const SAFE = ["LANG", "LC_ALL", "TZ"];

/**
 * The arguments as JSON in three places – a line on standard input, `SKILLZ_ARGUMENTS`, and the first argument – so that a
 * module takes whichever is easiest. `SKILLZ_CALL` tells a prompt or a resource from an ordinary call.
 */
export function invocationOf(
  manifest: Pick<Manifest, "name" | "env" | "permissions">,
  sources: InvocationSources & { readonly request: ToolRequest },
): Invocation {
  const { request } = sources;
  const json = JSON.stringify(request.kind === "resource" ? request.variables : request.arguments);
  const safe = Object.entries(sources.safe).filter(([name]) => SAFE.includes(name));
  const env: Record<string, string> = {
    ...Object.fromEntries(safe),
    ...grantedSecrets(manifest, sources),
    ...sources.services,
    HOME: SCRATCH_NAME,
    TMPDIR: SCRATCH_NAME,
    SKILLZ_ARGUMENTS: json,
    SKILLZ_CALL: JSON.stringify(callOf(request)),
  };
  return {
    args: [manifest.name, json],
    env: Object.entries(env).map(([name, value]) => `${name}=${value}`),
    stdin: new TextEncoder().encode(`${json}\n`),
  };
}

function callOf(request: ToolRequest): JsonObject {
  switch (request.kind) {
    case "tool":
      return { kind: "tool" };
    case "prompt":
      return { kind: "prompt", name: request.name };
    case "resource":
      return { kind: "resource", uri: request.uri };
  }
}
