import { SkillzError } from "../../base/errors.ts";
import type { CallContext } from "../../run/call_context.ts";
import type { CompletionArgument, PromptAnswer, PromptListing, PromptsPort } from "../ports.ts";

/** One kind of prompt. */
export interface PromptProvider {
  /** In stable order. */
  list(): readonly PromptListing[];
  /** The prompt's messages; required arguments are there. Only called for names of `list`. */
  get(name: string, args: Readonly<Record<string, string>>, ctx: CallContext): Promise<PromptAnswer>;
  /** Values for an argument. Only called for names of `list`. */
  complete?(name: string, argument: CompletionArgument): Promise<readonly string[]>;
}

/** All kinds as one; of equal names the first provider's prompt counts. */
export function createPromptsPort(providers: readonly PromptProvider[]): PromptsPort {
  const all = () => {
    const found = new Map<string, { listing: PromptListing; provider: PromptProvider }>();
    for (const provider of providers) {
      for (const listing of provider.list()) {
        if (!found.has(listing.name)) found.set(listing.name, { listing, provider });
      }
    }
    return found;
  };
  return {
    list: () => [...all().values()].map(({ listing }) => listing),
    async get(name, args, ctx) {
      const prompt = all().get(name);
      if (!prompt) throw new SkillzError("not_found", `Cannot get prompt "${name}": there is no such prompt`);
      const missing = (prompt.listing.arguments ?? []).filter((a) => a.required && !args[a.name]?.trim());
      if (missing.length > 0) {
        const names = missing.map((argument) => argument.name).join(", ");
        throw new SkillzError(
          "invalid_input",
          `Cannot get prompt "${name}": required arguments are missing: ${names}`,
        );
      }
      return await prompt.provider.get(name, args, ctx);
    },
    async complete(name, argument) {
      const values = await all().get(name)?.provider.complete?.(name, argument) ?? [];
      return values.filter((value) => value.startsWith(argument.value));
    },
  };
}

/** An answer of one user message. */
export function userMessage(text: string, description?: string): PromptAnswer {
  return {
    ...(description === undefined ? {} : { description }),
    messages: [{ role: "user", content: { type: "text", text } }],
  };
}
