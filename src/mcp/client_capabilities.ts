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

/** The capability that a question needs and a client with these lacks, in MCP's shape; `undefined` when it can be asked. */
export function missingCapability(question: Question, declared: JsonObject): JsonObject | undefined {
  const wanted = wantedCapability(question);
  const has = wanted === "sampling.tools"
    ? isJsonObject(declared.sampling) && isJsonObject(declared.sampling.tools)
    : readCapabilities(declared)[wanted];
  return has ? undefined : SHAPES[wanted];
}

/** The error for a question that can't be put, with the capability that it needs. */
export function cannotAsk({ method }: Question, missing: JsonObject): SkillzError {
  const name = Object.entries(missing).map(([key, modes]) => [key, ...Object.keys(modes ?? {})].join("."))
    .join(", ");
  return new SkillzError(
    "unavailable",
    `Cannot ask the client (${method}): it did not declare the capability ${name}`,
    { hint: "Go on without an answer, or tell the user to use a client that can", data: { method } },
  );
}

type Wanted = keyof CallerCapabilities | "sampling.tools";

const SHAPES: Readonly<Record<Wanted, JsonObject>> = {
  sampling: { sampling: {} },
  "sampling.tools": { sampling: { tools: {} } },
  elicitation: { elicitation: { form: {} } },
  elicitationUrl: { elicitation: { url: {} } },
  roots: { roots: {} },
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
