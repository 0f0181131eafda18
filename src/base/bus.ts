/** Something that changed; published by stores, mapped to notifications by one file in `mcp/`. */
export type ChangeEvent =
  | { kind: "tool"; change: "added" | "updated" | "removed"; name: string }
  | { kind: "skills"; change: "added" | "updated" | "removed"; name: string }
  | { kind: "memory"; change: "updated"; namespace: string }
  | { kind: "service"; change: "updated"; name: string };

/** Hands change events to everyone who subscribed. Stores know no MCP and no session. */
export class Bus {
  readonly #listeners = new Set<(event: ChangeEvent) => void>();

  /** Calls `listener` for each event from now on; returns how to stop that (harmless when repeated). */
  subscribe(listener: (event: ChangeEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  /** Tells every listener; one that throws does not keep the others from hearing it. */
  publish(event: ChangeEvent): void {
    for (const listener of this.#listeners) {
      try {
        listener(event);
      } catch (error) {
        queueMicrotask(() => reportError(error));
      }
    }
  }
}
