import { dirname, join } from "node:path";
import { atomicWrite } from "../base/atomic_write.ts";
import { SkillzError } from "../base/errors.ts";
import type { JsonObject } from "../base/json.ts";
import { innerPathFault } from "./_inner_path.ts";
import type { ToolPlace } from "./_layout.ts";
import { loadFolder } from "./load_folder.ts";
import { parseManifest, writeManifest } from "./manifest.ts";
import type { Manifest, Tool } from "./tool.ts";
import type { ToolDraft } from "./tool_store.ts";
import type { Validator } from "./validator.ts";

/** What a staged tool gets beside its draft. */
export interface StageOptions {
  /** Number that the new state gets. */
  version: string;
  /** When the tool was first made. */
  createdAt: string;
  /** Compiles the schemas, so that one that can't be compiled is refused now and not at the first call. */
  validator: Validator;
  signal?: AbortSignal | undefined;
}

/** More bytes in one draft are data, not code. */
const MAX_DRAFT_BYTES = 512 * 1024 * 1024;
/** A larger manifest.json is data in the wrong place: it is read at each start and listed to every client. */
const MAX_MANIFEST_BYTES = 1024 * 1024;

/**
 * Writes a draft as a whole folder beside the tools, code before manifest, and reads it back.
 *
 * @throws `SkillzError("invalid_input")` when anything about it is wrong; nothing is left then.
 */
export async function stageTool(place: ToolPlace, draft: ToolDraft, options: StageOptions): Promise<Tool> {
  const { signal, validator } = options;
  checkFiles(draft);
  const now = new Date().toISOString();
  const json = {
    ...draft.manifest,
    version: options.version,
    created_at: options.createdAt,
    updated_at: now,
  };
  const manifest = parseManifest(json, { folder: place.name });
  checkSize(writeManifest(manifest));
  for (const schema of [manifest.input_schema, manifest.output_schema]) {
    if (schema) await validator.compile(schema);
  }
  const directory = place.fresh();
  try {
    await Deno.mkdir(directory, { recursive: true });
    for (const [path, content] of Object.entries(draft.files)) {
      signal?.throwIfAborted();
      await writeDraftFile(join(directory, path), content);
    }
    const tool = await finishStage({ directory, manifest });
    const entry = tool.manifest.entry_file;
    // Without an interpreter the script is started by its #! line.
    if (manifest.tool_type === "script" && entry !== undefined && Deno.build.os !== "windows") {
      await Deno.chmod(join(directory, entry), 0o755);
    }
    return tool;
  } catch (error) {
    await Deno.remove(directory, { recursive: true }).catch(() => {});
    throw error;
  }
}

/** Writes the manifest into a staged folder, which makes it whole, and reads it as it will be read ever after. */
export async function finishStage(
  { directory, manifest }: { directory: string; manifest: Manifest },
): Promise<Tool> {
  const text = JSON.stringify(writeManifest(manifest), null, 2);
  await atomicWrite(join(directory, "manifest.json"), `${text}\n`);
  const { tool } = await loadFolder(directory, { name: manifest.name, lenient: false });
  if (!tool) throw new SkillzError("internal", `Cannot stage "${manifest.name}": no tool was read back`);
  return { name: manifest.name, ...tool, directory };
}

function checkSize(json: JsonObject): void {
  const size = new TextEncoder().encode(JSON.stringify(json)).length;
  if (size <= MAX_MANIFEST_BYTES) return;
  const sizes = Object.entries(json).map(([field, value]) => [field, JSON.stringify(value).length] as const);
  const [largest = "", length] = sizes.toSorted(([, a], [, b]) => b - a)[0] ?? [];
  throw new SkillzError(
    "limit",
    `Cannot save "${json.name}": its manifest.json would have ${size} bytes, most of them (${length}) in ${largest}, ` +
      `at most ${MAX_MANIFEST_BYTES} are taken`,
    { hint: "Keep large texts and data in files beside the code" },
  );
}

function checkFiles({ files }: ToolDraft): void {
  let total = 0;
  for (const [path, content] of Object.entries(files)) {
    const fault = innerPathFault(path);
    if (fault !== undefined) {
      throw new SkillzError(
        "invalid_input",
        `Cannot save the file ${JSON.stringify(path.slice(0, 200))}: it ${fault}`,
      );
    }
    total += content.length;
  }
  if (total > MAX_DRAFT_BYTES) {
    throw new SkillzError(
      "limit",
      `Cannot save the tool: its files have ${total} bytes, at most 512 MiB are taken`,
    );
  }
}

async function writeDraftFile(path: string, content: string | Uint8Array): Promise<void> {
  try {
    await Deno.mkdir(dirname(path), { recursive: true });
    await atomicWrite(path, content);
  } catch (cause) {
    if (cause instanceof Deno.errors.AlreadyExists || cause instanceof Deno.errors.NotADirectory) {
      throw new SkillzError("invalid_input", "Cannot save the files: one path is both a file and a folder", {
        cause,
      });
    }
    throw cause;
  }
}
