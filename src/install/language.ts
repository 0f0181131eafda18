import { basename } from "node:path";

/** Languages whose packages can be installed. */
export type Language = "python" | "node" | "deno";

/** The language of an interpreter string such as `python3 -u`; undefined when it has no packages that we install. */
export function languageOf(interpreter: string): Language | undefined {
  const [program = ""] = interpreter.trim().split(/\s+/);
  const name = basename(program).replace(/\.exe$/i, "").toLowerCase();
  if (/^(python|pypy)[\d.]*$/.test(name)) return "python";
  if (/^(node(js)?|bun)$/.test(name)) return "node";
  return name === "deno" ? "deno" : undefined;
}
