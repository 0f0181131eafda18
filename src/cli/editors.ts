import { join } from "node:path";

/** How an editor's configuration names MCP servers. */
export interface EditorConfig {
  /** Absolute path of the file. */
  readonly path: string;
  /** `json` may hold comments; `toml` gets a table appended or replaced. */
  readonly format: "json" | "toml";
  /** Keys that lead to the servers. */
  readonly servers: readonly string[];
  /** Fields that this editor wants in every entry besides `command`, `args`, `env`. */
  readonly extra: Readonly<Record<string, string>>;
}

/** What {@linkcode EDITORS} entries are computed from. */
export interface EditorPlace {
  /** The user's home folder. */
  readonly home: string;
  /** The current folder, for editors with one file for each project. */
  readonly cwd: string;
  /** The operating system, as in `Deno.build.os`. */
  readonly os: string;
}

type EditorRow = (place: EditorPlace) => EditorConfig;

const json = (
  path: string,
  servers: string[] = ["mcpServers"],
  extra: Record<string, string> = {},
): EditorConfig => ({
  path,
  format: "json",
  servers,
  extra,
});

/** Editors and clients by the word for `skillz install`. Paths and keys are those of each program's own documentation. */
export const EDITORS = {
  "claude-desktop": ({ home, os }) => json(join(appData(home, os), "Claude", "claude_desktop_config.json")),
  "claude-code": ({ cwd }) => json(join(cwd, ".mcp.json")),
  cursor: ({ home }) => json(join(home, ".cursor", "mcp.json")),
  windsurf: ({ home }) => json(join(home, ".codeium", "windsurf", "mcp_config.json")),
  vscode: ({ cwd }) => json(join(cwd, ".vscode", "mcp.json"), ["servers"], { type: "stdio" }),
  zed: ({ home }) =>
    json(join(home, ".config", "zed", "settings.json"), ["context_servers"], { source: "custom" }),
  gemini: ({ home }) => json(join(home, ".gemini", "settings.json")),
  codex: ({ home }) => ({
    path: join(home, ".codex", "config.toml"),
    format: "toml",
    servers: ["mcp_servers"],
    extra: {},
  }),
} as const satisfies Record<string, EditorRow>;

/** A word that `skillz install` knows. */
export type EditorName = keyof typeof EDITORS;

/** Whether `skillz install` knows the word. */
export function isEditorName(name: string): name is EditorName {
  return Object.hasOwn(EDITORS, name);
}

function appData(home: string, os: string): string {
  if (os === "darwin") return join(home, "Library", "Application Support");
  return os === "windows" ? join(home, "AppData", "Roaming") : join(home, ".config");
}
