import { z } from "zod";
import type { JsonObject } from "../../base/json.ts";
import { nearest } from "../../base/nearest.ts";
import { okResult } from "../../base/tool_result.ts";
import type { BrokenTool, Tool, ToolType } from "../../tools/tool.ts";
import type { Builtin, BuiltinListing, BuiltinSkill } from "../builtin.ts";
import { paginate } from "../paginate.ts";
import { briefly } from "./briefly.ts";

/** What `list_tools` shows. */
export interface ListToolsDeps {
  /** Tools made by users, in stable order. */
  tools(): readonly Tool[];
  /** Folders that could not be loaded, with reasons. */
  broken(): readonly BrokenTool[];
  /** Built-in tools, in stable order. */
  builtins(): readonly { listing: BuiltinListing; skill: BuiltinSkill }[];
  /** Knowledge skills that are no tools, complete, and the SKILL.md that could not be loaded. */
  knowledge(): Promise<{ skills: readonly KnowledgeRow[]; broken: readonly BrokenTool[] }>;
  /** What keeps a tool that was loaded from working now, one line each. */
  problems(tool: Tool): readonly string[];
  /** Active skills of a session. */
  active(sessionId: string): ReadonlySet<string>;
}

/** What is shown of a knowledge skill. */
export interface KnowledgeRow {
  /** The argument of `activate_skill`. */
  readonly name: string;
  /** What it is for, and when. */
  readonly description: string;
  /** Words that group it with others. */
  readonly tags: readonly string[];
}

const TYPES = ["built-in", "script", "wasm", "pipeline", "mcp", "knowledge"] as const;

const input = z.strictObject({
  type: z.enum(TYPES).optional(),
  tag: z.string().optional(),
  skill: z.string().optional().describe("Only the tools of this skill"),
  query: z.string().optional().describe("Words in name, description or tags"),
  detail: z.enum(["brief", "full"]).default("brief").describe("full adds the schemas"),
  cursor: z.string().optional().describe("next_cursor of the page before"),
});

const output = z.looseObject({
  tools: z.array(z.looseObject({ name: z.string() })),
  broken: z.array(z.looseObject({})),
  total: z.int(),
  next_cursor: z.string().optional(),
});

/** Most characters of the data of one page: what a model reads without harm. A single tool may have more. */
const PAGE_CHARACTERS = 40_000;
/** Most broken folders that are named. */
const MOST_BROKEN = 50;

interface Row {
  name: string;
  type: "built-in" | ToolType;
  description: string;
  skill: string;
  listed: boolean;
  disabled?: boolean;
  tags: readonly string[];
  problems: readonly string[];
  details: JsonObject;
}

/** `list_tools`: every tool there is, visible or not, how to call it now, and what could not be loaded. */
export function createListToolsTool(deps: ListToolsDeps): Builtin<typeof input> {
  return {
    name: "list_tools",
    title: "List all tools",
    description: "Every tool there is, grouped by type, also hidden ones, with how to call each now.",
    skill: "always",
    input,
    output,
    annotations: { readOnlyHint: true, openWorldHint: false },
    async run(args, ctx) {
      const active = deps.active(ctx.caller.sessionId);
      const knowledge = await deps.knowledge();
      const every = [
        ...builtinRows(deps, active),
        ...userRows(deps, active),
        ...knowledge.skills.map(knowledgeRow),
      ];
      const rows = every.filter((row) => matches(row, args)).sort((a, b) =>
        TYPES.indexOf(a.type) - TYPES.indexOf(b.type)
      );
      const page = paginate(rows, {
        cursor: args.cursor,
        list: "tools",
        keyOf: ({ type, name }) => `${type} ${name}`,
        weight: {
          of: (row) => JSON.stringify(structuredRow(row, args.detail)).length,
          most: PAGE_CHARACTERS,
        },
      });
      const partly = args.type || args.tag || args.skill || args.query || args.cursor;
      const broken = partly ? [] : [...deps.broken(), ...knowledge.broken];
      const structured: JsonObject = {
        tools: page.items.map((row) => structuredRow(row, args.detail)),
        broken: broken.slice(0, MOST_BROKEN).map(({ folder, reason }) => ({ folder, reason })),
        total: rows.length,
        ...(page.nextCursor === undefined ? {} : { next_cursor: page.nextCursor }),
      };
      return okResult(
        renderText(rows, { ...page, broken, detail: args.detail, none: nothingFound(every, args) }),
        structured,
      );
    },
  };
}

function builtinRows(deps: ListToolsDeps, active: ReadonlySet<string>): Row[] {
  return deps.builtins().map(({ listing, skill }) => ({
    name: listing.name,
    type: "built-in",
    description: listing.description,
    skill,
    listed: skill === "always" || active.has(skill),
    tags: [],
    problems: [],
    details: {
      input_schema: listing.inputSchema,
      ...(listing.outputSchema ? { output_schema: listing.outputSchema } : {}),
    },
  }));
}

