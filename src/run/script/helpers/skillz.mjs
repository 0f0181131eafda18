// Helper library for Node: `import { tool } from "skillz"` or `require("skillz")`. See skillz.ts for what each function does.
import fs from "node:fs";
// deno-lint-ignore skillz/no-env-outside-config -- runs in a script's own process, whose streams it needs
import process from "node:process";
import { createSkillz } from "./core.mjs";

// stdout belongs to the protocol: console.log and process.stdout reach stderr.
Object.defineProperty(process, "stdout", { get: () => process.stderr, configurable: true });

function read(onLine, onEnd) {
  let rest = "";
  process.stdin.setEncoding("utf8");
  process.stdin.on("data", (chunk) => {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop();
    for (const line of lines) onLine(line);
  });
  process.stdin.on("end", onEnd);
}

function write(text) {
  const bytes = new TextEncoder().encode(text);
  for (let at = 0; at < bytes.length;) {
    try {
      // deno-lint-ignore skillz/no-sync-io -- runs in a script's own process; a message goes out whole and in order
      at += fs.writeSync(1, bytes, at);
    } catch (error) {
      if (error.code !== "EAGAIN") throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
    }
  }
}

async function storage() {
  return (await import("node:async_hooks")).AsyncLocalStorage;
}

const skillz = createSkillz({ read, write, storage, exit: (code) => process.exit(code) });
export const {
  tool,
  progress,
  log,
  stream,
  memory,
  resources,
  call,
  elicit,
  sample,
  roots,
  context,
  SkillzError,
  ToolError,
} = skillz;
export default skillz;
