import { dirname, join } from "node:path";
import { Bus, type ChangeEvent } from "../../src/base/bus.ts";
import type { JsonObject } from "../../src/base/json.ts";
import { openToolStore } from "../../src/tools/open_tool_store.ts";
import type { ToolDraft, ToolStore } from "../../src/tools/tool_store.ts";

/** A loaded store over a folder, with the events that it published. */
export interface OpenedStore extends AsyncDisposable {
  store: ToolStore;
  events: ChangeEvent[];
}

/** Opens and loads a store. */
export async function openStore(toolsDir: string, reservedNames: string[] = []): Promise<OpenedStore> {
  const bus = new Bus();
  const events: ChangeEvent[] = [];
  bus.subscribe((event) => events.push(event));
  const store = openToolStore({ toolsDir, bus, reservedNames });
  await store.load();
  return { store, events, [Symbol.asyncDispose]: () => store[Symbol.asyncDispose]() };
}

/** A script tool as somebody registers it. */
export function draft(name: string, code: string, fields: JsonObject = {}): ToolDraft {
  const manifest = {
    name,
    description: `Does ${name}`,
    tool_type: "script",
    interpreter: "bash",
    entry_file: `${name}.sh`,
    ...fields,
  };
  return { manifest, files: { [`${name}.sh`]: code } };
}

/** Writes files below a folder, making folders in between. */
export async function write(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await Deno.mkdir(dirname(join(folder, path)), { recursive: true });
    await Deno.writeTextFile(join(folder, path), text);
  }
}

/** A folder as somebody made it by hand. */
export async function handMade(toolsDir: string, name: string, fields: JsonObject = {}): Promise<string> {
  const { manifest, files } = draft(name, "echo 1", fields);
  const folder = join(toolsDir, name);
  await write(folder, { "manifest.json": JSON.stringify(manifest), ...files as Record<string, string> });
  return folder;
}

/** Names in a folder, sorted. */
export async function names(folder: string): Promise<string[]> {
  return (await Array.fromAsync(Deno.readDir(folder))).map((entry) => entry.name).sort();
}

/** Every file below a folder with its text, links by their target. */
export async function snapshot(folder: string): Promise<Record<string, string>> {
  const files: Record<string, string> = {};
  const visit = async (inner: string): Promise<void> => {
    for await (const entry of Deno.readDir(join(folder, inner))) {
      const path = join(inner, entry.name);
      if (entry.isDirectory) await visit(path);
      else if (entry.isSymlink) files[path] = `-> ${await Deno.readLink(join(folder, path))}`;
      else files[path] = await Deno.readTextFile(join(folder, path));
    }
  };
  await visit("");
  return files;
}
