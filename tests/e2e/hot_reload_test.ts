import assert from "node:assert/strict";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { resultText } from "../../src/base/tool_result.ts";
import { needs } from "../support/needs.ts";
import { startServer } from "../support/server.ts";
import { waitFor } from "../support/wait_for.ts";

const manifest = (name: string, description: string) =>
  JSON.stringify({
    name,
    description,
    tool_type: "script",
    interpreter: "bash",
    entry_file: "run.sh",
    core: true,
  });

Deno.test(
  "--hot-reload follows tools that are added, edited and removed by hand",
  { ignore: needs("bash") },
  async () => {
    let changes = 0;
    await using server = await startServer({
      args: ["--hot-reload"],
      prepare: (client) =>
        client.setNotificationHandler("notifications/tools/list_changed", () => void changes++),
    });
    const described = async () =>
      (await server.client.listTools()).tools.find((tool) => tool.name === "byhand")?.description;
    assert.equal(await described(), undefined);

    const aside = join(server.toolsDir, "..", "byhand");
    await mkdir(aside);
    await writeFile(join(aside, "run.sh"), "echo one");
    await writeFile(join(aside, "manifest.json"), manifest("byhand", "first"));
    await rename(aside, join(server.toolsDir, "byhand"));
    await waitFor(async () => await described() === "first");
    assert.equal(resultText(await server.call("byhand")), "one");

    await writeFile(join(server.toolsDir, "byhand", "run.sh"), "echo two");
    await waitFor(async () => resultText(await server.call("byhand")) === "two");
    // Half a file is no tool that broke: the last whole one stays.
    await writeFile(
      join(server.toolsDir, "byhand", "manifest.json"),
      manifest("byhand", "second").slice(0, 20),
    );
    assert.equal(await described(), "first");
    await writeFile(join(server.toolsDir, "byhand", "manifest.json"), manifest("byhand", "second"));
    await waitFor(async () => await described() === "second");

    await rm(join(server.toolsDir, "byhand"), { recursive: true });
    await waitFor(async () => await described() === undefined);
    // The last one may still be on its way.
    await waitFor(() => changes >= 3);
  },
);
