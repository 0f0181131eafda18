import { z } from "zod";
import { SkillzError } from "../../base/errors.ts";
import { answerRequest } from "../answer_request.ts";
import type { HandlerScope } from "../handler_scope.ts";
import { paginate } from "../paginate.ts";

const listParams = z.looseObject({ cursor: z.string().optional() });
const uriParams = z.looseObject({ uri: z.string() });

/** Most resources that one session may subscribe to. */
const MAX_SUBSCRIPTIONS = 1_000;

/** Installs everything about resources; subscribing by request is the older era's way. */
export function handleResources(scope: HandlerScope): void {
  const { ports, session } = scope;

  scope.on("resources/list", listParams, async ({ cursor }) => {
    await ports.ready?.();
    const all = ports.resources.list();
    const { items, nextCursor } = paginate(all, { cursor, list: "resources", keyOf: ({ uri }) => uri });
    return { resources: items, ...(nextCursor === undefined ? {} : { nextCursor }) };
  });

  scope.on("resources/templates/list", listParams, ({ cursor }) => {
    const all = ports.resources.templates();
    const page = paginate(all, { cursor, list: "templates", keyOf: ({ uriTemplate }) => uriTemplate });
    const { items, nextCursor } = page;
    return { resourceTemplates: items, ...(nextCursor === undefined ? {} : { nextCursor }) };
  });

  scope.on("resources/read", uriParams, ({ uri }, ctx) =>
    answerRequest({
      ctx,
      session,
      declared: scope.declared(ctx),
      subject: ["resources/read", uri],
      repeatable: true,
      async run(call) {
        await ports.ready?.();
        return { contents: await ports.resources.read(uri, call) };
      },
    }, scope));

  if (session.era === "modern") return;

  scope.on("resources/subscribe", uriParams, ({ uri }) => {
    if (session.subscriptions.size >= MAX_SUBSCRIPTIONS && !session.subscriptions.has(uri)) {
      throw new SkillzError(
        "conflict",
        `Cannot subscribe: this session has ${MAX_SUBSCRIPTIONS} subscriptions`,
        {
          hint: "Give some back with resources/unsubscribe",
        },
      );
    }
    session.subscriptions.add(uri);
    return {};
  });

  scope.on("resources/unsubscribe", uriParams, ({ uri }) => {
    session.subscriptions.delete(uri);
    return {};
  });
}
