import { z } from "zod";
import type { HandlerScope } from "../handler_scope.ts";

/** Most values of one answer, as MCP has it. */
const MAX_VALUES = 100;

const params = z.looseObject({
  ref: z.union([
    z.looseObject({ type: z.literal("ref/prompt"), name: z.string() }),
    z.looseObject({ type: z.literal("ref/resource"), uri: z.string() }),
  ]),
  argument: z.looseObject({ name: z.string(), value: z.string() }),
  context: z.looseObject({ arguments: z.record(z.string(), z.string()).optional() }).optional(),
});

/** Installs `completion/complete` for arguments of prompts and variables of resource templates. */
export function handleCompletion(scope: HandlerScope): void {
  const { prompts, resources } = scope.ports;

  scope.on("completion/complete", params, async ({ ref, argument, context }) => {
    const typed = { name: argument.name, value: argument.value, others: context?.arguments ?? {} };
    const values = ref.type === "ref/prompt"
      ? await prompts.complete(ref.name, typed)
      : await resources.complete(ref.uri, typed);
    return {
      completion: {
        values: values.slice(0, MAX_VALUES),
        total: values.length,
        hasMore: values.length > MAX_VALUES,
      },
    };
  });
}
