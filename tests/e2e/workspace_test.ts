import assert from "node:assert/strict";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { needs } from "../support/needs.ts";
import { startServer } from "../support/server.ts";
import { tempDir } from "../support/temp_dir.ts";

const TOOL = {
  name: "where",
  description: "Says what its workspace is, and reads a file",
  interpreter: "python3",
  code: `from skillz import tool, context

@tool
def main(path: str) -> dict:
    try:
        text = open(path).read()
    except OSError as error:
        text = type(error).__name__
    return {"roots": context["roots"], "text": text}
`,
};

for (const era of ["legacy", "modern"] as const) {
  Deno.test(`a client's root that is no local folder costs no other one (${era})`, {
    ignore: needs("python3", "bwrap"),
  }, async () => {
    await using dir = await tempDir();
    await Deno.writeTextFile(join(dir.path, "file"), "mine");
    let roots = [{ uri: "vscode-remote://ssh/x" }, { uri: pathToFileURL(dir.path).href }];
    await using server = await startServer({
      era,
      capabilities: { roots: { listChanged: true } },
      env: { SKILLZ_ROOTS: "/usr/share" },
      prepare: (client) => client.setRequestHandler("roots/list", () => ({ roots })),
    });
    await server.text("register_script", TOOL);
    const where = async () => {
      const args = { tool_name: "where", arguments: { path: join(dir.path, "file") } };
      return (await server.call("call_tool", args)).structuredContent;
    };
    assert.deepEqual(await where(), { roots: [dir.path], text: "mine" });
    if (era === "legacy") {
      // A workspace that is not here is no reason to take another one.
      roots = [{ uri: "vscode-remote://ssh/x" }];
      await server.client.sendRootsListChanged();
      assert.deepEqual(await where(), { roots: [], text: "FileNotFoundError" });
    }
  });
}

Deno.test("a server that was started in the home folder lets tools see nothing of it", {
  ignore: needs("python3", "bwrap"),
}, async () => {
  await using home = await tempDir();
  await Deno.writeTextFile(join(home.path, "notes"), "private");
  await using server = await startServer({ cwd: home.path, env: { HOME: home.path } });
  await server.text("register_script", TOOL);
  const read = async (path: string) =>
    (await server.call("call_tool", { tool_name: "where", arguments: { path } })).structuredContent;
  assert.deepEqual(await read(join(home.path, "notes")), { roots: [], text: "FileNotFoundError" });
  assert.match(server.stderr(), /No workspace unless the client names one/);
});
