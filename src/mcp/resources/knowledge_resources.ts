import { knowledgeUri, openSkill, skillText } from "../../skills/open_skill.ts";
import type { KnowledgeSkill } from "../../skills/skill_store.ts";
import type { TemplateListing } from "../ports.ts";
import { type ResourceProvider, skillzSegments, unknownResource } from "./resource_provider.ts";
import { readToolFile } from "./tool_file.ts";

const SKILL = "skillz://skills/{name}";
const FILES = "skillz://skills/{name}/files/{+path}";

const TEMPLATES: readonly TemplateListing[] = [
  {
    uriTemplate: SKILL,
    name: "skill",
    description: "What a knowledge skill says, and its files",
    mimeType: "text/markdown",
  },
  { uriTemplate: FILES, name: "knowledge-file", description: "A file of a knowledge skill's folder" },
];

/** `skillz://skills/{name}` and `skillz://skills/{name}/files/{path}`: knowledge skills and their files. */
export function createKnowledgeResources(
  skills: { list(): readonly KnowledgeSkill[]; get(name: string): KnowledgeSkill | undefined },
): ResourceProvider {
  return {
    list: () =>
      skills.list().map(({ name, description }) => ({
        uri: knowledgeUri(name),
        name,
        description,
        mimeType: "text/markdown",
      })),
    templates: () => TEMPLATES,
    async read(uri) {
      const segments = skillzSegments(uri, "skills");
      if (!segments) return undefined;
      const [name = "", part, ...path] = segments;
      const skill = skills.get(name);
      if (!skill) throw unknownResource(uri, `there is no knowledge skill "${name}"`);
      if (part === undefined) {
        return [{ uri, mimeType: "text/markdown", text: skillText(skill, await openSkill(skill)) }];
      }
      if (part !== "files" || path.length === 0 || path[0] === ".git") throw unknownResource(uri);
      return [await readToolFile(skill, path.join("/"), { uri })];
    },
    complete(uriTemplate, argument) {
      if (uriTemplate !== SKILL && uriTemplate !== FILES) return Promise.resolve(undefined);
      return Promise.resolve(argument.name === "name" ? skills.list().map(({ name }) => name) : []);
    },
    affected: (event) => event.kind === "skills" ? [knowledgeUri(event.name)] : [],
  };
}
