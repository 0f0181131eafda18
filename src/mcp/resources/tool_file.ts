import { join } from "node:path";
import { encodeBase64 } from "./base64.ts";
import type { Tool } from "../../tools/tool.ts";
import type { ResourceContents } from "../ports.ts";
import { mimeTypeOf } from "./mime_type.ts";
import { unknownResource } from "./resource_provider.ts";
import { isInside } from "../../base/is_inside.ts";

/** Largest file that is handed out as a resource. */
const MAX_BYTES = 16 * 1024 * 1024;

/** One file of a tool's folder as resource contents; links that leave the folder lead nowhere. */
export async function readToolFile(
  tool: Pick<Tool, "directory">,
  path: string,
  options: { uri: string; mimeType?: string },
): Promise<ResourceContents> {
  const { uri } = options;
  const bytes = await readInside(tool.directory, path, uri);
  const mimeType = options.mimeType ?? mimeTypeOf(path);
  const text = decodeText(bytes);
  return text === undefined ? { uri, mimeType, blob: encodeBase64(bytes) } : { uri, mimeType, text };
}

async function readInside(folder: string, path: string, uri: string): Promise<Uint8Array> {
  // Loaded here: no session needs it before it reads a file, and the module costs 3 MB.
  const { readFile, realpath, stat } = await import("node:fs/promises");
  try {
    const root = await realpath(folder);
    const file = await realpath(join(root, path));
    if (!isInside(file, root)) throw unknownResource(uri, "it lies outside the tool's folder");
    const info = await stat(file);
    if (!info.isFile()) throw unknownResource(uri, "it is not a file");
    if (info.size > MAX_BYTES) throw unknownResource(uri, `it is larger than ${MAX_BYTES} bytes`);
    return await readFile(file);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") throw unknownResource(uri);
    throw error;
  }
}

function decodeText(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
