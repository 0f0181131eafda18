import { SkillzError } from "../base/errors.ts";
import type { ToolResult } from "../base/tool_result.ts";
import type { ClientCall } from "./parking_lot.ts";
import type { RunningCalls } from "./running_calls.ts";
import { Task } from "./task.ts";

/** Options of {@linkcode TaskStore}. */
export interface TaskStoreOptions {
  /** Counts tasks that run. */
  readonly running: RunningCalls;
  /**
   * How long a task may be asked for after it was made, in milliseconds.
   * @default 3_600_000
   */
  readonly ttlMs?: number;
  /**
   * Most tasks that are kept at once.
   * @default 1_000
   */
  readonly max?: number;
}

interface Entry {
  readonly task: Task;
  readonly sessionId: string;
  readonly timer: ReturnType<typeof setTimeout>;
}

/** All tasks of the process; each belongs to the session that began it. */
export class TaskStore implements Disposable {
  readonly #entries = new Map<string, Entry>();
  readonly #running: RunningCalls;
  readonly #ttlMs: number;
  readonly #max: number;

  /** Makes an empty one. */
  constructor(options: TaskStoreOptions) {
    this.#running = options.running;
    this.#ttlMs = options.ttlMs ?? 3_600_000;
    this.#max = options.max ?? 1_000;
  }

  /** Makes a task of a call. Aborts the call and throws `SkillzError("limit")` when there are too many tasks. */
  begin(parked: ClientCall, project: (result: ToolResult) => object): Task {
    if (this.#entries.size >= this.#max) {
      const error = new SkillzError(
        "limit",
        `Cannot begin a task: ${this.#entries.size} are kept already, at most ${this.#max} may be`,
      );
      parked.call.abort(error);
      throw error;
    }
    const task = new Task(parked, { ttlMs: this.#ttlMs, project });
    const timer = setTimeout(() => this.#drop(task.id), this.#ttlMs);
    Deno.unrefTimer(timer);
    this.#entries.set(task.id, { task, sessionId: parked.caller.sessionId, timer });
    this.#running.track(() => parked.call.outcome).catch(() => {});
    return task;
  }

  /** A session's task; `undefined` for one that is unknown or another's. */
  get(id: string, sessionId: string): Task | undefined {
    const entry = this.#entries.get(id);
    return entry?.sessionId === sessionId ? entry.task : undefined;
  }

  /** Ends and forgets the tasks of a session. */
  abandon(sessionId: string): void {
    for (const [id, entry] of [...this.#entries]) if (entry.sessionId === sessionId) this.#drop(id);
  }

  /** Ends and forgets all tasks. */
  [Symbol.dispose](): void {
    for (const id of [...this.#entries.keys()]) this.#drop(id);
  }

  #drop(id: string): void {
    const entry = this.#entries.get(id);
    if (!entry) return;
    this.#entries.delete(id);
    clearTimeout(entry.timer);
    entry.task.cancel();
  }
}
