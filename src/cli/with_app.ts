import { createLogger } from "../base/stderr_logger.ts";
import type { Config } from "../config/config.ts";
import { secretValues } from "../config/secret_values.ts";
import { onTermination } from "../transport/termination.ts";
import { type App, openApp } from "./open_app.ts";

/** Builds the parts for one command, runs it, and ends everything again, also on Ctrl-C. */
export async function withApp<T>(
  config: Config,
  run: (app: App, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const logger = createLogger({ level: config.logLevel, secrets: secretValues(config) });
  const abort = new AbortController();
  const stop = onTermination(() => abort.abort());
  try {
    await using app = await openApp(config, logger);
    return await run(app, abort.signal);
  } finally {
    stop();
    await logger.flush();
  }
}
