import { basename } from "node:path";
import { createLogger } from "../base/stderr_logger.ts";
import type { Config } from "../config/config.ts";
import { composePrograms } from "./compose_programs.ts";
import { checkFolder, type Finding } from "../tools/check_folder.ts";
import { createValidator } from "../tools/validator.ts";
import { onTermination } from "../transport/termination.ts";
import { checkScript } from "./check/check_script.ts";
import { checkSkillFile } from "./check/check_skill_file.ts";
import { checkWithApp, type SoundTool } from "./check/check_with_app.ts";
import { findFolders } from "./check/find_folders.ts";
import { writeOutput } from "./output.ts";
import { RESERVED_NAMES } from "./reserved_names.ts";
import { shellContext } from "./shell_caller.ts";

/** What `skillz check-tools` is asked for. */
export interface CheckToolsInput {
  /** Tools' folders, or folders that hold them; TOOLS_DIR when none is named. */
  readonly folders: readonly string[];
  /** Answer as JSON. */
  readonly json: boolean;
  /** Run the examples too. */
  readonly run: boolean;
}

/** What was found about one folder. */
interface Report {
  readonly path: string;
  readonly findings: Finding[];
}

/**
 * `skillz check-tools`: validates folders of tools and prints what it found. Returns 0 when no tool has an error, else
 * 1; warnings are told only.
 */
export async function checkTools(input: CheckToolsInput, config: Config): Promise<number> {
  const abort = new AbortController();
  const stop = onTermination(() => abort.abort());
  try {
    const reports = await check(input, config, abort.signal);
    const errors = count(reports, "error");
    await writeOutput(input.json ? asJson(reports) : asText(reports));
    return errors > 0 ? 1 : 0;
  } finally {
    stop();
  }
}

async function check(input: CheckToolsInput, config: Config, signal: AbortSignal): Promise<Report[]> {
  const { checked, beside } = await findFolders(await givenFolders(input, config), {
    mayBeEmpty: input.folders.length === 0,
  });
  const options = { validator: createValidator(), reservedNames: RESERVED_NAMES };
  const scripts = {
    programs: composePrograms(config),
    safeEnvironment: config.safeEnvironment,
    signal,
  };
  const sound: SoundTool[] = [];
  const reports: Report[] = [];
  for (const path of checked) {
    signal.throwIfAborted();
    const { findings, manifest } = await checkFolder(path, options);
    const all = [...findings, ...await checkSkillFile(path)];
    if (manifest) all.push(...await checkScript({ path, manifest }, scripts));
    if (manifest && !all.some(({ level }) => level === "error")) sound.push({ path, manifest });
    reports.push({ path, findings: all });
  }
  const needsApp = sound.some(({ manifest }) =>
    manifest.tool_type === "pipeline" || (input.run && manifest.examples.length > 0)
  );
  if (needsApp) {
    const known = await Promise.all(
      beside.map(async (path) => ({ path, ...await checkFolder(path, options) })),
    );
    const others = known.flatMap(({ path, manifest }) => manifest ? [{ path, manifest }] : []);
    const logger = createLogger({ level: "error", secrets: Object.values(config.secrets) });
    const more = await checkWithApp({ tools: sound, beside: others, run: input.run }, {
      config,
      logger,
      ctx: shellContext(signal),
    });
    await logger.flush();
    for (const report of reports) {
      report.findings.push(...more.filter(({ folder }) => folder === basename(report.path)));
    }
  }
  return reports;
}

/** The folders that were named, else TOOLS_DIR, which need not be there before the first tool is made. */
async function givenFolders({ folders }: CheckToolsInput, { toolsDir }: Config): Promise<readonly string[]> {
  if (folders.length > 0) return folders;
  return await Deno.stat(toolsDir).then(() => [toolsDir], () => []);
}

function count(reports: readonly Report[], level: Finding["level"]): number {
  return reports.flatMap(({ findings }) => findings).filter((finding) => finding.level === level).length;
}

function asJson(reports: readonly Report[]): string {
  const errors = count(reports, "error");
  const folders = reports.map(({ path, findings }) => ({
    folder: basename(path),
    path,
    findings: findings.map(({ level, field, message }) => ({
      level,
      ...(field === undefined ? {} : { field }),
      message,
    })),
  }));
  return `${
    JSON.stringify({ ok: errors === 0, errors, warnings: count(reports, "warning"), folders }, null, 2)
  }\n`;
}

function asText(reports: readonly Report[]): string {
  const lines = reports.flatMap(({ findings }) =>
    findings.map(({ folder, level, field, message }) =>
      `${folder}: ${level}: ${field === undefined ? "" : `${field}: `}${message.replaceAll("\n", " ")}`
    )
  );
  const number = (amount: number, what: string) => `${amount} ${what}${amount === 1 ? "" : "s"}`;
  const summary = [
    number(reports.length, "folder"),
    number(count(reports, "error"), "error"),
    number(count(reports, "warning"), "warning"),
  ];
  return `${[...lines, summary.join(", ")].join("\n")}\n`;
}
