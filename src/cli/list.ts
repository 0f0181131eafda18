import { resultText } from "../base/tool_result.ts";
import type { Config } from "../config/config.ts";
import { writeOutput } from "./output.ts";
import { shellContext } from "./shell_caller.ts";
import { withApp } from "./with_app.ts";

/** `skillz list`: what the tool `list_tools` answers. */
export async function listFromShell(config: Config): Promise<number> {
  return await withApp(config, async (app, signal) => {
    await writeOutput(`${resultText(await app.callTool("list_tools", {}, shellContext(signal)))}\n`);
    return 0;
  });
}
