import { type JsonObject, toJsonObject } from "../../base/json.ts";
import type { Tool } from "../../tools/tool.ts";
import type { BuiltinTable } from "../builtin_table.ts";
import type { TemplateListing } from "../ports.ts";
import { type ResourceProvider, skillzSegments, unknownResource } from "./resource_provider.ts";
import { sourceFileOf } from "./source_file.ts";
import { readToolFile } from "./tool_file.ts";

/** What the resources about tools show. */
export interface ToolResourcesDeps {
  readonly builtins: BuiltinTable;
  /** The tools that users made. */
  readonly made: { get(name: string): Tool | undefined; list(): readonly Tool[] };
  /** Whether manifests leave `permissions` out what applies then, in words. */
  readonly defaultPermissions: string;
}

const TOOL = "skillz://tools/{name}";
const SOURCE = "skillz://tools/{name}/source";
const FILES = "skillz://tools/{name}/files/{+path}";

const TEMPLATES: readonly TemplateListing[] = [
  {
    uriTemplate: TOOL,
    name: "tool",
    description: "A tool: schema, version, permissions, annotations, how to call it",
    mimeType: "application/json",
  },
  { uriTemplate: SOURCE, name: "tool-source", description: "The source text of a made tool" },
  { uriTemplate: FILES, name: "tool-file", description: "A file of a made tool's folder" },
];

/** `skillz://tools/{name}` and what lies below: description, source, files of every tool. */
export function createToolResources(deps: ToolResourcesDeps): ResourceProvider {
  return {
    list: () => [],
    templates: () => TEMPLATES,
    async read(uri) {
      const segments = skillzSegments(uri, "tools");
      if (!segments) return undefined;
      const [name = "", part, ...path] = segments;
      const tool = deps.made.get(name);
      if (part === undefined) {
        return [{
          uri,
          mimeType: "application/json",
          text: JSON.stringify(describe(name, uri, deps), null, 2),
        }];
      }
      if (!tool) throw unknownResource(uri, `there is no made tool "${name}"`);
      if (part === "source" && path.length === 0) {
        return [await readToolFile(tool, sourceFile(tool, uri), { uri })];
      }
      if (part === "files" && path.length > 0) return [await readToolFile(tool, path.join("/"), { uri })];
      throw unknownResource(uri);
    },
    complete(uriTemplate, argument) {
      if (![TOOL, SOURCE, FILES].includes(uriTemplate)) return Promise.resolve(undefined);
      if (argument.name !== "name") return Promise.resolve([]);
      const made = deps.made.list().map((tool) => tool.name);
      return Promise.resolve(uriTemplate === TOOL ? [...deps.builtins.names(), ...made] : made);
    },
    affected(event) {
      if (event.kind !== "tool") return [];
      const base = `skillz://tools/${encodeURIComponent(event.name)}`;
      return [base, `${base}/source`];
    },
  };
}

function sourceFile(tool: Tool, uri: string): string {
  const file = sourceFileOf(tool);
  if (file === undefined) throw unknownResource(uri, `"${tool.name}" has no source file`);
  return file;
}

function describe(
  name: string,
  uri: string,
  { builtins, made, defaultPermissions }: ToolResourcesDeps,
): JsonObject {
  const listing = builtins.listing(name);
  if (listing) return { ...listing, annotations: { ...listing.annotations }, type: "built-in", call: name };
  const tool = made.get(name);
  if (!tool) throw unknownResource(uri, `there is no tool "${name}"`);
  const { manifest } = tool;
  return {
    name,
    type: manifest.tool_type,
    version: manifest.version,
    description: manifest.description,
    input_schema: manifest.input_schema,
    ...(manifest.output_schema ? { output_schema: manifest.output_schema } : {}),
    annotations: { ...manifest.annotations },
    permissions: manifest.permissions ? JSON.parse(JSON.stringify(manifest.permissions)) : defaultPermissions,
    limits: { ...manifest.limits },
    ...(manifest.interpreter === undefined ? {} : { interpreter: manifest.interpreter }),
    dependencies: [...manifest.dependencies, ...manifest.wasm_dependencies],
    requires_services: manifest.requires_services,
    examples: manifest.examples.map((example) => toJsonObject(example)),
    hash: tool.hash,
    call: {
      tool: "call_tool",
      arguments: { tool_name: name, arguments: manifest.examples[0]?.arguments ?? {} },
    },
  };
}
