import { z } from "zod";
import { okResult } from "../../base/tool_result.ts";
import { searchSkills } from "../../skills/search_skills.ts";
import type { Builtin } from "../builtin.ts";
import { askForSkills, type Suggestion } from "./ask_for_skills.ts";

/** A skill that may be suggested. */
export interface SuggestedSkill {
  /** The argument of `activate_skill`. */
  readonly name: string;
  /** As in the catalog of skills. */
  readonly kind: "virtual" | "tool" | "knowledge";
  /** What it is for, and when. */
  readonly description: string;
  /** More words that it is found by. */
  readonly tags?: readonly string[];
}

/** What {@linkcode createSuggestSkillTool} needs. */
export interface SuggestSkillDeps {
  /** All skills, complete. */
  skills(): Promise<readonly SuggestedSkill[]>;
  /** Active skills of a session. */
  active(sessionId: string): ReadonlySet<string>;
  /** Most time for the client's model, in milliseconds. */
  readonly timeoutMs: number;
}

const input = z.strictObject({ context: z.string().min(1).max(20_000).describe("What is to be done") });
const output = z.looseObject({ skills: z.array(z.looseObject({ name: z.string(), why: z.string() })) });

/** Most suggestions. */
const MOST = 5;
/** Most skills that the client's model is shown. */
const SHORTLIST = 40;

/** `suggest_skill`: which skills fit a task, by the client's model or by search. */
export function createSuggestSkillTool(deps: SuggestSkillDeps): Builtin<typeof input> {
  return {
    name: "suggest_skill",
    title: "Suggest skills",
    description: "Which skills to activate for a task.",
    skill: "always",
    input,
    output,
    annotations: { readOnlyHint: true, openWorldHint: false },
    async run({ context }, ctx) {
      const skills = await deps.skills();
      const hits = searchSkills(context, skills, { limit: SHORTLIST });
      const found = hits.slice(0, MOST).map(({ skill, words }) => ({
        name: skill.name,
        why: `${firstSentence(skill.description)} (fits: ${words.slice(0, 4).join(", ")})`,
      }));
      const asked = ctx.caller.capabilities.sampling
        ? await askForSkills({ context, skills: shortlist(skills, hits.map(({ skill }) => skill)) }, {
          ctx,
          timeoutMs: deps.timeoutMs,
          most: MOST,
        })
        : undefined;
      const suggestions = asked?.kind === "answer" ? asked.suggestions : found;
      const active = deps.active(ctx.caller.sessionId);
      const kinds = new Map(skills.map((skill) => [skill.name, skill.kind]));
      return okResult(
        textOf(suggestions, { active, note: asked?.kind === "none" ? asked.reason : undefined }),
        {
          skills: suggestions.map(({ name, why }) => ({
            name,
            why,
            kind: kinds.get(name) ?? "tool",
            active: active.has(name),
          })),
          by: asked?.kind === "answer" ? "sampling" : "search",
        },
      );
    },
  };
}

/** What was found goes first; a few others let the model see further than the words do. */
function shortlist(all: readonly SuggestedSkill[], found: readonly SuggestedSkill[]): SuggestedSkill[] {
  return [...new Set([...found, ...all.filter(({ kind }) => kind === "virtual"), ...all])].slice(
    0,
    SHORTLIST,
  );
}

function textOf(
  suggestions: readonly Suggestion[],
  { active, note }: { active: ReadonlySet<string>; note: string | undefined },
): string {
  const how = 'Activate with activate_skill {"name": "…"}.';
  const lines = suggestions.map(({ name, why }) => `- ${name}${active.has(name) ? " (active)" : ""}: ${why}`);
  return [
    suggestions.length
      ? `Suggested skills: ${suggestions.map(({ name }) => name).join(", ")}`
      : "No skill fits; list_tools shows all there is.",
    ...lines,
    ...(suggestions.length ? [how] : []),
    ...(note ? [`Found by search: ${note}`] : []),
  ].join("\n");
}

function firstSentence(text: string): string {
  const line = text.replaceAll(/\s+/g, " ");
  const sentence = /^.+?[.!?](?= |$)/.exec(line)?.[0] ?? line;
  return sentence.length > 160 ? `${sentence.slice(0, 159)}…` : sentence;
}
