import { SkillzError } from "../base/errors.ts";
import { isJsonObject, type JsonObject, jsonTypeOf } from "../base/json.ts";
import type { Config } from "../config/config.ts";
import { writeOutput } from "./output.ts";
import { shellContext } from "./shell_caller.ts";
import { withApp } from "./with_app.ts";

/** `skillz call TOOL [JSON]`: prints the tool's text (other blocks as JSON); exit code 1 when the tool failed. */
export async function callFromShell(
  { tool, json }: { tool: string; json: string | undefined },
  config: Config,
): Promise<number> {
  const args = parseArguments(json);
  return await withApp(config, async (app, signal) => {
    const result = await app.callTool(tool, args, shellContext(signal));
    for (const block of result.content) {
      await writeOutput(`${block.type === "text" ? String(block.text) : JSON.stringify(block)}\n`);
    }
    return result.isError ? 1 : 0;
  });
}

function parseArguments(json: string | undefined): JsonObject {
  if (json === undefined) return {};
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (cause) {
    throw new SkillzError("invalid_input", "Cannot call the tool: the arguments are not valid JSON", {
      cause,
    });
  }
  if (isJsonObject(value)) return value;
  throw new SkillzError(
    "invalid_input",
    `Cannot call the tool: the arguments are ${jsonTypeOf(value)}, an object is wanted`,
  );
}
