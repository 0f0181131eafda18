import { cpus, loadavg, release, totalmem } from "node:os";

/** Facts without which figures mean little. */
export interface Machine {
  readonly cores: number;
  readonly cpu: string;
  readonly memoryGb: number;
  readonly system: string;
  readonly deno: string;
  /** Processes that wanted to run, over 1, 5, and 15 minutes. */
  readonly load: readonly number[];
}

/** Looks at this machine. */
export function machineFacts(): Machine {
  const processors = cpus();
  return {
    cores: processors.length,
    cpu: processors[0]?.model ?? "unknown",
    memoryGb: Math.round(totalmem() / 1e9),
    system: `${Deno.build.os} ${release()} ${Deno.build.arch}`,
    deno: Deno.version.deno,
    load: loadavg().map((value) => Math.round(value * 100) / 100),
  };
}
