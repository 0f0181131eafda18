import type { Config } from "./config.ts";

/** Names of variables and headers that hold secrets, as their authors call them. */
const SECRET_NAME = /key|token|secret|passw|auth|cookie|credential/i;

/** Every value that must not appear in logs, errors, metadata, or the audit. */
export function secretValues(
  config: Pick<Config, "secrets" | "authToken" | "database" | "servers">,
): string[] {
  const named = Object.values(config.servers).flatMap(({ env, headers }) =>
    [...Object.entries(env), ...Object.entries(headers)].filter(([name]) => SECRET_NAME.test(name))
      // `Bearer abc`: what follows the scheme is the secret.
      .flatMap(([, value]) => [value, value.replace(/^\w+ /, "")])
  );
  const own = [config.authToken, config.database?.token].filter((value) => value !== undefined);
  return [...Object.values(config.secrets), ...own, ...named];
}
