/** Something that can be found. */
export interface SearchedSkill {
  /** Counts most. */
  readonly name: string;
  /** Each word counts once. */
  readonly description: string;
  /** Count less than the name and more than the description. */
  readonly tags?: readonly string[];
}

/** A skill that was found. */
export interface SkillHit<T extends SearchedSkill> {
  /** What was found. */
  readonly skill: T;
  /** Higher is better; only comparable within one search. */
  readonly score: number;
  /** Words of the query that it has, in small letters, the rarest first. */
  readonly words: readonly string[];
}

/** The usual constants of BM25: how soon repetition stops to count, and how much length does. */
const K1 = 1.2;
const B = 0.75;
/** How often a word of the name or of a tag counts. */
const NAME_WEIGHT = 3;
const TAG_WEIGHT = 2;
/** Words that say nothing. */
const STOP = new Set(
  ("a about after all also am an and any are as at be but by can could do does for from get has have help how i if in " +
    "into is it its just let like make me my need new no not of on or our please should so some than that the their them " +
    "then there these they this to us use used user uses using want was we what when where which will with would you your")
    .split(" "),
);

/** Skills by BM25 over names, tags and descriptions, best first. */
export function searchSkills<T extends SearchedSkill>(
  query: string,
  skills: readonly T[],
  { limit }: { limit: number },
): SkillHit<T>[] {
  const entries = skills.map((skill) => ({ skill, counts: countsOf(skill) }));
  const lengths = entries.map(({ counts }) => [...counts.values()].reduce((a, b) => a + b, 0));
  const average = lengths.reduce((a, b) => a + b, 0) / (lengths.length || 1) || 1;
  const asked = new Map(wordsOf(query).map((word) => [stem(word), word]));
  const weights = new Map([...asked.keys()].map((word) => {
    const holders = entries.filter(({ counts }) => counts.has(word)).length;
    return [word, Math.log(1 + (entries.length - holders + 0.5) / (holders + 0.5))];
  }));
  const hits = entries.map(({ skill, counts }, index) => {
    const words = [...weights.keys()].filter((word) => counts.has(word))
      .sort((a, b) => (weights.get(b) ?? 0) - (weights.get(a) ?? 0));
    const norm = K1 * (1 - B + B * (lengths[index] ?? 0) / average);
    const score = words.reduce((sum, word) => {
      const count = counts.get(word) ?? 0;
      return sum + (weights.get(word) ?? 0) * count * (K1 + 1) / (count + norm);
    }, 0);
    return { skill, score, words: words.map((word) => asked.get(word) ?? word) };
  });
  return hits.filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || (a.skill.name < b.skill.name ? -1 : 1))
    .slice(0, limit);
}

function countsOf({ name, description, tags = [] }: SearchedSkill): Map<string, number> {
  const counts = new Map<string, number>();
  const add = (text: string, weight: number) => {
    for (const word of wordsOf(text).map(stem)) counts.set(word, (counts.get(word) ?? 0) + weight);
  };
  add(name, NAME_WEIGHT);
  add(tags.join(" "), TAG_WEIGHT);
  add(description, 1);
  return counts;
}

/** Words in small letters that say something. */
function wordsOf(text: string): string[] {
  return text.toLowerCase().normalize("NFKC").split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length > 1 && !STOP.has(word));
}

/** A word without the commonest endings, so that `tables` finds `table`. */
function stem(word: string): string {
  if (word.length > 5 && word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  const bare = word.length > 5 ? word.replace(/(?:ing|ed|er|ors?|ers)$/, "") : word;
  const single = bare.length > 3 ? bare.replace(/(?<=[^s])s$/, "") : bare;
  return single.length > 3 ? single.replace(/e$/, "") : single;
}
