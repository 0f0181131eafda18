import type { Bus } from "../base/bus.ts";
import { errorText, SkillzError } from "../base/errors.ts";
import type { Logger } from "../base/log.ts";
import type { SkippedSkill } from "./find_skills.ts";
import { type ScannedSkill, type ScannedSource, scanSkills } from "./scan_skills.ts";
import { assignNames } from "./skill_names.ts";
import { type SkillPlaces, skillSources } from "./skill_sources.ts";

/** A knowledge skill under the name that it has here, which no other has. */
export interface KnowledgeSkill extends ScannedSkill {
  /** Stays the same as long as its place does. */
  readonly name: string;
}

/** What {@linkcode SkillStore} needs. */
export interface SkillStoreOptions extends SkillPlaces {
  readonly bus: Bus;
  readonly logger: Logger;
  /** Whether a name belongs to the server: a built-in tool, a virtual skill. */
  isReserved(name: string): boolean;
  /** Whether a tool has that name. */
  isTool(name: string): boolean;
}

/** The skills of one place, e.g. a repository. */
export interface PlaceReport {
  readonly skills: readonly KnowledgeSkill[];
  /** What was passed over, with reasons. */
  readonly skipped: readonly SkippedSkill[];
}

/** All knowledge skills: read in the background after the start, kept as names and descriptions. */
export class SkillStore implements AsyncDisposable {
  readonly #options: SkillStoreOptions;
  readonly #places = new Map<string, ScannedSource>();
  #skills = new Map<string, KnowledgeSkill>();
  #loaded: Promise<void> | undefined;
  #running: Promise<void> = Promise.resolve();
  #queued: Promise<void> | undefined;
  #stop: () => void = () => {};
  #closed = false;

  /** Knows nothing until `ready` is first called. */
  constructor(options: SkillStoreOptions) {
    this.#options = options;
  }

  /** Reads all skills, if that has not been done; resolves when they are known. Never rejects. */
  ready(): Promise<void> {
    return this.#loaded ??= this.#begin();
  }

  /** The skill of that name. Loaded state only. */
  get(name: string): KnowledgeSkill | undefined {
    return this.#skills.get(name);
  }

  /** All skills in the order of their names. Loaded state only. */
  list(): readonly KnowledgeSkill[] {
    return [...this.#skills.values()];
  }

  /** What was passed over in all places, by absolute path. */
  skipped(): readonly SkippedSkill[] {
    return [...this.#places].flatMap(([root, { skipped }]) =>
      skipped.map(({ path, reason }) => ({ path: `${root}/${path}`, reason }))
    );
  }

  /** What a place holds; undefined when it is none. */
  place(root: string): PlaceReport | undefined {
    const found = this.#places.get(root);
    if (!found) return undefined;
    const own = new Set(found.skills.map(({ directory }) => directory));
    return { skills: this.list().filter(({ directory }) => own.has(directory)), skipped: found.skipped };
  }

  /** Looks at all places again and publishes what changed; calls while one waits are one. */
  refresh(): Promise<void> {
    this.#loaded ??= this.#begin();
    return this.#queued ??= this.#running.then(() => {
      this.#queued = undefined;
      return this.#running = this.#scan();
    });
  }

  /** Stops listening; a look under way ends. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    this.#stop();
    await this.#running;
    await this.#queued;
  }

  #begin(): Promise<void> {
    // A tool that comes or goes takes a name or frees one.
    this.#stop = this.#options.bus.subscribe((event) => {
      if (event.kind === "tool" && event.change !== "updated" && this.#wants(event.name)) this.#rename();
    });
    return this.#running = this.#scan();
  }

  #wants(name: string): boolean {
    return [...this.#skills.values()].some((skill) => skill.name === name || skill.declared === name);
  }

  async #scan(): Promise<void> {
    if (this.#closed) return;
    try {
      const known = new Map(this.list().map((skill) => [skill.directory, skill]));
      const found = new Map<string, ScannedSource>();
      for (const source of await skillSources(this.#options)) {
        if (this.#closed) return;
        // A place that is not there has no skills.
        const scanned = await scanSkills(source, known).catch(() => undefined);
        if (scanned) found.set(source.root, scanned);
      }
      const before = new Set(this.skipped().map(lineOf));
      this.#places.clear();
      for (const [root, scanned] of found) this.#places.set(root, scanned);
      for (const line of this.skipped().map(lineOf)) if (!before.has(line)) this.#options.logger.warn(line);
      this.#rename();
    } catch (error) {
      this.#options.logger.warn("Cannot look for skills", { reason: errorText(error) });
    }
  }

  #rename(): void {
    if (this.#closed) return;
    const { isReserved, isTool } = this.#options;
    // One folder may be reached from two places.
    const all = new Map(
      [...this.#places.values()].flatMap(({ skills }) => skills).toReversed()
        .map((skill) => [skill.directory, skill]),
    );
    const names = assignNames(
      [...all.values()].toReversed(),
      (name, { besideTool, folder }) => isReserved(name) || isTool(name) && !(besideTool && name === folder),
    );
    const skills = [...names].map(([skill, name]): KnowledgeSkill => ({ ...skill, name }));
    skills.sort((a, b) => a.name < b.name ? -1 : 1);
    const before = this.#skills;
    this.#skills = new Map(skills.map((skill) => [skill.name, skill]));
    this.#publish(before);
  }

  #publish(before: ReadonlyMap<string, KnowledgeSkill>): void {
    const { bus } = this.#options;
    for (const [name, { stamp, directory }] of this.#skills) {
      const old = before.get(name);
      if (!old) bus.publish({ kind: "skills", change: "added", name });
      else if (old.stamp !== stamp || old.directory !== directory) {
        bus.publish({ kind: "skills", change: "updated", name });
      }
    }
    for (const name of before.keys()) {
      if (!this.#skills.has(name)) bus.publish({ kind: "skills", change: "removed", name });
    }
  }
}

function lineOf({ path, reason }: SkippedSkill): string {
  return `Cannot load skill ${path}: it ${reason}`;
}

/** The error for a name that no knowledge skill has. */
export function unknownKnowledge(name: string): SkillzError {
  return new SkillzError("not_found", `Cannot read skill "${name}": no knowledge skill has that name`, {
    hint: "list_tools with type knowledge shows what there is",
  });
}
