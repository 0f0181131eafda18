/** What `--help` prints. */
export const HELP = `skillz – an MCP server that extends itself

Usage: skillz [serve] [flags]          serve MCP over stdio (or HTTP)
       skillz check-tools [DIR…]       validate tool folders: --json, --run (run their examples)
       skillz call TOOL [JSON]         call a tool without a client
       skillz list                     list the tools
       skillz doctor                   report what this machine offers
       skillz init TEMPLATE NAME       start a tool: python, typescript, javascript, ruby, bash
       skillz install EDITOR           add Skillz to an editor's MCP configuration

Flags of serve:
  --transport stdio|http   how clients reach the server (default stdio; sse means http)
  --host ADDRESS           where to listen for HTTP (default 127.0.0.1)
  --port NUMBER            0 picks a free one (default 8080)
  --allow-anonymous        let anyone in who reaches an open port
  --hot-reload             follow changes in TOOLS_DIR (--no-watch: do not, the default)
  --skills NAMES           skills and @bundles active from the start, with commas
  --log-level LEVEL        debug, info, warn or error, on stderr (default info)

Variables: TOOLS_DIR, SKILLZ_ROOTS, SKILLZ_SKILLS, SKILLZ_SANDBOX, SKILLZ_SANDBOX_NETWORK, SKILLZ_DATABASE_URL,
SKILLZ_DATABASE_TOKEN, SKILLZ_AUTH_TOKEN, SKILLZ_DENO. Other SKILLZ_… variables are secrets for tools.
`;
