import { equal } from "node:assert/strict";
import { open, readlink, realpath, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { HAS_REAL_DESCRIPTORS } from "../../src/base/real_descriptors.ts";
import { tempDir } from "../support/temp_dir.ts";

Deno.test({
  name: "HAS_REAL_DESCRIPTORS tells whether the kernel knows a file under the number that Deno gives",
  ignore: Deno.build.os !== "linux",
  async fn() {
    await using dir = await tempDir();
    const path = join(await realpath(dir.path), "file");
    await writeFile(path, "");
    await using file = await open(path);
    const found = await readlink(`/proc/self/fd/${file.fd}`).catch(() => "");
    equal(HAS_REAL_DESCRIPTORS, found === path);
  },
});