function userRows(deps: ListToolsDeps, active: ReadonlySet<string>): Row[] {
  return deps.tools().map((tool) => {
    const { name, manifest } = tool;
    return {
      name,
      type: manifest.tool_type,
      description: manifest.description,
      ...(manifest.disabled ? { disabled: true } : {}),
      skill: name,
      listed: !manifest.disabled && (manifest.core || active.has(name)),
      tags: manifest.tags,
      problems: deps.problems(tool),
      details: {
        version: manifest.version,
        input_schema: manifest.input_schema,
        ...(manifest.output_schema ? { output_schema: manifest.output_schema } : {}),
        ...(manifest.examples.length
          ? { examples: manifest.examples.map((e) => ({ arguments: e.arguments })) }
          : {}),
      },
    };
  });
}

function knowledgeRow({ name, description, tags }: KnowledgeRow): Row {
  return {
    name,
    type: "knowledge",
    description: description.replaceAll(/\s+/g, " "),
    skill: name,
    listed: false,
    tags,
    problems: [],
    details: {},
  };
}

function matches(row: Row, args: z.output<typeof input>): boolean {
  if (args.type && row.type !== args.type) return false;
  if (args.tag && !row.tags.includes(args.tag)) return false;
  if (args.skill && row.skill !== args.skill) return false;
  if (!args.query) return true;
  const text = [row.name, row.description, ...row.tags].join(" ").toLowerCase();
  return args.query.toLowerCase().split(/\s+/).every((word) => text.includes(word));
}

// The truth for clients that ignore list_changed too: call_tool reaches everything.
function howToCall(row: Row): string {
  if (row.disabled) return "not at all, it is disabled: set disabled to false in its manifest.json";
  if (row.type === "knowledge") return `activate_skill {"name": ${JSON.stringify(row.name)}}`;
  return row.listed ? row.name : `call_tool {"tool_name": "${row.name}", "arguments": {…}}`;
}

function state(row: Row): string {
  if (row.disabled) return ` [disabled; set disabled to false in its manifest.json]`;
  return row.listed ? "" : ` [${row.type === "knowledge" ? "read it:" : "hidden;"} ${howToCall(row)}]`;
}

function structuredRow(row: Row, detail: "brief" | "full"): JsonObject {
  const { details, problems, ...brief } = row;
  return {
    ...brief,
    description: description(row, detail),
    tags: [...row.tags],
    call: howToCall(row),
    ...(problems.length ? { broken: [...problems] } : {}),
    ...(detail === "full" ? details : {}),
  };
}

function description(row: Row, detail: "brief" | "full"): string {
  return detail === "full" ? row.description : briefly(row.description);
}

interface Shown {
  items: readonly Row[];
  nextCursor?: string;
  broken: readonly BrokenTool[];
  detail: "brief" | "full";
  /** What is told when there are no items. */
  none: string;
}

/** What to try where nothing matches. */
function nothingFound(every: readonly Row[], { query, skill, tag, type }: z.output<typeof input>): string {
  const near = nearest(query ?? skill ?? "", every.map(({ name }) => name));
  const names = near.length > 0 ? ` Similar names: ${near.join(", ")}.` : "";
  return `No tools match.${names}${query || skill || tag || type ? " list_tools {} shows every tool." : ""}`;
}

function renderText(all: readonly Row[], { items, nextCursor, broken, detail, none }: Shown): string {
  const parts: string[] = [];
  for (const type of TYPES) {
    const group = items.filter((row) => row.type === type);
    if (!group.length) continue;
    const count = all.filter((row) => row.type === type).length;
    parts.push(`${type} (${group.length === count ? count : `${group.length} of ${count}`})`);
    for (const row of group) {
      parts.push(`- ${row.name}: ${description(row, detail)}${state(row)}`);
      if (row.problems.length) parts.push(`  broken: ${row.problems.join("; ")}`);
      if (detail === "full") parts.push(`  ${JSON.stringify(row.details)}`);
    }
  }
  if (!items.length) parts.push(none);
  if (nextCursor !== undefined) {
    parts.push(
      `These are ${items.length} of ${all.length}. Narrow the list by query, type, tag or skill, or read on with ` +
        `list_tools {"cursor": "${nextCursor}"} and the same other arguments.`,
    );
  }
  if (broken.length) {
    parts.push(
      `Could not be loaded (${broken.length})`,
      ...broken.slice(0, MOST_BROKEN).map((b) => `- ${b.folder}: ${b.reason}`),
      ...(broken.length > MOST_BROKEN ? [`- and ${broken.length - MOST_BROKEN} more`] : []),
    );
  }
  return parts.join("\n");
}
