import assert from "node:assert/strict";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Access } from "../../src/sandbox/permissions.ts";
import { importMapFor } from "../../src/run/script/import_map.ts";
import { createStaticGraph } from "../../src/sandbox/static_graph.ts";
import { TEST_PATH } from "../support/sandboxed.ts";
import { tempDir } from "../support/temp_dir.ts";

const NOTHING: Access = { net: [], read: [], write: [], run: [], sys: [], ffi: false, import: [] };

interface Case {
  code: string;
  importMap?: string;
  scratch?: string;
  dependencies?: string[];
  access?: Partial<Access>;
}

/** A tool in a folder with a checker of its own. */
async function openTool(path: string) {
  const directory = join(path, "tool");
  await mkdir(join(directory, "data"), { recursive: true });
  await writeFile(join(directory, "near.ts"), "export const near = 1;");
  await writeFile(join(directory, "near.json"), "{}");
  await writeFile(join(path, "outside.json"), "{}");
  await writeFile(join(path, "outside.ts"), "export default 1;");
  const safeEnvironment = { PATH: TEST_PATH, HOME: path, DENO_DIR: join(path, "deno") };
  const graph = createStaticGraph({ safeEnvironment });
  return async (
    { code, dependencies = [], access = {}, ...more }: Case,
    hash: string = crypto.randomUUID(),
  ) => {
    await writeFile(join(directory, "main.ts"), code);
    await graph.check({ hash, directory }, {
      packages: dependencies,
      ...more,
      deno: Deno.execPath(),
      entry: join(directory, "main.ts"),
      access: { ...NOTHING, read: [directory], ...access },
      signal: AbortSignal.timeout(60_000),
    });
  };
}

Deno.test("check() passes modules of the tool's own folder, of Node, and declared dependencies", async () => {
  await using dir = await tempDir();
  const check = await openTool(dir.path);
  await check({
    code: `import { near } from "./near.ts"; import j from "./near.json" with { type: "json" };
      import t from "./near.ts" with { type: "text" }; import * as fs from "node:fs";
      import { z } from "npm:zod@4"; await import("./near.ts"); console.log(near, j, t, fs, z);`,
    dependencies: ["npm:zod@4"],
  });
});

Deno.test("check() refuses every way to read a file outside through the graph", async () => {
  await using dir = await tempDir();
  const check = await openTool(dir.path);
  await symlink(join(dir.path, "outside.json"), join(dir.path, "tool", "link.json"));
  const outside = join(dir.path, "outside.json");
  const nested = `data:text/javascript,${
    encodeURIComponent(`import "file://${outside}" with {type:"text"};`)
  }`;
  for (
    const code of [
      `import x from "file:///etc/passwd" with { type: "text" }; console.log(x);`,
      `import x from "../outside.json" with { type: "json" }; console.log(x);`,
      `import x from "../outside.ts"; console.log(x);`,
      `import x from "./link.json" with { type: "json" }; console.log(x);`,
      `console.log(await import("/etc/passwd", { with: { type: "text" } }));`,
      `await import(${JSON.stringify(nested)});`,
      `import { createRequire } from "node:module"; const require = createRequire(import.meta.url);
       console.log(require(${JSON.stringify(outside)}));`,
      `export * from "../outside.ts";`,
    ]
  ) await assert.rejects(() => check({ code }), { code: "denied" }, code);
});

Deno.test("check() passes a file outside that may be read, and refuses one that is hidden in what may be read", async () => {
  await using dir = await tempDir();
  const check = await openTool(dir.path);
  const code = `import x from "../outside.json" with { type: "json" }; console.log(x);`;
  await check({ code, access: { read: [dir.path] } });
  await assert.rejects(
    () => check({ code, access: { read: [dir.path], hidden: [join(dir.path, "outside.json")] } }),
    { code: "denied" },
  );
});

Deno.test("check() refuses npm:, jsr: and remote modules that are not declared, and names the line to add", async () => {
  await using dir = await tempDir();
  const check = await openTool(dir.path);
  await assert.rejects(() => check({ code: `import "npm:left-pad";` }), /dependencies|not declared/);
  await assert.rejects(() => check({ code: `import "jsr:@std/fs";` }), /not declared/);
  await assert.rejects(() => check({ code: `await import("npm:left-pad");` }), /not declared/);
  await assert.rejects(() => check({ code: `import "https://evil.example/x.ts";` }), {
    hint: /permissions\.import/,
  });
  await check({ code: `import "https://esm.sh/x.ts";`, access: { import: ["esm.sh"] } });
});

