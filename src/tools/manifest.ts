import { SkillzError } from "../base/errors.ts";
import { isJsonObject, type JsonObject, jsonTypeOf, type JsonValue } from "../base/json.ts";
import { resolveLimits } from "../sandbox/limits.ts";
import { isIsoDate } from "./_calendar.ts";
import { ruleFaults } from "./_manifest_rules.ts";
import { issueTexts } from "./issue_text.ts";
import { manifestSchema } from "./manifest_schema.ts";
import { nameFault } from "./names.ts";
import { normaliseInputSchema, normaliseOutputSchema } from "./schema.ts";
import type { Manifest } from "./tool.ts";
import { unkeptFields } from "./unkept_fields.ts";
import { isVersion } from "./version_number.ts";

/** Options of {@linkcode parseManifest}. */
export interface ParseManifestOptions {
  /** Name of the folder it lies in, which must be the tool's name. */
  folder?: string;
  /**
   * Whether it may hold what the older edition wrote and nobody can mend before the tool runs: days that no calendar
   * has, schemas of no object, an empty description, versions of other forms. Such a field counts as absent.
   * @default false
   */
  lenient?: boolean;
}

/**
 * Checks what a manifest.json holds and fills in every default. Unknown fields go to `extra`.
 *
 * @throws `SkillzError("invalid_input")` that names each faulty field.
 */
export function parseManifest(json: unknown, options: ParseManifestOptions = {}): Manifest {
  if (!isJsonObject(json)) throw invalid(undefined, [`manifest: is ${jsonTypeOf(json)}, must be an object`]);
  const given = withoutNulls(options.lenient ? mendOldFile(json, options.folder) : json);
  const faults: string[] = [];
  const name = given.name;
  if (name !== undefined) {
    const fault = nameFault(name);
    if (fault !== undefined) faults.push(`name: ${fault}`);
    else if (options.folder !== undefined && name !== options.folder) {
      faults.push(`name: is "${name}", must be "${options.folder}" like its folder`);
    }
  }
  if (!options.lenient && typeof given.description === "string" && !given.description.trim()) {
    faults.push("description: is empty, models choose tools by it");
  }
  const input = normaliseInputSchema(given.input_schema);
  const output = normaliseOutputSchema(given.output_schema);
  if (input.fault !== undefined && !options.lenient) faults.push(`input_schema: ${input.fault}`);
  if (output.fault !== undefined && !options.lenient) faults.push(`output_schema: ${output.fault}`);
  const { input_schema: _input, output_schema: _output, ...rest } = given;
  const parsed = manifestSchema.safeParse(rest);
  if (!parsed.success) faults.push(...issueTexts(parsed.error.issues, { value: rest, root: "manifest" }));
  if (!parsed.success || faults.length) throw invalid(name, faults);
  const manifest = assemble(parsed.data as JsonObject, {
    input: (input.fault === undefined ? input.schema : undefined) ?? { type: "object", properties: {} },
    output: output.fault === undefined ? output.schema : undefined,
  });
  const broken = [...ruleFaults(manifest), ...(options.lenient ? [] : unkeptFields(manifest))];
  if (broken.length) throw invalid(name, broken);
  return manifest;
}

/** The fields of manifest.json: those that say more than the defaults, then the unknown ones as they were. */
export function writeManifest(manifest: Manifest): JsonObject {
  const { extra, limits, ...fields } = manifest;
  const json: JsonObject = {};
  const order = [...Object.keys(manifestSchema.shape).filter((key) => key !== "limits"), "limits"];
  const defaults = resolveLimits({ timeout_ms: limits.timeout_ms });
  const table: JsonObject = { ...fields as unknown as JsonObject };
  const given = Object.entries(limits).filter(([key, value]) =>
    value !== (key === "timeout_ms" ? resolveLimits().timeout_ms : defaults[key as keyof typeof defaults])
  );
  if (given.length) table.limits = Object.fromEntries(given);
  for (const key of order) {
    const value = table[key];
    if (value !== undefined && (ALWAYS.has(key) || !isDefault(key, value))) json[key] = value;
  }
  return { ...json, ...extra };
}

/** Written also where they are the default, because people look for them. */
const ALWAYS = new Set(["name", "description", "version", "tool_type", "input_schema"]);

const DEFAULTS: JsonObject = {
  core: false,
  disabled: false,
  lifecycle: "fresh",
  concurrency: 1,
  task: "none",
};
/** Lists whose absence means something else than being empty. */
const EMPTY_COUNTS = new Set(["env"]);

function isDefault(key: string, value: JsonValue): boolean {
  return Array.isArray(value) ? value.length === 0 && !EMPTY_COUNTS.has(key) : DEFAULTS[key] === value;
}

function assemble(
  parsed: JsonObject,
  schemas: { input: JsonObject; output: JsonObject | undefined },
): Manifest {
  const known: JsonObject = {};
  const extra: JsonObject = {};
  for (const [key, value] of Object.entries(parsed)) {
    (Object.hasOwn(manifestSchema.shape, key) ? known : extra)[key] = value;
  }
  return {
    ...known as unknown as Manifest,
    limits: resolveLimits(isJsonObject(known.limits) ? known.limits as Partial<Manifest["limits"]> : {}),
    input_schema: schemas.input,
    ...(schemas.output ? { output_schema: schemas.output } : {}),
    extra,
  };
}

/** Programs write null for a field that they leave out; in one that we don't know it may mean something. */
function withoutNulls(json: JsonObject): JsonObject {
  const kept = Object.entries(json).filter(([key, value]) =>
    value !== undefined && key !== "__proto__" &&
    (value !== null || !Object.hasOwn(manifestSchema.shape, key))
  );
  return Object.fromEntries(kept);
}

function mendOldFile(json: JsonObject, folder: string | undefined): JsonObject {
  const mended = { ...json };
  for (const key of ["created_at", "updated_at"]) {
    const value = mended[key];
    if (typeof value === "string" && !isIsoDate(value)) delete mended[key];
  }
  if (typeof mended.version === "string" && !isVersion(mended.version)) {
    const [, major = "1", minor = "0", patch = "0"] =
      /^v?(\d+)(?:\.(\d+))?(?:\.(\d+))?/.exec(mended.version) ?? [];
    mended.version = [major, minor, patch].map(Number).join(".");
  }
  const { description: told = "" } = mended;
  // Clients and models want one; a made-up one says that it is.
  if (told === null || (typeof told === "string" && told.trim() === "")) {
    mended.description = `The tool ${mended.name ?? folder ?? ""}; nobody has described it yet`;
  }
  return mended;
}

function invalid(name: unknown, faults: readonly string[]): SkillzError {
  const what = typeof name === "string" && nameFault(name) === undefined ? `tool "${name}"` : "the manifest";
  return new SkillzError("invalid_input", `Cannot use ${what}: ${faults.join("; ")}`, {
    data: { faults: [...faults] },
  });
}
