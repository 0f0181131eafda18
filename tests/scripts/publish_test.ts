import { deepEqual, equal, match, ok } from "node:assert/strict";
import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { openJsrRegistry } from "../support/jsr_registry.ts";
import { needs } from "../support/needs.ts";
import { resultText } from "../../src/base/tool_result.ts";
import { readSource, ROOT, sourcesBelow } from "../support/repository.ts";
import { serverEnvironment, startServer } from "../support/server.ts";
import { tempDir } from "../support/temp_dir.ts";

Deno.test({
  name: "what is published is a whole server: embedded files are unchanged, and everything in it is found",
  ignore: needs("tar", "bash"),
  async fn(t) {
    await using registry = await openJsrRegistry();
    await using dir = await tempDir();
    const published = await new Deno.Command(Deno.execPath(), {
      args: ["publish", "--no-check", "--allow-dirty", "--token", "none", "--no-provenance"],
      cwd: ROOT,
      env: { JSR_URL: registry.url },
    }).output();
    ok(published.success, new TextDecoder().decode(published.stderr));

    await t.step("publishing rewrites imports, but none in a file that is embedded as text", async () => {
      const embedded = await embeddedFiles();
      ok(embedded.length > 10);
      const changed: string[] = [];
      for (const path of embedded) {
        const [here, there] = await Promise.all([
          readFile(join(ROOT, path), "utf8"),
          readFile(join(registry.folder, path), "utf8"),
        ]);
        if (here !== there) changed.push(path);
      }
      deepEqual(changed, []);
    });

    await t.step("it runs from the registry, with tools, programs and WebAssembly", async () => {
      await using server = await startServer({
        program: { command: Deno.execPath(), args: [...RUN, "jsr:@skillz/server"] },
        toolsDir: await toolsWithModule(dir.path),
        env: { JSR_URL: registry.url, DENO_DIR: await denoDir(dir.path) },
      });
      const code = `. skillz.sh; skillz_result_json '{"twice": 8}'`;
      const tool = { name: "made", description: "Eight", interpreter: "bash", code };
      await server.text("register_script", tool);
      match(await server.text("call_tool", { tool_name: "made" }), /8/);
      const program = { language: "typescript", code: "return (await tools.made({})).twice as number" };
      match(await server.text("execute_code", program), /8/);
      const returned = await server.call("call_tool", { tool_name: "module" });
      equal(returned.isError, undefined, resultText(returned));
      match(await server.text("memory", { action: "list", tool_name: "made" }), /\S/);
      const { contents } = await server.client.readResource({ uri: "skillz://guide" });
      match(JSON.stringify(contents), /from skillz import/);
      equal(server.noise().length, 0);
    });
  },
});

const RUN = ["run", "-A", "--quiet", "--no-config", "--no-lock"];
/** One memory, one function that returns at once, both exported. */
const MODULE =
  "0061736d01000000010401600000030201000503010001071302066d656d6f72790200065f737461727400000a040102000b";

/** TOOLS_DIR with a WebAssembly tool. */
async function toolsWithModule(parent: string): Promise<string> {
  const folder = join(parent, "tools", "module");
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "module.wasm"), Uint8Array.fromHex(MODULE));
  const manifest = { name: "module", description: "Returns", tool_type: "wasm", entry_file: "module.wasm" };
  await writeFile(join(folder, "manifest.json"), JSON.stringify(manifest));
  return join(parent, "tools");
}

/** Files that are imported with `type: "text"`, from the repository's root. */
async function embeddedFiles(): Promise<string[]> {
  const found: string[] = [];
  for (const path of await sourcesBelow("src")) {
    const names = (await readSource(path)).matchAll(/from "(\.[^"]+)" with \{ type: "text" \}/g);
    found.push(...[...names].map(([, name = ""]) => join(dirname(path), name)));
  }
  return [...new Set(found)].sort();
}

/** A cache that knows no package of this registry yet, but those of npm. */
async function denoDir(parent: string): Promise<string> {
  const folder = join(parent, "deno");
  await mkdir(folder);
  await symlink(join(serverEnvironment({}).DENO_DIR ?? "", "npm"), join(folder, "npm"));
  return folder;
}
