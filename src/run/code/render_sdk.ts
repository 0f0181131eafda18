import { type CodeTool, nameInNamespace } from "./code_tool.ts";
import { pythonSignature } from "./python_signatures.ts";
import { typescriptSignature } from "./typescript_declarations.ts";

/** Languages that signatures are shown in. */
export const SDK_LANGUAGES = ["typescript", "python"] as const;

/** A language that signatures are shown in. */
export type SdkLanguage = (typeof SDK_LANGUAGES)[number];

/** What programs for `execute_code` may call, as text for models: one signature a line, in the order given. */
export function renderSdk(language: SdkLanguage, tools: readonly CodeTool[]): string {
  return RENDER[language](tools);
}

const RENDER: Readonly<Record<SdkLanguage, (tools: readonly CodeTool[]) => string>> = {
  typescript: (tools) =>
    [
      "// execute_code: the body of an async function. `return` or `print(...)` what you need, nothing else comes back.",
      "// const [a, b] = await Promise.all([tools.first({ … }), tools.second({ … })]); a failed tool throws ToolError.",
      "declare const tools: {",
      '  /** Finds tools: (await tools.search("words"))[0].signature */ search(query: string, limit?: number): Promise<Array<{ name: string; description: string; signature: string }>>',
      ...tools.map((tool) => `  ${typescriptSignature(tool)}${inNamespace(tool)}`),
      "};",
      "declare function print(...values: unknown[]): void;",
      "",
    ].join("\n"),
  python: (tools) =>
    [
      '# execute_code with language "python": plain calls by keyword, tools.name(city="Oslo") or tools["odd-name"]({...}).',
      "# The last expression or `return` is the result, print() adds text; a failed tool raises ToolError.",
      '# parallel(lambda: tools.first(), lambda: tools.second()) runs calls at once; tools.search("words") finds tools.',
      ...tools.map((tool) =>
        `${pythonSignature(tool)}${inNamespace(tool) && ` # ${inNamespace(tool).slice(4)}`}`
      ),
      "",
    ].join("\n"),
};

/** The second name of a tool of an imported server. */
function inNamespace(tool: CodeTool): string {
  const inner = nameInNamespace(tool);
  return inner === undefined ? "" : ` // also tools.${tool.namespace}.${inner}`;
}
