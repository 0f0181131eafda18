import assert from "node:assert/strict";
import { readdir, utimes } from "node:fs/promises";
import { join } from "node:path";
import { resultText } from "../../src/base/tool_result.ts";
import { tidyUp } from "../../src/cli/tidy_up.ts";
import { needs } from "../support/needs.ts";
import { serverEnvironment } from "../support/server.ts";
import { silentLogger } from "../support/silent_logger.ts";
import { testApp } from "../support/test_app.ts";

Deno.test({
  name: "tidyUp() keeps the environments of every kept version, and removes those of a deleted tool",
  ignore: needs("python3"),
  async fn() {
    await using app = await testApp({ env: serverEnvironment({}) });
    const folder = join(app.toolsDir, ".envs");
    const environments = async () => (await readdir(folder)).filter((name) => name !== ".locks");
    const tidy = async () => {
      for (const name of await environments()) await utimes(join(folder, name), 1, 1);
      const { toolsDir } = app;
      await tidyUp({
        toolsDir,
        store: app.app.store,
        logger: silentLogger,
        signal: new AbortController().signal,
      });
    };
    const register = (version: string) =>
      app.data("register_script", {
        name: "sixth",
        description: "d",
        interpreter: "python3",
        code: "from importlib.metadata import version\nfrom skillz import tool\n" +
          "@tool\ndef main():\n    return version('six')\n",
        dependencies: [`six==${version}`],
        overwrite: true,
      });
    await register("1.16.0");
    await register("1.17.0");
    await tidy();
    assert.equal((await environments()).length, 2);
    const call = async (args: Record<string, string>) =>
      resultText(await app.call("call_tool", { tool_name: "sixth", ...args }));
    assert.deepEqual([await call({}), await call({ version: "1.0.0" })], ["1.17.0", "1.16.0"]);
    await app.data("delete_tool", { tool_name: "sixth" });
    await tidy();
    assert.deepEqual(await environments(), []);
  },
});
