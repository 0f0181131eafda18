import { SkillzError } from "../../base/errors.ts";

/** A crate that a tool needs. */
export interface CrateDependency {
  /** Its name in the registry of crates. */
  readonly name: string;
  /** A version requirement as in Cargo.toml; `*` when none is given. */
  readonly requirement: string;
  /** Features to switch on. */
  readonly features: readonly string[];
}

const FORM = /^([a-z][a-z0-9_-]{0,63})(?:@([^\[\]@]{1,100}))?(?:\[([^\[\]]*)\])?$/i;
const REQUIREMENT = /^\s*(?:[\^~=]|[<>]=?)?\s*\d+(?:\.(?:\d+|\*)){0,2}(?:[-+][0-9a-z.+-]+)?\s*$/i;
const FEATURE = /^[a-z0-9_][a-z0-9_+./?:-]*$/i;
const NO_DEFAULTS = "default-features=false";

/** Reads `serde`, `rand@0.8`, `serde@1.0[derive,rc]`. Throws `invalid_input` for anything else. */
export function parseCrate(text: string): CrateDependency {
  const [, name, requirement = "*", features = ""] = FORM.exec(text.trim()) ?? [];
  const list = features.split(",").map((feature) => feature.trim()).filter((feature) => feature !== "");
  const isGood = name !== undefined &&
    (requirement.trim() === "*" || requirement.split(",").every((part) => REQUIREMENT.test(part))) &&
    list.every((feature) => FEATURE.test(feature) || feature === NO_DEFAULTS);
  if (!isGood || name === undefined) {
    throw new SkillzError(
      "invalid_input",
      `Cannot use dependency ${JSON.stringify(text.slice(0, 100))}: it must be NAME, NAME@VERSION or ` +
        "NAME@VERSION[FEATURE,…]",
      { hint: "Examples: regex, rand@0.8, serde@1.0[derive]" },
    );
  }
  return { name, requirement: requirement.trim(), features: list };
}

/** All crates of a list; one named twice is refused. */
export function parseCrates(texts: readonly string[]): CrateDependency[] {
  const crates = texts.map(parseCrate);
  const twice = crates.find((one, i) => crates.findIndex((other) => sameCrate(one, other)) !== i);
  if (twice) {
    throw new SkillzError("invalid_input", `Cannot use the dependencies: ${twice.name} is named twice`);
  }
  return crates.sort((a, b) => a.name < b.name ? -1 : 1);
}

/** cargo takes `-` and `_` in names for the same. */
function sameCrate(a: CrateDependency, b: CrateDependency): boolean {
  const plain = ({ name }: CrateDependency) => name.toLowerCase().replaceAll("-", "_");
  return plain(a) === plain(b);
}

/** The line of a crate in Cargo.toml. */
export function cargoLine({ name, requirement, features }: CrateDependency): string {
  const wanted = features.filter((feature) => feature !== NO_DEFAULTS);
  const fields = [
    `version = ${JSON.stringify(requirement)}`,
    ...(features.includes(NO_DEFAULTS) ? ["default-features = false"] : []),
    ...(wanted.length > 0 ? [`features = ${JSON.stringify(wanted)}`] : []),
  ];
  return `${name} = { ${fields.join(", ")} }`;
}
