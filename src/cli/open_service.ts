import { loadLate } from "../base/load_late.ts";
import type { Logger } from "../base/log.ts";
import type { Config } from "../config/config.ts";
import { createProtocol, type Protocol } from "../mcp/protocol.ts";
import { changesSoFar, followChanges } from "../tools/follow_changes.ts";
import { atQuiet } from "./at_quiet.ts";
import { type App, openApp } from "./open_app.ts";
import { trimMemory } from "./trim_memory.ts";

/** The parts of a server with MCP on top. */
export interface Service extends AsyncDisposable {
  readonly app: App;
  readonly protocol: Protocol;
}

/**
 * When skills are read, unless a client asks for them before: after the first tools/list, which a look into a thousand
 * folders would keep from its answer.
 */
const SKILLS_AFTER_MS = 100;

/** Builds a server for any transport; loads the tools and keeps up with other servers, with edits by hand when asked to. */
export async function openService(config: Config, logger: Logger): Promise<Service> {
  await using undo = new AsyncDisposableStack();
  const from = await changesSoFar(config.toolsDir);
  const app = undo.use(await openApp(config, logger));
  const { toolsDir } = config;
  if (config.hotReload) {
    const { watchTools } = await import("../tools/watch_tools.ts");
    const store = {
      refresh: async (name?: string) => {
        await app.store.refresh(name);
        await app.skills.refresh();
      },
    };
    undo.use(await watchTools({ store, toolsDir, logger }));
  } else {
    undo.use(await followChanges({ store: app.store, toolsDir, from, logger }));
  }
  undo.use(later(SKILLS_AFTER_MS, () => void app.skills.ready()));
  const { ports, bus, sessions } = app;
  const protocol = undo.use(createProtocol({ ports, bus, sessions, logger }));
  undo.use(trimMemory(protocol.running));
  undo.use(atQuiet(protocol.running, async (signal) => {
    const url = new URL("./tidy_up.ts", import.meta.url);
    const { tidyUp } = await loadLate<typeof import("./tidy_up.ts")>(url);
    await tidyUp({ toolsDir, store: app.store, logger, signal });
  }));
  const owned = undo.move();
  return { app, protocol, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

function later(ms: number, work: () => void): Disposable {
  const timer = setTimeout(work, ms);
  return { [Symbol.dispose]: () => clearTimeout(timer) };
}
