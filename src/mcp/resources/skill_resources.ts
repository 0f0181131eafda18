import type { ResourceContents, SkillsPort } from "../ports.ts";
import { skillUri, splitSkillUri } from "../skill_uri.ts";
import { mimeTypeOf } from "./mime_type.ts";
import { type ResourceProvider, unknownResource } from "./resource_provider.ts";

/** What {@linkcode createSkillResources} reads. */
export interface SkillResourcesDeps {
  readonly skills: SkillsPort;
  /** Name and description of a skill, for the list. */
  readonly describe: (path: string) => { readonly name: string; readonly description: string };
}

/** The files of knowledge skills under `skill://`, as the skills extension addresses them. */
export function createSkillResources({ skills, describe }: SkillResourcesDeps): ResourceProvider {
  return {
    list: () =>
      skills.paths().map((path) => ({
        uri: skillUri(path, "SKILL.md"),
        ...describe(path),
        mimeType: mimeTypeOf("SKILL.md"),
      })),
    templates: () => [{
      uriTemplate: "skill://{+path}",
      name: "skill_file",
      description: "A file of a knowledge skill; resources/directory/read lists a folder's",
    }],
    async read(uri) {
      if (!uri.startsWith("skill://")) return undefined;
      const found = splitSkillUri(uri, skills.paths());
      const folder = found ? await skills.open(found.path) : undefined;
      const file = found && folder && Object.hasOwn(folder.files, found.rest)
        ? folder.files[found.rest]
        : undefined;
      if (!found || file === undefined) throw unknownResource(uri);
      return [contentsOf(uri, file)];
    },
    affected: (event) => event.kind === "skills" ? [skillUri(event.name, "SKILL.md")] : [],
  };
}

function contentsOf(uri: string, file: string | Uint8Array): ResourceContents {
  const mimeType = mimeTypeOf(uri);
  if (typeof file === "string") return { uri, mimeType, text: file };
  try {
    return { uri, mimeType, text: new TextDecoder("utf-8", { fatal: true }).decode(file) };
  } catch {
    return { uri, mimeType, blob: new Uint8Array(file).toBase64() };
  }
}
