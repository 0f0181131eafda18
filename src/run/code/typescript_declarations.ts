import { type CodeTool, isPlainIdentifier, nameInNamespace } from "./code_tool.ts";
import { commentText, schemaToTypescript } from "./schema_to_typescript.ts";

/** What every program sees besides its tools. */
const FIXED = `declare function print(...values: unknown[]): void;
interface ToolHit { name: string; description: string; signature: string }
interface ToolSearch { /** Finds tools by words in their names and descriptions. */ search(query: string, limit?: number): Promise<ToolHit[]> }
declare class ToolError extends Error { readonly tool: string; readonly result: unknown }
declare const console: { [method: string]: (...values: unknown[]) => void };
declare function setTimeout(run: (...values: any[]) => void, ms?: number, ...values: any[]): number;
declare function clearTimeout(id?: number): void;
declare function setInterval(run: (...values: any[]) => void, ms?: number, ...values: any[]): number;
declare function clearInterval(id?: number): void;
declare function queueMicrotask(run: () => void): void;
declare function structuredClone<T>(value: T): T;
declare function btoa(text: string): string;
declare function atob(text: string): string;
declare class URL { constructor(url: string, base?: string); href: string; origin: string; host: string; hostname: string; port: string; pathname: string; protocol: string; search: string; hash: string; readonly searchParams: URLSearchParams; static canParse(url: string, base?: string): boolean }
declare class URLSearchParams { constructor(init?: string | string[][] | Record<string, string>); [Symbol.iterator](): IterableIterator<[string, string]>; entries(): IterableIterator<[string, string]>; keys(): IterableIterator<string>; get(name: string): string | null; getAll(name: string): string[]; has(name: string): boolean; set(name: string, value: string): void; append(name: string, value: string): void; delete(name: string): void; toString(): string }
declare class TextEncoder { encode(text?: string): Uint8Array<ArrayBuffer> }
declare class TextDecoder { constructor(label?: string); decode(bytes?: ArrayBuffer | ArrayBufferView): string }
declare class Response { readonly ok: boolean; readonly status: number; readonly statusText: string; readonly headers: any; readonly url: string; readonly body: any; text(): Promise<string>; json(): Promise<any>; bytes(): Promise<Uint8Array<ArrayBuffer>>; arrayBuffer(): Promise<ArrayBuffer> }
declare function fetch(url: string | URL, init?: any): Promise<Response>;
declare const crypto: { randomUUID(): string; getRandomValues<T>(array: T): T; readonly subtle: any };
declare const performance: { now(): number };
declare const Deno: any, Headers: any, Request: any, FormData: any, Blob: any, AbortController: any, AbortSignal: any, Worker: any;
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
