import { isSpecType, UriTemplate } from "@modelcontextprotocol/server";
import { SkillzError } from "../../base/errors.ts";
import { isJsonObject, type JsonObject } from "../../base/json.ts";
import { resultText, type ToolResult } from "../../base/tool_result.ts";
import type { CallContext } from "../../run/call_context.ts";
import type { ToolRequest } from "../../run/runner.ts";
import type { Tool, ToolResource } from "../../tools/tool.ts";
import type { ResourceContents } from "../ports.ts";
import type { ResourceProvider } from "./resource_provider.ts";
import { readToolFile } from "./tool_file.ts";

/** What resources of made tools need. */
export interface MadeResourcesDeps {
  /** Made tools, whose manifests offer resources. */
  tools(): readonly Tool[];
  /** Puts a request to a tool's script, with all checks. */
  runRequest(tool: Tool, request: ToolRequest, ctx: CallContext): Promise<ToolResult>;
}

interface Offer {
  readonly tool: Tool;
  readonly resource: ToolResource;
}

/** Resources and templates that manifests offer, read from a file of the tool's folder or through its script. */
export function createMadeResources(deps: MadeResourcesDeps): ResourceProvider {
  const offers = (field: "resources" | "resource_templates"): Offer[] =>
    deps.tools().filter((tool) => !tool.manifest.disabled)
      .flatMap((tool) => tool.manifest[field].map((resource) => ({ tool, resource })));
  return {
    list: () => offers("resources").map(({ resource }) => ({ uri: resource.uri ?? "", ...facts(resource) })),
    templates: () =>
      offers("resource_templates").map(({ resource }) => ({
        uriTemplate: resource.uri_template ?? "",
        ...facts(resource),
      })),
    async read(uri, ctx) {
      const fixed = offers("resources").find(({ resource }) => resource.uri === uri);
      if (fixed) return await readOffer(fixed, { uri, variables: {} }, { deps, ctx });
      for (const offer of offers("resource_templates")) {
        const variables = new UriTemplate(offer.resource.uri_template ?? "").match(uri);
        if (variables) return await readOffer(offer, { uri, variables: { ...variables } }, { deps, ctx });
      }
      return undefined;
    },
    affected: (event) => {
      if (event.kind !== "tool") return [];
      return offers("resources").filter(({ tool }) => tool.name === event.name).map(({ resource }) =>
        resource.uri ?? ""
      );
    },
  };
}

function facts(
  resource: ToolResource,
): { name: string; title?: string; description?: string; mimeType?: string } {
  return {
    name: resource.name,
    ...(resource.title === undefined ? {} : { title: resource.title }),
    ...(resource.description === undefined ? {} : { description: resource.description }),
    ...(resource.mime_type === undefined ? {} : { mimeType: resource.mime_type }),
  };
}

interface Reading {
  deps: MadeResourcesDeps;
  ctx: CallContext;
}

async function readOffer(
  { tool, resource }: Offer,
  target: { uri: string; variables: JsonObject },
  { deps, ctx }: Reading,
): Promise<ResourceContents[]> {
  const mime = resource.mime_type;
  if (resource.file !== undefined) {
    return [
      await readToolFile(tool, resource.file, {
        uri: target.uri,
        ...(mime === undefined ? {} : { mimeType: mime }),
      }),
    ];
  }
  const result = await deps.runRequest(tool, { kind: "resource", ...target }, ctx);
  if (result.isError) {
    throw new SkillzError(
      "failed",
      `Cannot read ${JSON.stringify(target.uri)}: ${tool.name} failed: ${resultText(result)}`,
    );
  }
  const contents = contentsOf(result, { uri: target.uri, mimeType: mime });
  if (contents && isSpecType.ReadResourceResult({ contents })) return contents;
  throw new SkillzError(
    "failed",
    `Cannot read ${
      JSON.stringify(target.uri)
    }: ${tool.name} answered odd contents, each must have text or base64 in blob`,
  );
}

/**
 * Scripts may answer with MCP's `contents`, one `{text}` or `{blob}`, a plain text, or any JSON value; undefined when
 * contents hold nothing.
 */
function contentsOf(
  result: ToolResult,
  base: { uri: string; mimeType: string | undefined },
): ResourceContents[] | undefined {
  const data = result.structuredContent;
  const parts = data && Array.isArray(data.contents)
    ? data.contents
    : data && isPart(data)
    ? [data]
    : undefined;
  if (!parts) return [withMime({ uri: base.uri, text: resultText(result) }, base.mimeType)];
  const objects = parts.filter(isJsonObject);
  if (objects.some(({ text, blob }) => text === undefined && typeof blob !== "string")) return undefined;
  return objects.map((part) => {
    const own = typeof part.mimeType === "string" ? part.mimeType : base.mimeType;
    const uri = typeof part.uri === "string" ? part.uri : base.uri;
    return withMime({ uri, ...body(part) }, own);
  });
}

function isPart(data: JsonObject): boolean {
  return typeof data.text === "string" || typeof data.blob === "string";
}

/** Text that is no string is data. */
function body({ blob, text }: JsonObject): { blob: string } | { text: string } {
  if (typeof blob === "string") return { blob };
  return { text: typeof text === "string" ? text : JSON.stringify(text ?? null) };
}

function withMime(contents: ResourceContents, mimeType: string | undefined): ResourceContents {
  return mimeType === undefined ? contents : { ...contents, mimeType };
}
