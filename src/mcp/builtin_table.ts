import { z } from "zod";
import { isJsonObject, type JsonObject } from "../base/json.ts";
import { SkillzError } from "../base/errors.ts";
import type { ToolResult } from "../base/tool_result.ts";
import type { CallContext } from "../run/call_context.ts";
import { issueTexts } from "../tools/issue_text.ts";
import { confirmNestedChange, type Rights } from "./nested_change.ts";
import type { Builtin, BuiltinListing } from "./builtin.ts";

/** All built-in tools: how they are listed, and how they are called. */
export interface BuiltinTable {
  /** Whether a tool of that name is built in. */
  has(name: string): boolean;
  /** Names in stable order. */
  names(): readonly string[];
  /** The tool itself. */
  get(name: string): Builtin | undefined;
  /** As clients see it; made on first use. */
  listing(name: string): BuiltinListing | undefined;
  /** Checks the arguments and runs the tool. Throws `SkillzError`. */
  call(name: string, args: JsonObject, ctx: CallContext): Promise<ToolResult>;
}

/** Options of {@linkcode createBuiltinTable}. */
export interface BuiltinTableOptions {
  /**
   * `permissions` of a made tool's manifest, for tools that make tools.
   * @default nothing granted
   */
  rightsOf?: (name: string) => Rights;
}

/** A table over the given tools, in their order. */
export function createBuiltinTable(
  tools: readonly Builtin[],
  { rightsOf = () => ({}) }: BuiltinTableOptions = {},
): BuiltinTable {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const listings = new Map<string, BuiltinListing>();
  return {
    has: (name) => byName.has(name),
    names: () => [...byName.keys()],
    get: (name) => byName.get(name),
    listing(name) {
      const tool = byName.get(name);
      if (!tool) return undefined;
      const known = listings.get(name) ?? describe(tool);
      listings.set(name, known);
      return known;
    },
    async call(name, args, ctx) {
      const tool = byName.get(name);
      if (!tool) throw new SkillzError("not_found", `Cannot call "${name}": no built-in tool has that name`);
      const parsed = tool.input.safeParse(args);
      if (!parsed.success) throw badArguments(tool, args, parsed.error);
      await confirmNestedChange({ name, args, isBuiltin: (other) => byName.has(other), rightsOf }, ctx);
      return await tool.run(parsed.data, ctx);
    },
  };
}

function describe(tool: Builtin): BuiltinListing {
  return {
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema: publishedSchema(tool.input, "input"),
    ...(tool.output ? { outputSchema: publishedSchema(tool.output, "output") } : {}),
    annotations: tool.annotations,
  };
}

/** No sensible call comes near it, in characters. */
const LONG = 100_000;

// `$schema`, the bounds that zod adds to every integer, what allows anything, that names are strings, and bounds of lists
// and long texts that no sensible call comes near (they are checked all the same) only cost the model's tokens.
function publishedSchema(schema: z.ZodType, io: "input" | "output"): JsonObject {
  const full = z.toJSONSchema(schema, {
    io,
    unrepresentable: "any",
    override: ({ jsonSchema }) => {
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      delete jsonSchema.maxItems;
      if ((jsonSchema.maxLength ?? 0) > LONG) delete jsonSchema.maxLength;
      const { additionalProperties: more, propertyNames: names } = jsonSchema;
      if (isJsonObject(names) && names.type === "string" && Object.keys(names).length === 1) {
        delete jsonSchema.propertyNames;
      }
      if (isJsonObject(more) && Object.keys(more).length === 0) delete jsonSchema.additionalProperties;
    },
  });
  const published: unknown = JSON.parse(JSON.stringify({ ...full, $schema: undefined }));
  return isJsonObject(published) ? published : {};
}

function badArguments(tool: Builtin, args: JsonObject, error: z.ZodError): SkillzError {
  const known = tool.input instanceof z.ZodObject ? Object.keys(tool.input.shape) : [];
  const faults = issueTexts(error.issues, { value: args, root: "arguments", known });
  return new SkillzError("invalid_input", `Cannot call ${tool.name}: ${faults.join("; ")}`, {
    hint: `list_tools {"query": "${tool.name}", "detail": "full"} shows every argument`,
  });
}
