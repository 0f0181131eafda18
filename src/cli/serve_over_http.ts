import type { Logger } from "../base/log.ts";
import type { Config } from "../config/config.ts";
import { serveHttp } from "../transport/http/serve_http.ts";
import { onTermination } from "../transport/termination.ts";
import { openService } from "./open_service.ts";

/** Serves MCP over HTTP until a signal comes; returns the exit code. */
export async function serveOverHttp(config: Config, logger: Logger): Promise<number> {
  await using service = await openService(config, logger);
  const { serve, http, authToken, allowAnonymous } = config;
  await using server = await serveHttp({
    hostname: serve.host,
    port: serve.port,
    protocol: service.protocol,
    sessions: service.app.sessions,
    logger,
    allowAnonymous,
    ...http,
    ...(authToken === undefined ? {} : { authToken }),
  });
  const stop = onTermination((reason) => {
    logger.info("Stopping", { reason });
    void server.close();
  });
  await server.finished;
  // Connections are gone; what the last calls left behind still ends.
  await server.close();
  stop();
  return 0;
}
