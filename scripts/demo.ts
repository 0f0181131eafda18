import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { createDemoSteps, type DemoStep } from "./demo_steps.ts";

// Plays an AI client: a real MCP client starts the server as a child, makes tools, uses, combines and updates them.
// Everything happens in a temporary folder; exit code 0 only if every answer was the right one.

const main = new URL("../main.ts", import.meta.url);
const out = (line: string) => Deno.stdout.write(new TextEncoder().encode(line + "\n"));

/** Runs the demo; returns how many answers were wrong. */
export async function runDemo(): Promise<number> {
  const folder = await Deno.makeTempDir({ prefix: "skillz-demo-" });
  const started = performance.now();
  const transport = new StdioClientTransport({
    command: Deno.execPath(),
    args: ["run", "-A", main.href],
    env: { ...Deno.env.toObject(), TOOLS_DIR: `${folder}/tools`, HOME: folder, DENO_DIR: denoDir() },
    stderr: "pipe",
  });
  const client = new Client({ name: "demo", version: "1.0.0" }, { versionNegotiation: { mode: "auto" } });
  let wrong = 0;
  try {
    await client.connect(transport);
    const server = client.getServerVersion();
    await out(`connected to ${server?.name} ${server?.version} in ${ms(started)} (first start included)`);
    for (const step of createDemoSteps()) wrong += await play(step, client) ? 0 : 1;
  } finally {
    await client.close();
    await Deno.remove(folder, { recursive: true });
  }
  await out(wrong ? `\n${wrong} answers were wrong` : `\nevery answer was right, ${ms(started)} in all`);
  return wrong;
}

async function play(step: DemoStep, client: Client): Promise<boolean> {
  if (step.needs && !await isInstalled(step.needs)) {
    await out(`\n– ${step.title}: skipped, ${step.needs} is not installed`);
    return true;
  }
  const started = performance.now();
  const result = await client.callTool({ name: step.tool, arguments: step.arguments });
  const answer = result.content.map((b) => b.type === "text" ? b.text : `[${b.type}]`).join("\n");
  const right = Boolean(result.isError) === Boolean(step.fails) &&
    step.expect.every((part) => answer.includes(part));
  await out(`\n${right ? "✓" : "✗"} ${step.title}  (${ms(started)})`);
  await out(`  → ${step.tool} ${shorten(JSON.stringify(step.arguments), 160)}`);
  for (const line of shorten(answer, 600).split("\n")) await out(`  ← ${line}`);
  if (!right) {
    await out(`  wanted ${step.fails ? "a failure" : "a success"} that holds: ${step.expect.join(" | ")}`);
  }
  return right;
}

async function isInstalled(program: string): Promise<boolean> {
  for (const folder of (Deno.env.get("PATH") ?? "").split(":")) {
    const found = await Deno.stat(`${folder}/${program}`).then((s) => s.isFile, () => false);
    if (found) return true;
  }
  return false;
}

// The server's HOME is empty, but it may use the packages that were fetched for this program.
function denoDir(): string {
  return Deno.env.get("DENO_DIR") ??
    `${Deno.env.get("XDG_CACHE_HOME") ?? `${Deno.env.get("HOME")}/.cache`}/deno`;
}

function ms(since: number): string {
  return `${(performance.now() - since).toFixed(1)} ms`;
}

function shorten(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most)}…` : text;
}

if (import.meta.main) Deno.exit(await runDemo() ? 1 : 0);
