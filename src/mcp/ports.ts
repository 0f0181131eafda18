import type { ChangeEvent } from "../base/bus.ts";
import type { JsonObject } from "../base/json.ts";
import type { CallContext } from "../run/call_context.ts";
import type { CallTool } from "../run/runner.ts";
import type { Icon, ToolAnnotations } from "../tools/tool.ts";

/** A tool as clients see it in `tools/list`. */
export interface ToolListing {
  /** Identifies it in calls. */
  name: string;
  /** Shown to people instead of the name. */
  title?: string;
  /** Tells models what it does; never empty. */
  description: string;
  /** JSON Schema of its arguments, root `type: object`. */
  inputSchema: JsonObject;
  /** JSON Schema of its `structuredContent`. */
  outputSchema?: JsonObject;
  annotations?: ToolAnnotations;
  icons?: Icon[];
  /** Facts of ours that are not in the protocol. */
  _meta?: JsonObject;
}

/** What must be known of a tool before it is called. */
export interface ToolFacts {
  /** JSON Schema of its arguments. */
  readonly inputSchema: JsonObject;
  /** JSON Schema of its `structuredContent`. */
  readonly outputSchema?: JsonObject;
  /** Whether it may or must run as a task. */
  readonly task: "none" | "optional" | "required";
  /** Whether running it a second time does no harm: it is read-only or idempotent. */
  readonly repeatable: boolean;
}

/** All tools, built in or made, as sessions see and call them. Implemented by the composition root. */
export interface ToolsPort {
  /** The tools that are listed while these skills are active, in stable order. */
  list(active: ReadonlySet<string>): readonly ToolListing[];
  /** Facts about any tool, listed or not; `undefined` when there is none of that name. */
  facts(name: string): ToolFacts | undefined;
  /** What of a result's data breaks the output schema of a tool; nothing where there is none. */
  outputFaults(name: string, data: JsonObject): Promise<readonly string[]>;
  readonly call: CallTool;
}

/** A prompt as clients see it. */
export interface PromptListing {
  /** Identifies it in `prompts/get`. */
  name: string;
  /** Shown to people instead of the name. */
  title?: string;
  /** What the prompt is for. */
  description: string;
  /** What may, and must, be filled in. */
  arguments?: { name: string; title?: string; description?: string; required?: boolean }[];
  icons?: Icon[];
}

/** What a prompt gives: `messages` and perhaps a `description`, as in MCP. */
export type PromptAnswer = JsonObject;

/** Prompts of the server, of knowledge skills, and of tools. */
export interface PromptsPort {
  /** In stable order. */
  list(): readonly PromptListing[];
  /** Throws `SkillzError("not_found")` or, for missing arguments, `SkillzError("invalid_input")`. */
  get(name: string, args: Readonly<Record<string, string>>, ctx: CallContext): Promise<PromptAnswer>;
  /** Values for an argument that start with what is there. */
  complete(name: string, argument: CompletionArgument): Promise<readonly string[]>;
}

/** What is being typed, and what was typed before. */
export interface CompletionArgument {
  /** Which argument of the prompt or template is typed. */
  readonly name: string;
  /** What has been typed so far. */
  readonly value: string;
  /** Arguments that have a value already. */
  readonly others: Readonly<Record<string, string>>;
}

/** A resource as clients see it. */
export interface ResourceListing {
  /** Address to read it by. */
  uri: string;
  /** Identifies it among its siblings. */
  name: string;
  /** Shown to people instead of the name. */
  title?: string;
  /** What it holds. */
  description?: string;
  /** Media type of what is read. */
  mimeType?: string;
  /** Bytes of its contents, where known beforehand. */
  size?: number;
  icons?: Icon[];
}

/** A resource template as clients see it. */
export interface TemplateListing {
  /** RFC 6570 template of the addresses. */
  uriTemplate: string;
  /** Identifies it among its siblings. */
  name: string;
  /** Shown to people instead of the name. */
  title?: string;
  /** What such resources hold. */
  description?: string;
  /** Media type that all of them have. */
  mimeType?: string;
  icons?: Icon[];
}

/** One part of a resource: `text` or base64 `blob`. */
export interface ResourceContents {
  /** Address that was read. */
  uri: string;
  /** Media type of the contents. */
  mimeType?: string;
  /** Contents that are text; else `blob`. */
  text?: string;
  /** Contents that are not text, in base64. */
  blob?: string;
}

/** Resources of the server, of skills, and of tools. */
export interface ResourcesPort {
  /** In stable order. */
  list(): readonly ResourceListing[];
  /** In stable order. */
  templates(): readonly TemplateListing[];
  /** Throws `SkillzError("not_found")` for an address that leads nowhere. */
  read(uri: string, ctx: CallContext): Promise<readonly ResourceContents[]>;
  /** Values for a variable of a template. */
  complete(uriTemplate: string, argument: CompletionArgument): Promise<readonly string[]>;
  /** Addresses whose contents an event changed. */
  affected(event: ChangeEvent): readonly string[];
}

/** A knowledge skill for the skills extension: its address and every file by relative path. */
export interface SkillFolder {
  /** One or more segments, e.g. `pdf-processing`; the address is `skill://<path>/SKILL.md`. */
  readonly path: string;
  /** Contents by path inside the folder. */
  readonly files: Readonly<Record<string, string | Uint8Array>>;
}

/** Knowledge skills for the skills extension. */
export interface SkillsPort {
  /** Paths in stable order. */
  paths(): readonly string[];
  /** The whole folder; `undefined` when there is none. */
  open(path: string): Promise<SkillFolder | undefined>;
}
