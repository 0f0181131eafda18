import { z } from "zod";
import { SkillzError } from "../../base/errors.ts";
import type { HandlerScope } from "../handler_scope.ts";
import { asLogLevel, LOG_LEVELS } from "../log_level.ts";

const params = z.looseObject({ level: z.string() });

/** Installs `logging/setLevel`, which the older era has; the newer one names a level with each request. */
export function handleLogging(scope: HandlerScope): void {
  if (scope.session.era === "modern") return;
  scope.on("logging/setLevel", params, ({ level }) => {
    const known = asLogLevel(level);
    if (!known) {
      throw new SkillzError("invalid_input", `Cannot set the level: there is none of that name`, {
        hint: `Use one of ${LOG_LEVELS.join(", ")}`,
      });
    }
    scope.session.logLevel = known;
    return {};
  });
}
