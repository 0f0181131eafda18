/**
 * Which folder of `src/` may import from which, as data: the lint rule and the architecture test both read this table.
 * `import type` follows the same rule. Every folder may import from itself.
 */
export const LAYERS: Readonly<Record<string, readonly string[]>> = {
  base: [],
  config: ["base"],
  process: ["base"],
  sandbox: ["base", "process"],
  tools: ["base", "process", "sandbox"],
  install: ["base", "process", "sandbox", "tools"],
  memory: ["base"],
  services: ["base"],
  skills: ["base", "process", "tools"],
  run: ["base", "process", "sandbox", "tools", "install", "memory", "services"],
  author: ["base", "process", "sandbox", "tools", "install", "skills", "run"],
  guide: ["base", "tools", "skills", "services"],
  mcp: ["base", "process", "sandbox", "tools", "skills", "run", "author", "memory", "services", "guide"],
  transport: ["base", "mcp"],
  cli: [
    "base",
    "config",
    "process",
    "sandbox",
    "tools",
    "install",
    "memory",
    "services",
    "skills",
    "run",
    "author",
    "guide",
    "mcp",
    "transport",
  ],
};
