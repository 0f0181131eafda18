import type { Logger } from "../base/log.ts";
import type { Config } from "../config/config.ts";
import { createProtocol, type Protocol } from "../mcp/protocol.ts";
import { type App, openApp } from "./open_app.ts";
import { trimMemory } from "./trim_memory.ts";

/** The parts of a server with MCP on top. */
export interface Service extends AsyncDisposable {
  readonly app: App;
  readonly protocol: Protocol;
}

/** Builds a server for any transport; loads the tools, and watches their folder when asked to. */
export async function openService(config: Config, logger: Logger): Promise<Service> {
  await using undo = new AsyncDisposableStack();
  const app = undo.use(await openApp(config, logger));
  if (config.hotReload) {
    const { watchTools } = await import("../tools/watch_tools.ts");
    const store = {
      refresh: async (name?: string) => {
        await app.store.refresh(name);
        await app.skills.refresh();
      },
    };
    undo.use(await watchTools({ store, toolsDir: config.toolsDir, logger }));
  }
  // Nobody waits for it: clients hear of what it finds.
  void app.skills.ready();
  const { ports, bus, sessions } = app;
  const protocol = undo.use(createProtocol({ ports, bus, sessions, logger }));
  undo.use(trimMemory(protocol.running));
  const owned = undo.move();
  return { app, protocol, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}
