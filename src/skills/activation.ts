import { SkillzError } from "../base/errors.ts";
import { nearest } from "../base/nearest.ts";
import type { Bundles } from "./bundles.ts";
import type { SkillCatalog } from "./catalog.ts";

/** What activating a name means. */
export interface Activation {
  /** Skills to switch on, each after those that it requires. */
  readonly skills: readonly string[];
  /** One line for each member or requirement that could not be followed. */
  readonly problems: readonly string[];
}

/** What {@linkcode resolveActivation} looks names up in. */
export interface ActivationSources {
  /** All skills there are. */
  readonly catalog: SkillCatalog;
  /** All bundles there are. */
  readonly bundles: Bundles;
}

/**
 * Finds the skills behind a skill's or bundle's name, requirements first. Bad members of a bundle, unknown
 * requirements, and cycles are reported, the rest works.
 *
 * Throws `not_found` when the name itself is neither a skill nor a bundle.
 */
export function resolveActivation(name: string, sources: ActivationSources): Activation {
  if (!name.startsWith("@") && !sources.catalog.find(name)) throw unknownSkill(name, sources);
  if (name.startsWith("@") && !Object.hasOwn(sources.bundles, name)) throw unknownSkill(name, sources);
  const skills = new Set<string>();
  const problems: string[] = [];
  visit(name, [], { ...sources, skills, problems });
  return { skills: [...skills], problems };
}

interface Walk extends ActivationSources {
  readonly skills: Set<string>;
  readonly problems: string[];
}

function visit(name: string, path: readonly string[], walk: Walk): void {
  if (walk.skills.has(name)) return;
  if (path.includes(name)) {
    walk.problems.push(`"${name}" requires itself: ${[...path.slice(path.indexOf(name)), name].join(" → ")}`);
    return;
  }
  const here = [...path, name];
  if (name.startsWith("@")) {
    const members = Object.hasOwn(walk.bundles, name) ? walk.bundles[name] : undefined;
    if (!members) walk.problems.push(`${wanted(path)} unknown bundle "${name}"`);
    for (const member of members ?? []) visit(member, here, walk);
    return;
  }
  const skill = walk.catalog.find(name);
  if (!skill) {
    walk.problems.push(`${wanted(path)} unknown skill "${name}"`);
    return;
  }
  for (const required of skill.requires) visit(required, here, walk);
  walk.skills.add(name);
}

function wanted(path: readonly string[]): string {
  const parent = path.at(-1) ?? "";
  return parent.startsWith("@") ? `Bundle "${parent}" names` : `Skill "${parent}" requires`;
}

function unknownSkill(name: string, { catalog, bundles }: ActivationSources): SkillzError {
  const known = [...Object.keys(bundles), ...catalog.list().map((s) => s.name)];
  const shown = known.slice(0, 20).join(", ") + (known.length > 20 ? `, … (${known.length} in all)` : "");
  const near = nearest(name, known);
  return new SkillzError("not_found", `Cannot activate "${name}": no skill or bundle has that name`, {
    hint: near.length > 0 && known.length > 20 ? `Similar names: ${near.join(", ")}` : `There are: ${shown}`,
  });
}
