import { basename, join } from "node:path";
import { SkillzError } from "../base/errors.ts";
import { isJsonObject, type JsonObject } from "../base/json.ts";
import { STORE_FOLDERS } from "./_layout.ts";
import { isFolder, reasonOf } from "./_scan_folder.ts";
import { skillManifest } from "./_skill_manifest.ts";
import { loadFolder } from "./load_folder.ts";
import { RESERVED_FOLDER } from "./names.ts";
import type { Manifest, ToolResource } from "./tool.ts";
import { createValidator, type Validator } from "./validator.ts";

/** Something that `check-tools` tells about a folder. */
export interface Finding {
  /** Name of the folder. */
  readonly folder: string;
  /** `error` keeps the tool from working as it says, `warning` does not. */
  readonly level: "error" | "warning";
  /** What is wrong, in one line. */
  readonly message: string;
  /** The field of the manifest, e.g. `limits.timeout_ms`. */
  readonly field?: string;
}

/** What a check of one folder found. */
export interface FolderCheck {
  readonly findings: readonly Finding[];
  /** The manifest, when it could be read; further checks (scripts, pipelines, examples) go on from it. */
  readonly manifest?: Manifest;
}

/** Options of {@linkcode checkFolder}. */
export interface CheckFolderOptions {
  /** Shared, so that schemas are compiled once; its own when absent. */
  validator?: Validator;
  /**
   * Names that no tool may have, beside those of what TOOLS_DIR holds otherwise.
   * @default none
   */
  reservedNames?: ReadonlySet<string>;
}

/** Checks one tool's folder without running anything of it: stricter than loading, because it may still be mended. */
export async function checkFolder(path: string, options: CheckFolderOptions = {}): Promise<FolderCheck> {
  const { validator = createValidator(), reservedNames } = options;
  const folder = basename(path);
  const finding = (level: Finding["level"], message: string, field?: string): Finding => ({
    folder,
    level,
    message,
    ...(field === undefined ? {} : { field }),
  });
  let manifest: Manifest;
  try {
    const { tool } = await loadFolder(path, { name: folder, lenient: false });
    if (!tool) return { findings: [] };
    manifest = tool.manifest;
  } catch (error) {
    return { findings: faultsOf(error).map(({ field, message }) => finding("error", message, field)) };
  }
  const findings: Finding[] = [];
  if (STORE_FOLDERS.has(folder) || reservedNames?.has(folder)) {
    findings.push(finding("error", RESERVED_FOLDER, "name"));
  }
  for (const field of ["input_schema", "output_schema"] as const) {
    const schema = manifest[field];
    if (!schema) continue;
    await validator.compile(schema).catch((error) => findings.push(finding("error", reasonOf(error), field)));
  }
  if (!findings.length) {
    for (const [index, example] of manifest.examples.entries()) {
      // An example of a failure may show just that wrong arguments are refused.
      if (example.expect?.error !== undefined) continue;
      for (const problem of await validator.problems(manifest.input_schema, example.arguments)) {
        findings.push(finding("error", problem, `examples[${index}].arguments`));
      }
    }
  }
  for (const field of ["resources", "resource_templates"] as const) {
    for (const [index, resource] of manifest[field].entries()) {
      if (await isMissing(path, resource)) {
        findings.push(finding("error", `"${resource.file}" is not in the folder`, `${field}[${index}].file`));
      }
    }
  }
  const given = await givenFields(path, folder);
  for (const [field, message] of Object.entries(advice(manifest, given))) {
    findings.push(finding("warning", message, field));
  }
  return { findings, manifest };
}

/** Each fault of an error with the field that its text begins with. */
function faultsOf(error: unknown): { field?: string; message: string }[] {
  const faults = error instanceof SkillzError ? error.data?.faults : undefined;
  if (!Array.isArray(faults)) return [{ message: reasonOf(error) }];
  return faults.map((fault) => {
    const [, field, message] = /^([\w.[\]]+): (.*)$/s.exec(String(fault)) ?? [];
    return field !== undefined && message !== undefined && field !== "manifest"
      ? { field, message }
      : { message: String(fault) };
  });
}

async function isMissing(path: string, { file }: ToolResource): Promise<boolean> {
  if (file === undefined) return false;
  return !(await Deno.stat(join(path, file)).then((info) => info.isFile, () => false));
}

/** Things that work, but not as well as they could. */
function advice(manifest: Manifest, given: JsonObject): Record<string, string> {
  const told: Record<string, string> = {};
  if (given.tool_type === undefined) told.tool_type = `is missing, read as ${manifest.tool_type}`;
  if (
    given.input_schema === undefined && manifest.tool_type !== "knowledge" && manifest.tool_type !== "mcp"
  ) {
    told.input_schema = "is missing: models can't know the arguments, and nothing checks them";
  }
  if (manifest.tool_type === "script" && given.permissions === undefined) {
    told.permissions = "is missing, so the default profile applies; {} grants nothing";
  }
  const unknown = Object.keys(manifest.extra).filter((key) => !key.startsWith("$") && !key.startsWith("x-"));
  for (const key of unknown) told[key] = "is no field of a manifest; it is kept and means nothing";
  return told;
}

async function givenFields(path: string, folder: string): Promise<JsonObject> {
  if (!(await isFolder(path))) return {};
  const text = await Deno.readTextFile(join(path, "manifest.json")).catch(() => undefined);
  if (text !== undefined) {
    const json: unknown = JSON.parse(text.replace(/^\uFEFF/, ""));
    return isJsonObject(json) ? json : {};
  }
  return await skillManifest(await Deno.readTextFile(join(path, "SKILL.md")), folder) ?? {};
}
