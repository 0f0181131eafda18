import { late } from "../base/late.ts";
import { loadLate } from "../base/load_late.ts";
import type { Logger } from "../base/log.ts";
import type { TempRoot } from "../base/temp_root.ts";
import type { Config } from "../config/config.ts";
import type { ProgramResolver } from "../sandbox/resolve_program.ts";
import type { Sandbox } from "../sandbox/sandbox.ts";

/** What confines children, and what finds them. */
export interface Confinement extends AsyncDisposable {
  readonly sandbox: Sandbox;
  readonly programs: ProgramResolver;
}

/** What {@linkcode lateSandbox} joins. */
export interface ConfinementParts {
  readonly config: Config;
  readonly logger: Logger;
  /** For temporary files. */
  readonly temp: TempRoot;
}

/** A sandbox that is loaded when the first child is to be started. */
export function lateSandbox(parts: ConfinementParts): Confinement {
  let made: Promise<Confinement> | undefined;
  const get = () => made ??= make(parts);
  const sandbox = late<Sandbox>(async () => (await get()).sandbox);
  return {
    sandbox,
    programs: late<ProgramResolver>(async () => (await get()).programs),
    async [Symbol.asyncDispose]() {
      await sandbox[Symbol.asyncDispose]();
      const confinement = await made?.catch(() => undefined);
      await confinement?.[Symbol.asyncDispose]();
    },
  };
}

async function make({ config, logger, temp }: ConfinementParts): Promise<Confinement> {
  const url = new URL("./compose_sandbox.ts", import.meta.url);
  const { composeSandbox } = await loadLate<typeof import("./compose_sandbox.ts")>(url);
  return composeSandbox({ config, logger, tempRoot: await temp.path() });
}
