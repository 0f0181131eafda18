import { cp, mkdir } from "node:fs/promises";
import { basename, join } from "node:path";
import type { Logger } from "../../base/log.ts";
import { openTempRoot } from "../../base/temp_root.ts";
import { resultText } from "../../base/tool_result.ts";
import type { Config } from "../../config/config.ts";
import type { CallContext } from "../../run/call_context.ts";
import { pipelineProblems } from "../../run/pipeline/pipeline_problems.ts";
import type { Finding } from "../../tools/check_folder.ts";
import { matchExample } from "../../tools/examples.ts";
import type { Manifest } from "../../tools/tool.ts";
import { knownTool } from "../code_tools.ts";
import { openApp } from "../open_app.ts";

/** A tool whose folder is sound as far as it goes. */
export interface SoundTool {
  /** Its folder. */
  readonly path: string;
  readonly manifest: Manifest;
}

/** What {@linkcode checkWithApp} looks at. */
export interface CheckWithAppInput {
  /** What is told of. */
  readonly tools: readonly SoundTool[];
  /** Others that these may use. */
  readonly beside: readonly SoundTool[];
  /** Whether examples are run. */
  readonly run: boolean;
}

/**
 * Findings that take a whole server: what pipelines refer to, and whether examples answer as they say. Works on copies
 * in a TOOLS_DIR and a memory of its own, so that nothing of the user's changes.
 */
export async function checkWithApp(
  input: CheckWithAppInput,
  { config, logger, ctx }: { config: Config; logger: Logger; ctx: CallContext },
): Promise<Finding[]> {
  await using temp = openTempRoot();
  const toolsDir = join(await temp.path(), "tools");
  await mkdir(toolsDir);
  if (input.run) { for (const tool of [...input.beside, ...input.tools]) await copyTool(tool, toolsDir); }
  const { database: _database, ...rest } = config;
  await using app = await openApp({ ...rest, toolsDir, skills: [], problems: [] }, logger);
  const manifests = new Map(
    [...input.beside, ...input.tools].map(({ manifest }) => [manifest.name, manifest]),
  );
  const getTool = (name: string) =>
    knownTool(name, { store: app.store, listings: () => app.builtins }) ?? manifests.get(name);
  const findings: Finding[] = [];
  for (const { manifest } of input.tools) {
    const problems = pipelineProblems({ name: manifest.name, manifest }, getTool);
    findings.push(...problems.map((problem) => pipelineFinding(manifest.name, problem)));
    if (!input.run || problems.length > 0 || manifest.disabled) continue;
    for (const [index, example] of manifest.examples.entries()) {
      ctx.signal.throwIfAborted();
      const result = await app.callTool(manifest.name, example.arguments, ctx);
      const faults = matchExample(result, example.expect);
      if (faults.length === 0) continue;
      const text = resultText(result);
      findings.push({
        folder: manifest.name,
        level: "error",
        message: `example ${example.name ?? `#${index + 1}`} did not answer as it says: ${
          faults.join("; ")
        }; it answered: ${text.length > 500 ? `${text.slice(0, 500)}…` : text}`,
        field: `examples[${index}]`,
      });
    }
  }
  return findings;
}

function pipelineFinding(folder: string, message: string): Finding {
  return { folder, level: "error", message, field: "pipeline_steps" };
}

/** Copies what belongs to the tool itself: its environment is made anew, its versions are history. */
async function copyTool({ path, manifest }: SoundTool, toolsDir: string): Promise<void> {
  const left = new Set(["env", ".versions", ".git", "node_modules"].map((name) => join(path, name)));
  await cp(path, join(toolsDir, manifest.name), {
    recursive: true,
    verbatimSymlinks: true,
    filter: (source) => !left.has(source) && basename(source) !== ".git",
  });
}
