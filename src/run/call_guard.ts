import { SkillzError } from "../base/errors.ts";
import { isJsonObject, type JsonObject, jsonTypeOf, type JsonValue } from "../base/json.ts";
import { type CallContext, MAX_DEPTH } from "./call_context.ts";

/** Throws `SkillzError` when a call would go round in a circle or too deep. */
export function guardDepth(name: string, ctx: CallContext): void {
  const chain = [...ctx.chain, name].join(" → ");
  if (ctx.chain.includes(name)) {
    throw new SkillzError(
      "invalid_input",
      `Cannot call "${name}": it is under way already, the cycle is ${chain}`,
      {
        hint: "A tool may not call itself, not even through others",
        data: { chain: [...ctx.chain, name] },
      },
    );
  }
  if (ctx.depth > MAX_DEPTH) {
    throw new SkillzError(
      "limit",
      `Cannot call "${name}": it would be ${ctx.depth} levels deep, the depth limit is ${MAX_DEPTH} (${chain})`,
      { data: { chain: [...ctx.chain, name] } },
    );
  }
}

/** Arguments as an object; throws `SkillzError("invalid_input")` for anything else. Absent ones are `{}`. */
export function argumentObject(name: string, args: JsonValue | undefined): JsonObject {
  if (args === undefined) return {};
  if (isJsonObject(args)) return args;
  throw new SkillzError(
    "invalid_input",
    `Cannot call "${name}": arguments is ${jsonTypeOf(args)}, it must be an object`,
  );
}
