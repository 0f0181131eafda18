import type { Bus } from "../base/bus.ts";
import { errorText } from "../base/errors.ts";
import type { Logger } from "../base/log.ts";
import type { Layout } from "./_layout.ts";
import type { Scan } from "./_scan_folder.ts";
import { type IndexRecord, writeIndex } from "./index_file.ts";
import type { BrokenTool, Tool } from "./tool.ts";

/** What {@linkcode Registry} needs. */
export interface RegistryDeps {
  readonly layout: Layout;
  readonly bus: Bus;
  readonly logger: Logger | undefined;
}

/** Options of {@linkcode Registry.applyAll}. */
export interface ApplyAllOptions {
  /** What was known before, by folder. */
  before: ReadonlyMap<string, IndexRecord>;
  /** Whether the bus hears nothing of it. */
  silent: boolean;
}

/** A burst of changes is written to the index once. */
const INDEX_DELAY_MS = 300;

/** What is known of TOOLS_DIR, in memory; tells of changes, and keeps the index file behind it. */
export class Registry implements AsyncDisposable {
  readonly #deps: RegistryDeps;
  #tools = new Map<string, Tool>();
  #broken = new Map<string, BrokenTool>();
  #records = new Map<string, IndexRecord>();
  /** In order, made when asked for. */
  #sorted: readonly Tool[] | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #writing: Promise<void> = Promise.resolve();
  /** Whether the file holds something else than `#records`. */
  #stale = false;
  #closed = false;

  constructor(deps: RegistryDeps) {
    this.#deps = deps;
  }

  /** Starts from what the index file holds. */
  adopt(records: Map<string, IndexRecord>): void {
    this.#records = records;
  }

  get(name: string): Tool | undefined {
    return this.#tools.get(name);
  }

  list(): readonly Tool[] {
    this.#sorted ??= [...this.#tools.values()].sort((a, b) => a.name < b.name ? -1 : 1);
    return this.#sorted;
  }

  broken(): BrokenTool[] {
    return [...this.#broken.values()].sort((a, b) => a.folder < b.folder ? -1 : 1);
  }

  record(name: string): IndexRecord | undefined {
    return this.#records.get(name);
  }

  /** Takes what was found of one folder, and tells what that changed. */
  apply(name: string, scan: Scan, { silent = false }: { silent?: boolean } = {}): void {
    const before = this.#tools.get(name);
    this.#setRecord(name, scan.kind === "tool" || scan.kind === "knowledge" ? scan.record : undefined);
    if (scan.kind === "broken") this.#broken.set(name, { folder: name, reason: scan.reason });
    else this.#broken.delete(name);
    const after = scan.kind === "tool" ? scan.tool : undefined;
    if (after && before && isSame(before, after)) return;
    if (!after && !before) return;
    if (after) this.#tools.set(name, after);
    else this.#tools.delete(name);
    this.#sorted = undefined;
    if (silent) return;
    const change = !before ? "added" : after ? "updated" : "removed";
    this.#deps.bus.publish({ kind: "tool", change, name });
  }

  /** What is known of every folder at this moment. */
  records(): ReadonlyMap<string, IndexRecord> {
    return new Map(this.#records);
  }

  /**
   * Takes what was found of all folders; what is not among them is gone. Where more was learned since the look began
   * (`before`), by a save for instance, that is the newer word.
   */
  applyAll(scans: ReadonlyMap<string, Scan>, { before, silent }: ApplyAllOptions): void {
    const names = new Set([
      ...scans.keys(),
      ...this.#tools.keys(),
      ...this.#broken.keys(),
      ...this.#records.keys(),
    ]);
    for (const name of names) {
      if (this.#records.get(name) !== before.get(name)) continue;
      this.apply(name, scans.get(name) ?? { kind: "gone" }, { silent });
    }
  }

  /** Writes the index file soon, if it is behind. */
  scheduleIndex(): void {
    if (!this.#stale || this.#timer !== undefined || this.#closed) return;
    const timer = setTimeout(() => {
      this.#timer = undefined;
      this.#write();
    }, INDEX_DELAY_MS);
    Deno.unrefTimer(timer);
    this.#timer = timer;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#stale) this.#write();
    await this.#writing;
  }

  #setRecord(name: string, record: IndexRecord | undefined): void {
    if (this.#records.get(name) === record) return;
    if (record) this.#records.set(name, record);
    else this.#records.delete(name);
    this.#stale = true;
  }

  #write(): void {
    this.#stale = false;
    this.#writing = this.#writing.then(() => writeIndex(this.#deps.layout.index, this.#records)).catch(
      (error) => {
        this.#deps.logger?.debug("The index of the tools could not be written", { error: errorText(error) });
      },
    );
  }
}

/** Whether nobody could tell the difference, so that nobody needs to be told. */
function isSame(before: Tool, after: Tool): boolean {
  return before.hash === after.hash && before.directory === after.directory &&
    before.manifest.version === after.manifest.version &&
    before.manifest.updated_at === after.manifest.updated_at;
}
