import { SkillzError } from "../base/errors.ts";

/**
 * Fills `{{name}}` placeholders of a text. Values are put in as they are and never read as placeholders themselves.
 *
 * @throws `SkillzError("internal")` for a placeholder without a value: a text and its code have drifted apart.
 */
export function fillTemplate(text: string, values: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\{\{(\w+)\}\}/g, (_match, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value === undefined) {
      throw new SkillzError("internal", `Cannot fill the text: {{${name}}} has no value`);
    }
    return value;
  });
}
