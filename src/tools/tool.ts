import type { JsonObject, JsonValue } from "../base/json.ts";
import type { Limits } from "../sandbox/limits.ts";
import type { Permissions } from "../sandbox/permissions.ts";

/** How a tool is run. */
export type ToolType = "script" | "wasm" | "pipeline" | "mcp" | "knowledge";

/** MCP's hints about what a tool does. */
export interface ToolAnnotations {
  /** Title for people. */
  title?: string;
  /** Changes nothing. */
  readOnlyHint?: boolean;
  /** May destroy. */
  destructiveHint?: boolean;
  /** Twice is as once. */
  idempotentHint?: boolean;
  /** Reaches the outside world. */
  openWorldHint?: boolean;
}

/** A call that shows how a tool is used, and what it must answer. */
export interface ToolExample {
  /** Short name. */
  name?: string;
  /** What it shows. */
  description?: string;
  /** Arguments of the call. */
  arguments: JsonObject;
  /** What the answer must hold: text (contained), structured (deep subset), error (contained in a failure's text). */
  expect?: { text?: string; structured?: JsonValue; error?: string };
}

/** A prompt that a tool's script answers. */
export interface ToolPrompt {
  /** Name, as clients see it. */
  name: string;
  /** Title for people. */
  title?: string;
  /** What it is for. */
  description: string;
  /** Its arguments. `values` feed completion. */
  arguments?: { name: string; description?: string; required?: boolean; values?: string[] }[];
}

/** A resource or resource template that a tool offers, read through its script or from `file` in its folder. */
export interface ToolResource {
  /** Fixed address; either this or `uri_template`. */
  uri?: string;
  /** RFC 6570 template. */
  uri_template?: string;
  /** Identifies it among the resources of the tool. */
  name: string;
  /** Title for people. */
  title?: string;
  /** What it holds. */
  description?: string;
  /** Its media type. */
  mime_type?: string;
  /** Path inside the tool's folder to read instead of asking the script. */
  file?: string;
}

/** An icon, as in MCP. */
export interface Icon {
  /** `https:` or `data:` address. */
  src: string;
  /** Media type. */
  mimeType?: string;
  /** Sizes such as `48x48`. */
  sizes?: string[];
}

/** A step of a pipeline, see `run/pipeline/`. */
export interface PipelineStep {
  /** Name for references. */
  name?: string;
  /** Tool to call; absent when `parallel` is given. */
  tool?: string;
  /** Arguments, with references. */
  args?: JsonValue;
  /** Run only if this holds. */
  condition?: string;
  /** Go on after a failure. */
  continue_on_error?: boolean;
  /** Repeat on failure. */
  retry?: { max: number; delay_ms?: number };
  /** Time for this step. */
  timeout_ms?: number;
  /** Reference to a list: the step runs once for each, as `$item`. */
  for_each?: string;
  /** Steps that run at once. */
  parallel?: PipelineStep[];
}

/**
 * A tool's manifest.json, validated and with every default filled in. Unknown fields are kept in `extra`.
 * Field names are those of the file. The zod schema is in `tools/manifest.ts`.
 */
export interface Manifest {
  /** Unique in the registry; also the folder's name. */
  name: string;
  /** Shown to people instead of the name. */
  title?: string;
  /** Tells models what it does and when to call it. */
  description: string;
  /** semver. */
  version: string;
  /** Which runner runs it. */
  tool_type: ToolType;
  /** Scripts: the file to run, a path inside the folder. */
  entry_file?: string;
  /** Scripts: the program that runs it, perhaps with arguments. */
  interpreter?: string;
  /** JSON Schema with root `type: object`. */
  input_schema: JsonObject;
  /** JSON Schema that `structuredContent` must meet. */
  output_schema?: JsonObject;
  /** Hints for clients; nothing is enforced by them. */
  annotations?: ToolAnnotations;
  /** Packages of pip, npm, or Deno, by the interpreter. */
  dependencies: string[];
  /** Crates that it was built with. */
  wasm_dependencies: string[];
  /** Absent when the manifest gives none: then the default profile of the policy applies. */
  permissions?: Permissions;
  /** Bounds of each run. */
  limits: Limits;
  /** Names of the secrets it gets; absent means all. */
  env?: string[];
  /** Services that must run before it is called. */
  requires_services: string[];
  /** Skills that are activated along with it. */
  requires_skills: string[];
  /** Listed at all times, without activation. */
  core: boolean;
  /** Words to filter by. */
  tags: string[];
  /** Calls that must work before a version is admitted. */
  examples: ToolExample[];
  /** A process for each call, or one that serves many. */
  lifecycle: "fresh" | "persistent";
  /** Calls that one persistent process serves at once. */
  concurrency: number;
  /** Prompts that the script answers. */
  prompts: ToolPrompt[];
  /** Resources that are read through the script or from its folder. */
  resources: ToolResource[];
  /** The same for families of addresses. */
  resource_templates: ToolResource[];
  /** Whether it may, or must, run as an MCP task. */
  task: "none" | "optional" | "required";
  /** Pictures for clients that show them. */
  icons?: Icon[];
  /** Pipeline: what is called, in order. */
  pipeline_steps?: PipelineStep[];
  /** Pipeline: which value is the result. */
  output?: JsonValue;
  /** Imported server: how it is started or reached. */
  mcp_server?: {
    command?: string;
    args?: string[];
    env?: Record<string, string>;
    url?: string;
    headers?: Record<string, string>;
  };
  /** Who wrote it. */
  author?: string;
  /** SPDX expression. */
  license?: string;
  /** Where its source is kept. */
  repository?: string;
  /** ISO date of the first version. */
  created_at?: string;
  /** ISO date of this version. */
  updated_at?: string;
  /** Loaded, but neither listed nor callable. */
  disabled: boolean;
  /** Fields that this edition does not know, written back unchanged. */
  extra: JsonObject;
}

/** A loaded tool: immutable; an update makes a new one, so a call under way ends with the one it began with. */
export interface Tool {
  /** Name, unique in the registry. */
  readonly name: string;
  /** What its manifest.json says, defaults filled in. */
  readonly manifest: Manifest;
  /**
   * Folder that holds the code of exactly this version, for as long as the tool exists: whatever is saved meanwhile, a
   * call that began with this object finds its code here. For what was saved through the store that is
   * `TOOLS_DIR/<name>/.versions/<version>`, also for the current version; for a folder made or edited by hand it is
   * `TOOLS_DIR/<name>` itself, until the next update keeps it as a version.
   */
  readonly directory: string;
  /** SHA-256 (hex) over manifest and code: changes whenever anything that matters to a run changes. */
  readonly hash: string;
}

/** A folder that could not be loaded. */
export interface BrokenTool {
  /** Folder name. */
  readonly folder: string;
  /** Why, in one line. */
  readonly reason: string;
}
