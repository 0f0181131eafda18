import type { CodeTool } from "./code_tool.ts";
import { commentText } from "./schema_to_typescript.ts";
import { pythonHint, pythonParameters, pythonText } from "./schema_to_python.ts";

/** One tool as a Python `def` line with a docstring, as shown to models. */
export function pythonSignature(tool: CodeTool): string {
  const parameters = pythonParameters(tool.inputSchema).map((p) => {
    const name = /^[A-Za-z_]\w*$/.test(p.name) ? p.name : `**{${pythonText(p.name)}: …}`;
    return `${name}: ${p.hint}${p.required ? "" : " = …"}`;
  });
  const star = parameters.length ? `*, ${parameters.join(", ")}` : "";
  const result = tool.outputSchema ? pythonHint(tool.outputSchema) : "object";
  const doc = commentText(tool.description).replaceAll("\\", "\\\\").replaceAll('"""', "'''");
  return `def ${tool.name}(${star}) -> ${result}: """${doc}"""`;
}
