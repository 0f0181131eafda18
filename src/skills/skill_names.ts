/** Something that must be given a name of its own. */
export interface Nameable {
  /** The name that it would like. */
  readonly declared: string;
  /** Where it comes from: the repository, most often. */
  readonly label: string;
  /** Whom the place belongs to. */
  readonly owner?: string;
  /** Name of its folder. */
  readonly folder: string;
}

/** Whether a text can name a skill: short, printable, no part of a path, no bundle. */
export function isSkillName(name: string): boolean {
  return name.length <= 64 && name === name.trim() && /^[^\p{C}/\\@][^\p{C}/\\]*$/u.test(name) &&
    !/^\.+$/.test(name) && !(name in Object.prototype);
}

/**
 * A name for each, none twice and none that `isTaken`. Who comes first keeps its name, but within one place whoever has
 * the folder of that name goes before the others; a later one is called `repo--name`.
 */
export function assignNames<T extends Nameable>(
  skills: readonly T[],
  isTaken: (name: string, skill: T) => boolean,
): Map<T, string> {
  const names = new Map<T, string>();
  const used = new Set<string>();
  for (const skill of inOrder(skills)) {
    const name = candidates(skill).find((one) => !used.has(one) && !isTaken(one, skill)) ?? skill.folder;
    used.add(name);
    names.set(skill, name);
  }
  return names;
}

function inOrder<T extends Nameable>(skills: readonly T[]): T[] {
  const places = Map.groupBy(skills, ({ owner, label }) => `${owner ?? ""}/${label}`);
  return [...places.values()].flatMap((place) => [
    ...place.filter((skill) => skill.folder === skill.declared),
    ...place.filter((skill) => skill.folder !== skill.declared),
  ]);
}

function candidates({ declared, label, owner }: Nameable): string[] {
  const placed = `${label}--${declared}`;
  const owned = owner === undefined ? placed : `${owner}--${placed}`;
  const numbered = Array.from({ length: 1000 }, (_, index) => `${owned}--${index + 2}`);
  return [declared, placed, owned, ...numbered];
}