const PACKAGES = ["jsr:@std/text@1", "npm:@scope/one@^2", "npm:zod@4"];
const importMap = importMapFor(PACKAGES, "/nowhere/skillz.ts");

for (
  const [code, told] of [
    [`import "zod"; import "zod/mini"; import "npm:zod"; import "npm:zod@4"; import "npm:zod@^4/mini";`],
    [`import "@scope/one"; import "@scope/one/x/y"; import "npm:@scope/one@2.x"; import "npm:/@scope/one@^2/x";`],
    [`import "@std/text"; import "@std/text/slug"; import "jsr:@std/text"; import "jsr:@std/text@1/slug";`],
    [`import type { A } from "nowhere"; import type { B } from "npm:nowhere"; export type { A, B };`],
    [`await import("nowhere").catch(() => {}); await import("npm:nowhere").catch(() => {});`],
    [`import "left-pad";`, /holds left-pad, which is not declared.*Add "npm:left-pad" to/],
    [`import "@a/b/c";`, /holds @a\/b\/c, which is not declared.*Add "npm:@a\/b" to/],
    [`import "npm:left-pad@1/x";`, /holds npm:left-pad@1\/x, which is not declared.*Add "npm:left-pad@1" to/],
    [`import "jsr:@std/fs";`, /which is not declared.*Add "jsr:@std\/fs" to/],
    [`import "npm:zod@3";`, /holds npm:zod@3, which dependencies name as "npm:zod@4".*Import "zod"/],
    [`import "npm:zod/mini";`, /which dependencies name as "npm:zod@4".*Import "zod\/mini"/],
    [`import "fs";`, /which Deno has by another name.*Import "node:fs"/],
    [`import "./near.ts"; export * from "left-pad";`, /Add "npm:left-pad" to/],
  ] as [string, RegExp?][]
) {
  Deno.test(`check() ${told ? "refuses" : "passes"} ${code}`, async () => {
    await using dir = await tempDir();
    const check = await openTool(dir.path);
    const checked = check({ code, dependencies: PACKAGES, importMap });
    if (told === undefined) return await checked;
    const error = await checked.then(() => undefined, (error) => error);
    assert.equal(error?.code, "denied");
    assert.match(`${error.message}. ${error.hint}`, told);
    assert.match(error.message, /^Cannot run "main\.ts": /);
  });
}

Deno.test("check() looks again when a module can change without the hash", async () => {
  await using dir = await tempDir();
  const check = await openTool(dir.path);
  const code = `import "./data/made.ts";`;
  const made = join(dir.path, "tool/data/made.ts");
  const access = { write: [join(dir.path, "tool/data")] };
  await writeFile(made, "export {};");
  await check({ code, access }, "one");
  await writeFile(made, `import "/etc/passwd" with { type: "text" };`);
  await assert.rejects(() => check({ code, access }, "one"), { code: "denied" });
});

Deno.test("check() does not look again at what passed", async () => {
  await using dir = await tempDir();
  const check = await openTool(dir.path);
  await check({ code: `import "./near.ts";` }, "same");
  // Same hash, so nobody can have changed it; had it been read again, this would be refused.
  await check({ code: `import "/etc/passwd" with { type: "text" };` }, "same");
});

Deno.test("check() does not look again for another call's private folder", async () => {
  await using dir = await tempDir();
  const check = await openTool(dir.path);
  const scratch = async (name: string) => {
    const path = join(dir.path, name);
    await mkdir(path);
    return { access: { write: [path] }, scratch: path };
  };
  await check({ code: `import "./near.ts";`, ...await scratch("one") }, "same");
  await check({ code: `import "/etc/passwd" with { type: "text" };`, ...await scratch("two") }, "same");
});

Deno.test("check() tells the first thing that is wrong with code that can't be loaded", async () => {
  await using dir = await tempDir();
  const check = await openTool(dir.path);
  await assert.rejects(() => check({ code: `import "./missing.ts";` }), {
    code: "failed",
    message: 'Cannot run "main.ts": Module not found "missing.ts".',
  });
  await assert.rejects(() => check({ code: `const x = 1;\nconst y = ;` }), {
    code: "failed",
    message: /^Cannot run "main\.ts": SyntaxError: .* at main\.ts:2:\d+$/,
  });
});
