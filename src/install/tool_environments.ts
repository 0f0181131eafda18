import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { atomicWrite } from "../base/atomic_write.ts";
import { SkillzError } from "../base/errors.ts";
import type { Tool } from "../tools/tool.ts";
import { markUsed } from "./_mark_used.ts";
import type {
  EnsureOptions,
  Environment,
  EnvironmentRequest,
  EnvironmentStore,
} from "./environment_store.ts";
import type { Runtime } from "./installer.ts";
import { languageOf } from "./language.ts";

/** The file of a tool's folder that keeps what its dependencies were resolved to. */
export const LOCK_FILE = "dependencies.lock";

/** Most tools whose environment is remembered. */
const REMEMBERED = 1000;

/** The environments of tools: knows which one a tool uses, and has it installed where it is missing. */
export class ToolEnvironments {
  readonly #store: Pick<EnvironmentStore, "ensure">;
  readonly #known = new Map<string, Environment>();

  /** Over a store. */
  constructor(store: Pick<EnvironmentStore, "ensure">) {
    this.#store = store;
  }

  /**
   * How a tool is started with its dependencies; undefined when it has none. A tool that came without its environment,
   * as a copied folder does, gets it now.
   */
  async runtime(tool: Tool, options: EnsureOptions = {}): Promise<Runtime | undefined> {
    if (tool.manifest.dependencies.length === 0) return undefined;
    const key = `${tool.directory}\n${tool.hash}`;
    const known = this.#known.get(key);
    if (known !== undefined && await markUsed(known.directory)) return known;
    const environment = await this.#ensure(tool, options);
    const [oldest] = this.#known.keys();
    if (oldest !== undefined && this.#known.size >= REMEMBERED) this.#known.delete(oldest);
    this.#known.set(key, environment);
    return environment;
  }

  /** Installs the dependencies of a tool that is about to be saved, and puts their lock into its folder. */
  async prepare(staged: Tool, options: EnsureOptions = {}): Promise<void> {
    if (staged.manifest.dependencies.length === 0) return;
    const { lock } = await this.#ensure(staged, options);
    await atomicWrite(join(staged.directory, LOCK_FILE), lock);
  }

  async #ensure(tool: Tool, options: EnsureOptions): Promise<Environment> {
    return await this.#store.ensure({ ...environmentRequest(tool), lock: await readLock(tool) }, options);
  }
}

/** What a tool's dependencies were resolved to when it was saved; undefined when that is not known. */
export async function readLock({ directory }: Pick<Tool, "directory">): Promise<string | undefined> {
  return await readFile(join(directory, LOCK_FILE), "utf8").catch(() => undefined);
}

/** What a tool wants to be installed. Throws `invalid_input` when its language has no packages that we install. */
export function environmentRequest({ name, manifest }: Pick<Tool, "name" | "manifest">): EnvironmentRequest {
  const { interpreter = "", dependencies } = manifest;
  const language = languageOf(interpreter);
  if (language !== undefined) return { language, dependencies, interpreter };
  throw new SkillzError(
    "invalid_input",
    `Cannot install dependencies of "${name}": they are for Python, Node and Deno, its interpreter is "${interpreter}"`,
    { hint: "Leave dependencies out, or write the tool for one of these" },
  );
}
