import { execFile } from "node:child_process";
import { mkdir, readFile, rename, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { sha256 } from "../../src/base/hash.ts";
import { tempDir } from "./temp_dir.ts";

const run = promisify(execFile);

/** Compiles a Rust program to WebAssembly, once on this machine for each text of it. */
export async function compileRust(code: string): Promise<Uint8Array> {
  const folder = join(tmpdir(), "skillz-test-wasm");
  const path = join(folder, `${await sha256(code)}.wasm`);
  if (!await stat(path).catch(() => undefined)) {
    await mkdir(folder, { recursive: true });
    await using dir = await tempDir();
    const [source, built] = [join(dir.path, "src.rs"), join(folder, `${crypto.randomUUID()}.part`)];
    await writeFile(source, code);
    await run("rustc", ["--edition", "2021", "--target", "wasm32-wasip1", "-O", "-o", built, source]);
    await rename(built, path);
  }
  return await readFile(path);
}
