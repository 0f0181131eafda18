/** Variables that are the server's own: they never reach a tool. */
export const OWN_VARIABLES = [
  "SKILLZ_ROOTS",
  "SKILLZ_SANDBOX",
  "SKILLZ_SANDBOX_NETWORK",
  "SKILLZ_DATABASE_URL",
  "SKILLZ_DATABASE_TOKEN",
  "SKILLZ_AUTH_TOKEN",
  "SKILLZ_DENO",
  "SKILLZ_SKILLS",
  "SKILLZ_PROCESS",
] as const;

/** Whether a variable configures the server itself, in whatever case a system takes its name. */
export function isOwnVariable(name: string): boolean {
  return (OWN_VARIABLES as readonly string[]).includes(name.toUpperCase());
}
