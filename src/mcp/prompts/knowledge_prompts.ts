import { openSkill, skillText } from "../../skills/open_skill.ts";
import { type KnowledgeSkill, unknownKnowledge } from "../../skills/skill_store.ts";
import { type PromptProvider, userMessage } from "./prompt_provider.ts";

/** Each knowledge skill as a prompt: its text and a list of its files. */
export function createKnowledgePrompts(
  skills: { list(): readonly KnowledgeSkill[]; get(name: string): KnowledgeSkill | undefined },
): PromptProvider {
  return {
    list: () => skills.list().map(({ name, description }) => ({ name, description })),
    async get(name) {
      const skill = skills.get(name);
      if (!skill) throw unknownKnowledge(name);
      return userMessage(skillText(skill, await openSkill(skill)), skill.description);
    },
  };
}
