import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { SkillzError } from "../../base/errors.ts";
import { sha256 } from "../../base/hash.ts";
import { isInside } from "../../base/is_inside.ts";
import { entryFile } from "../../tools/entry_file.ts";
import type { Tool } from "../../tools/tool.ts";
import { limitMemory } from "./limit_memory.ts";

/** A module, ready to be sent to an engine. */
export interface PreparedModule {
  /** Hash of its bytes. */
  readonly hash: string;
  /** The module, with its memory bounded. */
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Most bytes of modules that are kept. */
const KEPT_BYTES = 64 * 1024 * 1024;

/** Reads the modules of tools, bounds their memory, and keeps those that were used last. */
export class ModuleStore {
  readonly #kept = new Map<string, { name: string; module: Promise<PreparedModule>; size: number }>();

  /** The module of a tool. Throws `SkillzError("invalid_input")` when there is none that could be run. */
  async get(tool: Tool): Promise<PreparedModule> {
    const key = `${tool.directory}\n${tool.hash}\n${tool.manifest.limits.memory_mb}`;
    const known = this.#kept.get(key);
    if (known !== undefined) {
      this.#kept.delete(key); // and last again: the first in line is the one unused for longest
      this.#kept.set(key, known);
      return await known.module;
    }
    const entry = { name: tool.name, module: prepare(tool), size: 0 };
    this.#kept.set(key, entry);
    try {
      const module = await entry.module;
      entry.size = module.bytes.length;
      this.#trim();
      return module;
    } catch (error) {
      this.#kept.delete(key);
      throw error;
    }
  }

  /** Drops the modules of a tool, or all. */
  forget(name?: string): void {
    for (const [key, entry] of this.#kept) {
      if (name === undefined || entry.name === name) this.#kept.delete(key);
    }
  }

  #trim(): void {
    let total = [...this.#kept.values()].reduce((sum, { size }) => sum + size, 0);
    for (const [key, { size }] of this.#kept) {
      if (total <= KEPT_BYTES || this.#kept.size === 1) return;
      this.#kept.delete(key);
      total -= size;
    }
  }
}

async function prepare(tool: Tool): Promise<PreparedModule> {
  const path = join(tool.directory, entryFile(tool.manifest) ?? "");
  if (!isInside(path, tool.directory)) {
    throw new SkillzError("denied", `Cannot run tool "${tool.name}": entry_file leads out of its folder`);
  }
  const file = await readFile(path).catch((cause) => {
    throw new SkillzError("invalid_input", `Cannot run tool "${tool.name}": its module can't be read`, {
      cause,
      hint: "Build it again with overwrite",
    });
  });
  const bytes = limitMemory(file, tool.manifest.limits.memory_mb * 1024 * 1024);
  return { hash: await sha256(bytes), bytes };
}
