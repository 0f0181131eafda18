import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { resultText } from "../../src/base/tool_result.ts";
import { engineCommand } from "../../src/run/wasm/engine_command.ts";
import { createLoadAccess } from "../../src/run/wasm/load_access.ts";
import { createWasmRunner } from "../../src/run/wasm/wasm_runner.ts";
import { resolveLimits } from "../../src/sandbox/limits.ts";
import type { Access, Permissions } from "../../src/sandbox/permissions.ts";
import { compileRust } from "../support/compile_rust.ts";
import { fakeContext } from "../support/fake_caller.ts";
import { TEST_PATH } from "../support/sandboxed.ts";
import { testManifest } from "../support/test_manifest.ts";
import type { Place, Setting } from "./attack.ts";

/** What {@linkcode runModule} runs. */
export interface ModuleBatch {
  /** Steps by name, see `wasm/attack.rs`. */
  readonly attempts: ReadonlyMap<string, string>;
  readonly setting: Setting;
  readonly permissions: Permissions;
  /** Loosens what the module may touch. */
  readonly widen?: (access: Access) => Access;
}

/** Runs many attempts in one call of a module, by the runner that the server has for modules; gives what it printed. */
export async function runModule(place: Place, batch: ModuleBatch): Promise<string> {
  const { attempts, setting, permissions, widen = (access: Access) => access } = batch;
  const code = await readFile(new URL("./wasm/attack.rs", import.meta.url), "utf8");
  await writeFile(join(place.tool, "mine.wasm"), await compileRust(code));
  const load = createLoadAccess({
    toolsDir: place.toolsDir,
    home: place.home,
    roots: [setting === "nested" ? place.path : place.root],
    sandboxNetwork: false,
    defaultProfile: { read: ["$ROOTS"] },
  });
  await using runner = createWasmRunner({
    engine: engineCommand({ denoPath: Deno.execPath(), env: { PATH: TEST_PATH, HOME: place.home } }),
    secrets: { GIVEN: place.secret, SKILLZ_OTHER: place.secret },
    safeEnvironment: { LANG: "C.UTF-8" },
    loadAccess: async (...call) => {
      const found = await load(...call);
      return { ...found, access: widen(found.access) };
    },
  });
  const manifest = testManifest("mine", {
    tool_type: "wasm",
    limits: resolveLimits(),
    permissions,
    env: ["GIVEN"],
  });
  const steps = [...attempts].map(([name, code]) => `${name}|${code}`).join(";;");
  const result = await runner.run(
    { name: "mine", directory: place.tool, hash: crypto.randomUUID(), manifest },
    { kind: "tool", arguments: { attempts: steps } },
    fakeContext(),
  );
  return resultText(result);
}
