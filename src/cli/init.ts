import { join } from "node:path";
import { SkillzError } from "../base/errors.ts";
import { resultText } from "../base/tool_result.ts";
import type { Config } from "../config/config.ts";
import { GUIDE_EXAMPLES } from "../guide/examples.ts";
import { writeError, writeOutput } from "./output.ts";
import { ownCommandLine, shellWord } from "./own_command.ts";
import { shellContext } from "./shell_caller.ts";
import { withApp } from "./with_app.ts";

/** `skillz init TEMPLATE NAME`: makes a tool from one of the guide's examples, to be edited in its folder. */
export async function initTool(
  { template, name }: { template: string; name: string },
  config: Config,
): Promise<number> {
  const example = GUIDE_EXAMPLES.find((one) => one.language === template);
  if (!example) {
    const known = GUIDE_EXAMPLES.map((one) => one.language).join(", ");
    throw new SkillzError(
      "invalid_input",
      `Cannot start a tool from "${template}": there is no such template, known are ${known}`,
    );
  }
  return await withApp(config, async (app, signal) => {
    if (app.store.get(name)) {
      throw new SkillzError(
        "conflict",
        `Cannot start "${name}": there is a tool of that name, choose another one`,
      );
    }
    const args = { ...example.arguments, name };
    const result = await app.callTool(example.with, args, shellContext(signal));
    if (result.isError) {
      await writeError(`skillz: ${resultText(result)}\n`);
      return 1;
    }
    const folder = join(config.toolsDir, name);
    await writeOutput(
      `Made ${folder}\nEdit it, then: ${ownCommandLine()} check-tools ${shellWord(folder)}\n`,
    );
    return 0;
  });
}
