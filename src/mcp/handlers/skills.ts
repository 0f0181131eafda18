import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import { z } from "zod";
import type { HandlerScope } from "../handler_scope.ts";
import { paginate } from "../paginate.ts";
import { listDirectory, splitSkillUri } from "../skill_uri.ts";

const listParams = z.looseObject({ cursor: z.string().optional() });
const uriParams = z.looseObject({ uri: z.string(), cursor: z.string().optional() });

/** Skills change under our feet, so nobody may keep what they read. */
const UNCACHED = { ttlMs: 0, cacheScope: "private" };

/** Installs the skills extension: `skills/list`, `skills/get`, `resources/directory/read`. */
export function handleSkills(scope: HandlerScope): void {
  const { skills } = scope.ports;

  const entryOf = async (path: string) => {
    const folder = await skills.open(path);
    // Few clients ask, so it is loaded for the first that does.
    const { SkillCatalogError, skillEntry } = await import("@modelcontextprotocol/server/ext/skills");
    try {
      return folder ? [await skillEntry(folder.path, { ...folder.files })] : [];
    } catch (error) {
      // One that the extension does not take keeps nobody from the others.
      if (error instanceof SkillCatalogError) return [];
      throw error;
    }
  };

  scope.on("skills/list", listParams, async ({ cursor }) => {
    const { items, nextCursor } = paginate(skills.paths(), { cursor, list: "skills", keyOf: (path) => path });
    const entries = (await Promise.all(items.map(entryOf))).flat();
    return { ...UNCACHED, skills: entries, ...(nextCursor === undefined ? {} : { nextCursor }) };
  });

  scope.on("skills/get", uriParams, async ({ uri }) => {
    const found = splitSkillUri(uri, skills.paths());
    const [skill] = found?.rest === "SKILL.md" ? await entryOf(found.path) : [];
    if (!skill) throw new ProtocolError(ProtocolErrorCode.InvalidParams, "Unknown skill", { uri });
    return { ...UNCACHED, skill };
  });

  scope.on("resources/directory/read", uriParams, async ({ uri, cursor }) => {
    const found = splitSkillUri(uri, skills.paths());
    const folder = found ? await skills.open(found.path) : undefined;
    const children = found && folder ? listDirectory(folder, found.rest) : [];
    if (children.length === 0) {
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, "Not a directory", { uri });
    }
    const page = paginate(children, { cursor, list: "directory", keyOf: (child) => child.uri });
    return {
      ...UNCACHED,
      resources: page.items,
      ...(page.nextCursor === undefined ? {} : { nextCursor: page.nextCursor }),
    };
  });
}
