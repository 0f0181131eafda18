import { z } from "zod";
import { answerRequest } from "../answer_request.ts";
import type { HandlerScope } from "../handler_scope.ts";
import { paginate } from "../paginate.ts";

const listParams = z.looseObject({ cursor: z.string().optional() });
const getParams = z.looseObject({
  name: z.string(),
  arguments: z.record(z.string(), z.string()).default({}),
});

/** Installs `prompts/list` and `prompts/get`. */
export function handlePrompts(scope: HandlerScope): void {
  const { ports, session } = scope;

  scope.on("prompts/list", listParams, async ({ cursor }) => {
    await ports.ready?.();
    const all = ports.prompts.list();
    const { items, nextCursor } = paginate(all, { cursor, list: "prompts", keyOf: (prompt) => prompt.name });
    return { prompts: items, ...(nextCursor === undefined ? {} : { nextCursor }) };
  });

  scope.on("prompts/get", getParams, ({ name, arguments: args }, ctx) =>
    answerRequest({
      ctx,
      session,
      declared: scope.declared(ctx),
      subject: ["prompts/get", name, args],
      repeatable: true,
      async run(call) {
        await ports.ready?.();
        return await ports.prompts.get(name, args, call);
      },
    }, scope));
}
