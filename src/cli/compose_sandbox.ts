import type { Logger } from "../base/log.ts";
import type { Config } from "../config/config.ts";
import { createEgress } from "../sandbox/egress/create_egress.ts";
import { openSandbox } from "../sandbox/open_sandbox.ts";
import { composePrograms } from "./compose_programs.ts";
import type { Confinement } from "./late_sandbox.ts";

/** Builds the sandbox, its way out to the network, and what finds programs; starts nothing. */
export function composeSandbox(
  { config, logger, tempRoot }: { config: Config; logger: Logger; tempRoot: string },
): Confinement {
  const programs = composePrograms(config);
  const egress = createEgress({ programs, tempRoot });
  const sandbox = openSandbox({
    choice: config.sandbox,
    programs,
    logger,
    openEgress: egress.open,
    tempRoot,
  });
  return {
    sandbox,
    programs,
    async [Symbol.asyncDispose]() {
      await sandbox[Symbol.asyncDispose]();
      await egress[Symbol.asyncDispose]();
    },
  };
}
