import { join } from "node:path";
import type { JsonObject } from "../../src/base/json.ts";
import { resultText, type ToolResult } from "../../src/base/tool_result.ts";
import { type App, openApp } from "../../src/cli/open_app.ts";
import { resolveConfig } from "../../src/config/resolve_config.ts";
import type { CallContext } from "../../src/run/call_context.ts";
import { fakeContext } from "./fake_caller.ts";
import { silentLogger } from "./silent_logger.ts";
import { tempDir } from "./temp_dir.ts";

/** All parts of a server in this process, without a transport. */
export interface TestApp extends AsyncDisposable {
  readonly app: App;
  readonly toolsDir: string;
  /** The only workspace root. */
  readonly root: string;
  /** Calls any tool as a client's session does. */
  call(name: string, args?: JsonObject, ctx?: CallContext): Promise<ToolResult>;
  /** Calls a tool, throws if it fails, and returns its data. */
  data(name: string, args?: JsonObject): Promise<JsonObject>;
}

/** Options of {@linkcode testApp}. */
export interface TestAppOptions {
  /** More variables of the environment. */
  env?: Readonly<Record<string, string>>;
  /** `skillz.toml` of TOOLS_DIR. */
  toml?: string;
}

/** Opens the parts over folders of their own. */
export async function testApp(options: TestAppOptions = {}): Promise<TestApp> {
  await using undo = new AsyncDisposableStack();
  const dir = undo.use(await tempDir());
  const [toolsDir, root, home] = ["tools", "work", "home"].map((name) => join(dir.path, name)) as [
    string,
    string,
    string,
  ];
  for (const path of [toolsDir, root, home]) await Deno.mkdir(path);
  if (options.toml !== undefined) await Deno.writeTextFile(join(toolsDir, "skillz.toml"), options.toml);
  const env = {
    PATH: Deno.env.get("PATH") ?? "",
    HOME: home,
    TOOLS_DIR: toolsDir,
    SKILLZ_ROOTS: root,
    ...options.env,
  };
  const config = await resolveConfig({}, { env, cwd: root });
  const app = undo.use(await openApp(config, silentLogger));
  const owned = undo.move();
  const call: TestApp["call"] = (name, args = {}, ctx = fakeContext()) => app.callTool(name, args, ctx);
  return {
    app,
    toolsDir,
    root,
    call,
    async data(name, args) {
      const result = await call(name, args);
      if (result.isError) {
        throw new Error(`Cannot use the answer of ${name}: it failed: ${resultText(result)}`);
      }
      return result.structuredContent ?? {};
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
