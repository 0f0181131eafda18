import { deepEqual, equal, match } from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { resultText } from "../../src/base/tool_result.ts";
import { createStaticGraph } from "../../src/sandbox/static_graph.ts";
import type { Permissions } from "../../src/sandbox/permissions.ts";
import { type Bench, bench } from "./_fixture.ts";

async function denoBench(): Promise<Bench> {
  const safeEnvironment = { PATH: Deno.env.get("PATH") ?? "" };
  return await bench({
    deps: { moduleGraph: createStaticGraph({ safeEnvironment }) },
  });
}

function denoTool(place: Bench, code: string, permissions?: Permissions) {
  return place.tool("t", {
    interpreter: "deno run",
    extension: "ts",
    code,
    manifest: permissions === undefined ? {} : { permissions },
  });
}

Deno.test("a Deno tool may not import a file outside of its reach, one beside it it may", async () => {
  await using place = await denoBench();
  const outside = join(place.toolsDir, "..", "outside.txt");
  await writeFile(outside, "far");
  const importing = (path: string) =>
    `import { tool } from "skillz"; import text from ${
      JSON.stringify(path)
    } with { type: "text" }; tool(() => text);`;
  const refused = await place.call(await denoTool(place, importing(`file://${outside}`))).then(
    resultText,
    String,
  );
  match(refused, /outside\.txt, a file outside of what it may read/);
  const tool = await denoTool(place, importing("./near.txt"));
  await writeFile(join(tool.directory, "near.txt"), "near");
  equal(resultText(await place.call(tool)), "near");
  const granted = await denoTool(place, importing(`file://${outside}`), { read: [outside] });
  equal(resultText(await place.call(granted)), "far");
});

Deno.test("a Deno tool gets what its permissions grant, and only that", async () => {
  await using place = await denoBench();
  const file = join(place.toolsDir, "..", "data.txt");
  await writeFile(file, "data");
  const code = `import { tool } from "skillz";
tool(async ({ file }: { file: string }) => {
  const tried = async (work: () => Promise<unknown>) => { try { return await work(); } catch (e) { return (e as Error).name; } };
  return {
    read: await tried(() => Deno.readTextFile(file)),
    write: await tried(() => Deno.writeTextFile(file + ".out", "x").then(() => "written")),
    scratch: await tried(() => Deno.writeTextFile(Deno.env.get("HOME") + "/x", "x").then(() => "written")),
    run: await tried(() => new Deno.Command("true").output().then(() => "ran")),
  };
});`;
  const denied = await place.call(await denoTool(place, code, {}), { file });
  deepEqual(
    denied.structuredContent,
    { read: "NotCapable", write: "NotCapable", scratch: "written", run: "NotCapable" },
    resultText(denied),
  );
  const allowed = await place.call(await denoTool(place, code, { read: [file], write: [`${file}.out`] }), {
    file,
  });
  deepEqual(allowed.structuredContent, {
    read: "data",
    write: "written",
    scratch: "written",
    run: "NotCapable",
  });
  equal(JSON.stringify(allowed._meta).includes('"mode":"deno"'), true);
});

Deno.test("a denied access is named with the line that would grant it, also when the script tells its failure itself", async () => {
  await using place = await denoBench();
  const file = join(place.toolsDir, "..", "data.txt");
  await writeFile(file, "data");
  const code =
    `import { tool } from "skillz"; tool(({ file }: { file: string }) => Deno.readTextFile(file));`;
  const denied = await place.call(await denoTool(place, code, {}), { file });
  equal(denied.isError, true);
  match(resultText(denied), /add to the manifest permissions\.read: \["[^"]*data\.txt"\]/);
  equal(resultText(await place.call(await denoTool(place, code, { read: [file] }), { file })), "data");
});
