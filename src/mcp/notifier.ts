import type { Bus, ChangeEvent } from "../base/bus.ts";
import type { PromptsPort, ResourcesPort } from "./ports.ts";
import type { Session } from "./session.ts";
import type { SessionStore } from "./session_store.ts";

/** What the notifier listens to and asks. */
export interface NotifierDeps {
  readonly bus: Bus;
  readonly sessions: SessionStore;
  readonly prompts: Pick<PromptsPort, "list">;
  readonly resources: Pick<ResourcesPort, "list" | "templates" | "affected">;
  /**
   * Events within this time are told as one change, in milliseconds.
   * @default 10
   */
  readonly settleMs?: number;
}

/**
 * Maps change events to notifications: each session hears once of each change, however many events it was made of.
 * The one place that knows both.
 */
export class Notifier implements Disposable {
  readonly #deps: NotifierDeps;
  readonly #stop: readonly (() => void)[];
  #events: ChangeEvent[] = [];
  readonly #activeChanged = new Set<Session>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #prompts: string | undefined;
  #resources: string | undefined;

  /** Listens from now on. */
  constructor(deps: NotifierDeps) {
    this.#deps = deps;
    this.#stop = [
      deps.bus.subscribe((event) => {
        this.#events.push(event);
        this.#schedule();
      }),
      deps.sessions.onActiveChanged((session) => {
        this.#activeChanged.add(session);
        this.#schedule();
      }),
    ];
  }

  /**
   * Takes note of the lists as they are, so that the first event already tells what changed.
   * Called when a client becomes ready; cheap when repeated.
   */
  prime(): void {
    this.#prompts ??= this.#promptsNow();
    this.#resources ??= this.#resourcesNow();
  }

  /** Stops listening. */
  [Symbol.dispose](): void {
    for (const stop of this.#stop) stop();
    clearTimeout(this.#timer);
  }

  #schedule(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#tell();
    }, this.#deps.settleMs ?? 10);
  }

  #tell(): void {
    const events = this.#events;
    const activeChanged = new Set(this.#activeChanged);
    this.#events = [];
    this.#activeChanged.clear();
    const tools = events.some((event) => event.kind === "tool");
    const prompts = this.#prompts !== (this.#prompts = this.#promptsNow());
    const resources = this.#resources !== (this.#resources = this.#resourcesNow());
    const updated = new Set(events.flatMap((event) => this.#deps.resources.affected(event)));
    for (const session of this.#deps.sessions.all()) {
      const { sink } = session;
      if (!sink) continue;
      if (tools || activeChanged.has(session)) sink.toolsChanged();
      if (prompts) sink.promptsChanged();
      if (resources) sink.resourcesChanged();
      for (const uri of updated) {
        // In the newer era the open streams know who subscribed to what.
        if (session.era === "modern" || session.subscriptions.has(uri)) sink.resourceUpdated(uri);
      }
    }
  }

  #promptsNow(): string {
    return JSON.stringify(this.#deps.prompts.list());
  }

  #resourcesNow(): string {
    return JSON.stringify([this.#deps.resources.list(), this.#deps.resources.templates()]);
  }
}
