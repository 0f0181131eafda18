import { resultText } from "../base/tool_result.ts";
import type { JsonObject, JsonValue } from "../base/json.ts";
import type { Config } from "../config/config.ts";
import { writeOutput } from "./output.ts";
import { shellContext } from "./shell_caller.ts";
import { withApp } from "./with_app.ts";

/** `skillz list`: what the tool `list_tools` answers. */
export async function listFromShell(config: Config): Promise<number> {
  return await withApp(config, async (app, signal) => {
    let cursor: JsonValue | undefined;
    do {
      const args: JsonObject = cursor === undefined ? {} : { cursor };
      const page = await app.callTool("list_tools", args, shellContext(signal));
      cursor = page.structuredContent?.next_cursor;
      // Who reads this has no use for the cursor, and the next page comes at once.
      const text = resultText(page);
      await writeOutput(
        `${cursor === undefined ? text : text.replace(/^These are .*$\n?/m, "").trimEnd()}\n`,
      );
    } while (cursor !== undefined);
    return 0;
  });
}
