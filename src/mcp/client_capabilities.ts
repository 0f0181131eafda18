import { SkillzError } from "../base/errors.ts";
import { isJsonObject, type JsonObject } from "../base/json.ts";
import type { CallerCapabilities, Question } from "../run/call_context.ts";

/** What a client can do, from the capabilities that it declared. */
export function readCapabilities(declared: JsonObject): CallerCapabilities {
  const { elicitation } = declared;
  const modes = isJsonObject(elicitation) ? elicitation : undefined;
  return {
    sampling: isJsonObject(declared.sampling),
    // Before there were modes, an empty object meant forms.
    elicitation: modes !== undefined && (isJsonObject(modes.form) || !isJsonObject(modes.url)),
    elicitationUrl: isJsonObject(modes?.url),
    roots: isJsonObject(declared.roots),
  };
}

/** Throws `SkillzError("unavailable")` when a client with these capabilities can't be asked this. */
export function assertCanAsk(question: Question, declared: JsonObject): void {
  const wanted = wantedCapability(question);
  const capabilities = readCapabilities(declared);
  const has = wanted === "sampling.tools"
    ? isJsonObject(declared.sampling) && isJsonObject(declared.sampling.tools)
    : capabilities[wanted];
  if (has) return;
  throw new SkillzError(
    "unavailable",
    `Cannot ask the client (${question.method}): it did not declare the capability ${NAMES[wanted]}`,
    {
      hint: "Go on without an answer, or tell the user to use a client that can",
      data: { method: question.method },
    },
  );
}

type Wanted = keyof CallerCapabilities | "sampling.tools";

const NAMES: Readonly<Record<Wanted, string>> = {
  sampling: "sampling",
  "sampling.tools": "sampling.tools",
  elicitation: "elicitation",
  elicitationUrl: "elicitation.url",
  roots: "roots",
};

function wantedCapability({ method, params }: Question): Wanted {
  switch (method) {
    case "roots/list":
      return "roots";
    case "elicitation/create":
      return params.mode === "url" ? "elicitationUrl" : "elicitation";
    case "sampling/createMessage":
      return params.tools === undefined && params.toolChoice === undefined ? "sampling" : "sampling.tools";
  }
}
