import type { EngineOutcome, RunMessage } from "../engine_messages.ts";
import { Descriptors } from "./descriptors.ts";
import { GuestMemory } from "./guest_memory.ts";
import { Output, OutputLimit } from "./output.ts";
import { ProcessExit } from "./process_calls.ts";
import type { ServerLink } from "./server_link.ts";
import { wasiCalls } from "./wasi.ts";

/** The name under which modules import WASI preview 1. */
const WASI = "wasi_snapshot_preview1";

/** What a run needs. */
export interface RunSetting {
  /** What the server asks for. */
  readonly run: RunMessage;
  /** What the module reads. */
  readonly stdin: Uint8Array;
  /** The line to the server. */
  readonly link: ServerLink;
}

/** Runs a fresh instance of a module to its end and tells the server about it. */
export function runModule(module: WebAssembly.Module, { run, stdin, link }: RunSetting): void {
  const memory = new GuestMemory();
  const output = new Output(run.outputBytes, (bytes) => link.send({ type: "stderr" }, bytes));
  const descriptors = new Descriptors(stdin, {
    preopens: () => link.work({ op: "preopens" }).reply.preopens ?? [],
    limit: run.openFiles,
  });
  const outcome = execute(module, memory, () => wasiCalls({ memory, output, descriptors, link }, run));
  const end = { type: "end", outcome, memory: memory.size(), stderr: output.stderrTail() } as const;
  link.send(end, output.all());
}

function execute(
  module: WebAssembly.Module,
  memory: GuestMemory,
  calls: () => WebAssembly.ModuleImports,
): EngineOutcome {
  const missing = unknownImports(module, calls());
  if (missing !== undefined) return { kind: "invalid", message: missing };
  try {
    const { exports } = new WebAssembly.Instance(module, { [WASI]: calls() });
    if (!(exports.memory instanceof WebAssembly.Memory)) {
      return { kind: "invalid", message: 'it exports no memory under the name "memory"' };
    }
    memory.attach(exports.memory);
    if (typeof exports._start !== "function") {
      return {
        kind: "invalid",
        message: "it exports no function _start; build it as a program, not as a library",
      };
    }
    exports._start();
    return { kind: "exit", code: 0 };
  } catch (error) {
    return failure(error);
  }
}

function failure(error: unknown): EngineOutcome {
  if (error instanceof ProcessExit) return { kind: "exit", code: error.code };
  if (error instanceof OutputLimit) return { kind: "output" };
  if (error instanceof RangeError && /call stack/i.test(error.message)) {
    return { kind: "trap", message: "the stack is full (endless recursion?)" };
  }
  return { kind: "trap", message: error instanceof Error ? error.message : String(error) };
}

function unknownImports(
  module: WebAssembly.Module,
  calls: WebAssembly.ModuleImports,
): string | undefined {
  const unknown = WebAssembly.Module.imports(module)
    .filter((entry) =>
      entry.module !== WASI || entry.kind !== "function" || !Object.hasOwn(calls, entry.name)
    )
    .map((entry) => `${entry.module}.${entry.name}`);
  if (unknown.length === 0) return undefined;
  const shown = unknown.slice(0, 5).join(", ") + (unknown.length > 5 ? ", …" : "");
  return `it imports ${shown}, which is not part of ${WASI}; build it for wasm32-wasip1`;
}
