import { nearest } from "../../base/nearest.ts";
import type { CodeTool } from "./code_tool.ts";
import { searchTools } from "./search_tools.ts";
import type { CodeFault } from "./type_check.ts";

/** Most names that are proposed. */
const MOST = 5;

/** What a program may call, and what there is besides. */
export interface KnownTools {
  /** Those that the program may call. */
  readonly chosen: readonly CodeTool[];
  /** Every tool. */
  readonly all: readonly CodeTool[];
}

/** The next step for a program that calls a tool it does not have: the names that may be meant, and how to find others. */
export function unknownToolHint(name: string, { chosen, all }: KnownTools): string {
  if (all.some((tool) => tool.name === name)) {
    return `There is one: add ${
      JSON.stringify(name)
    } to the argument "tools" of execute_code, or leave that out`;
  }
  const near = nearest(name, chosen.map((tool) => tool.name));
  const found = near.length > 0
    ? near
    : searchTools(name.replaceAll(/[_-]+/g, " "), chosen, { limit: MOST }).map((tool) => tool.name);
  const search = 'tools.search("words") finds tools, list_tools shows all';
  return found.length > 0 ? `Similar names: ${found.join(", ")}; ${search}` : search;
}

/** Faults of the type check about tools that there are not, in the words of whoever runs tools instead of the compiler's. */
export function nameUnknownTools(faults: readonly CodeFault[], known: KnownTools): CodeFault[] {
  return faults.map((fault) => {
    const missing = /^Property '([^']+)' does not exist on type '[^]*\bToolSearch\b/.exec(fault.message)?.[1];
    if (missing !== undefined) {
      const hint = unknownToolHint(missing, known);
      return { ...fault, message: `This program has no tool ${JSON.stringify(missing)}. ${hint}` };
    }
    const bare = /^Cannot find name '([^']+)'/.exec(fault.message)?.[1];
    if (bare === undefined || !known.chosen.some((tool) => tool.name === bare)) return fault;
    return { ...fault, message: `Cannot find name '${bare}': the tool is called as tools.${bare}({…})` };
  });
}
