/**
 * Names of the server's own tools, built or planned; no made tool may take one. Known before the tools are made,
 * because the folder of made tools is read first.
 */
export const BUILTIN_NAMES: readonly string[] = [
  "activate_skill",
  "add_skill_repo",
  "build_tool",
  "call_tool",
  "call_tool_internal",
  "deactivate_skill",
  "delete_tool",
  "execute_code",
  "import_mcp",
  "import_tool",
  "list_tools",
  "memory",
  "pipeline",
  "register_script",
  "services",
  "suggest_skill",
  "version",
];
