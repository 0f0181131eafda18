import { loadLate } from "../base/load_late.ts";
import { createLogger } from "../base/stderr_logger.ts";
import type { Config } from "../config/config.ts";
import { secretValues } from "../config/secret_values.ts";
import { quietConsole } from "../transport/stdio/quiet_console.ts";
import { serveStdio } from "../transport/stdio/serve_stdio.ts";
import { onTermination } from "../transport/termination.ts";

/**
 * Serves MCP until the client leaves or a signal comes; returns the exit code. Over stdio `initialize` is answered
 * before the parts of the server are even loaded.
 */
export async function serve(config: Config): Promise<number> {
  const logger = createLogger({
    level: config.logLevel,
    secrets: secretValues(config),
  });
  if (config.serve.transport === "http") {
    const late = new URL("./serve_over_http.ts", import.meta.url);
    const { serveOverHttp } = await loadLate<typeof import("./serve_over_http.ts")>(late);
    const code = await serveOverHttp(config, logger);
    await logger.flush();
    return code;
  }
  quietConsole();
  await using owned = new AsyncDisposableStack();
  const connection = serveStdio({
    input: Deno.stdin.readable,
    output: Deno.stdout.writable,
    logger,
    async load() {
      const late = new URL("./open_service.ts", import.meta.url);
      const { openService } = await loadLate<typeof import("./open_service.ts")>(late);
      const service = owned.use(await openService(config, logger));
      return service.protocol.connectionFactory;
    },
  });
  const stop = onTermination((reason) => {
    logger.debug("Ending", { reason });
    void connection.close();
  }, { watchParent: true });
  try {
    await connection.ended;
  } finally {
    stop();
    await owned.disposeAsync();
    await logger.flush();
  }
  return 0;
}
