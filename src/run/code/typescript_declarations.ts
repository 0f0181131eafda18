import { type CodeTool, isPlainIdentifier, nameInNamespace } from "./code_tool.ts";
import { commentText, schemaToTypescript } from "./schema_to_typescript.ts";

/** What every program sees besides its tools. */
const FIXED = `declare function print(...values: unknown[]): void;
interface ToolHit { name: string; description: string; signature: string }
interface ToolSearch { /** Finds tools by words in their names and descriptions. */ search(query: string, limit?: number): Promise<ToolHit[]> }
declare class ToolError extends Error { readonly tool: string; readonly result: unknown }
declare const console: { log(...values: unknown[]): void; error(...values: unknown[]): void; warn(...values: unknown[]): void; info(...values: unknown[]): void; debug(...values: unknown[]): void };
declare function setTimeout(run: () => void, ms?: number): number;
declare function clearTimeout(id: number): void;
declare function structuredClone<T>(value: T): T;
declare function btoa(text: string): string;
declare function atob(text: string): string;
declare class URL { constructor(url: string, base?: string); href: string; host: string; hostname: string; pathname: string; protocol: string; search: string; hash: string; searchParams: URLSearchParams }
declare class URLSearchParams { constructor(init?: string | Record<string, string>); get(name: string): string | null; set(name: string, value: string): void; append(name: string, value: string): void; toString(): string }
declare class TextEncoder { encode(text: string): Uint8Array }
declare class TextDecoder { decode(bytes: Uint8Array): string }
declare const crypto: { randomUUID(): string };
declare module "node:*";
declare module "npm:*";
declare module "jsr:*";
declare module "http:*";
declare module "https:*";
declare module "file:*";
declare module "data:*";
`;

/** One tool as a line of TypeScript: doc comment, name, argument and result type. */
export function typescriptSignature(tool: CodeTool, name: string = tool.name): string {
  const required = Array.isArray(tool.inputSchema.required) && tool.inputSchema.required.length > 0;
  const args = schemaToTypescript(tool.inputSchema);
  const result = tool.outputSchema ? schemaToTypescript(tool.outputSchema) : "any";
  const key = isPlainIdentifier(name) ? name : JSON.stringify(name);
  return `/** ${commentText(tool.description)} */ ${key}(args${
    required ? "" : "?"
  }: ${args}): Promise<${result}>`;
}

/** Declarations for type checking a program: `tools` with these tools, `print`, and what the sandbox offers. */
export function typescriptDeclarations(tools: readonly CodeTool[]): string {
  const members = tools.map((tool) => typescriptSignature(tool));
  const spaces = new Map<string, string[]>();
  for (const tool of tools) {
    const inner = nameInNamespace(tool);
    if (inner === undefined || tool.namespace === undefined) continue;
    spaces.set(tool.namespace, [...spaces.get(tool.namespace) ?? [], typescriptSignature(tool, inner)]);
  }
  for (const [space, signatures] of spaces) {
    const taken = tools.some((tool) => tool.name === space);
    if (!taken) {
      members.push(
        `${isPlainIdentifier(space) ? space : JSON.stringify(space)}: { ${signatures.join("; ")} }`,
      );
    }
  }
  return `${FIXED}declare const tools: ToolSearch & { ${members.join("; ")} };\n`;
}
