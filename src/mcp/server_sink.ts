import type { Server } from "@modelcontextprotocol/server";
import type { ChangeSink } from "./session.ts";

/**
 * Notifications over a server's own connection. One that can't be sent says that the client is gone, which the
 * transport finds out by itself, so that failure is nobody's concern and holds up nobody.
 */
export function createServerSink(server: Server): ChangeSink {
  const send = (sent: Promise<void>) => {
    sent.catch(() => {});
  };
  return {
    toolsChanged: () => send(server.sendToolListChanged()),
    promptsChanged: () => send(server.sendPromptListChanged()),
    resourcesChanged: () => send(server.sendResourceListChanged()),
    resourceUpdated: (uri) => send(server.sendResourceUpdated({ uri })),
  };
}
