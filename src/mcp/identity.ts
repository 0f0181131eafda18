import config from "../../deno.json" with { type: "json" };

/** Who answers: sent as `serverInfo` in both protocol eras. */
export const SERVER_INFO = { name: "skillz", title: "Skillz", version: config.version };

/** Identifier of the tasks extension. */
export const TASKS_EXTENSION = "io.modelcontextprotocol/tasks";

/** Identifier of the skills extension. */
export const SKILLS_EXTENSION = "io.modelcontextprotocol/skills";

/** What the server offers, the same in both eras. */
export const CAPABILITIES = {
  tools: { listChanged: true },
  prompts: { listChanged: true },
  resources: { listChanged: true, subscribe: true },
  completions: {},
  logging: {},
  extensions: { [TASKS_EXTENSION]: {}, [SKILLS_EXTENSION]: { directoryRead: true } },
};

/** Told to every client at its start; most clients show it to their model. */
export const INSTRUCTIONS =
  "Skillz lets you make tools while you work. Few tools are listed at first: list_tools shows all there are, " +
  "activate_skill lists more of them (dev: make and change tools; sys: pipelines, services; memory: storage), " +
  "call_tool runs any tool by name, listed or not, and execute_code runs code that calls many tools at once. " +
  "Read the resource skillz://guide before you write a tool.";

/** Versions that are agreed on by `initialize`, the one we like best first. Later ones have no `initialize`. */
export const HANDSHAKE_VERSIONS: readonly string[] = [
  "2025-11-25",
  "2025-06-18",
  "2025-03-26",
  "2024-11-05",
  "2024-10-07",
];

/** The only version whose clients may send several messages in one JSON array. */
export const BATCH_VERSION = "2025-03-26";

/** The version to answer `initialize` with: the asked one if known, else the one we like best. */
export function negotiateVersion(asked: string): string {
  return HANDSHAKE_VERSIONS.includes(asked) ? asked : HANDSHAKE_VERSIONS[0] ?? asked;
}
