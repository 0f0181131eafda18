/**
 * Builds the self-contained binary:
 * `deno task compile [--deno PATH] [--output FILE] [--target TRIPLE] [--embed PATH]`.
 *
 * `--deno` names another Deno to compile with, where this one can't fetch its runtime; `DENORT_BIN` names the runtime
 * that matches it. `--embed` names the Deno that goes inside to run tools where a machine has none: the compiling one
 * for Linux without a target, `none` leaves it out. What is built is started once, and must tell its version.
 */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import config from "../deno.json" with { type: "json" };
import { embedDeno } from "./compile/embed_deno.ts";
import { uselessFiles } from "./compile/useless_files.ts";
import { print } from "./print.ts";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
/** Behind a proxy with an authority of its own, the machine's certificates are the only ones that do. */
const CERTIFICATES = "mozilla,system";
/** Flags that not every version of Deno has, or needs. */
const IF_KNOWN = ["--exclude-unused-npm"];

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      deno: { type: "string", default: Deno.execPath() },
      output: {
        type: "string",
        default: join(ROOT, "dist", Deno.build.os === "windows" ? "skillz.exe" : "skillz"),
      },
      target: { type: "string" },
      embed: { type: "string" },
    },
  });
  const { deno, output, target } = values;
  const embedded = values.embed ??
    (Deno.build.os === "linux" && target === undefined ? await programOf(deno) : "none");
  const help = await new Deno.Command(deno, { args: ["compile", "--help"] }).output();
  const known = new TextDecoder().decode(help.stdout);
  const args = [
    "compile",
    // The server starts programs, which ends what permissions of its own could promise; tools get theirs one by one.
    "--allow-all",
    "--no-check",
    // For `cli/trim_memory.ts`: what is compiled takes no flags later on.
    "--v8-flags=--expose-gc",
    "--frozen",
    // Versions that still call text imports unstable refuse them without this flag.
    "--unstable-raw-imports",
    ...IF_KNOWN.filter((flag) => known.includes(flag)),
    ...(await namedByUrl(join(ROOT, "src"))).flatMap((path) => ["--include", path]),
    ...(await uselessFiles(deno, target)).flatMap((path) => ["--exclude", path]),
    ...(target === undefined ? [] : ["--target", target]),
    "--output",
    output,
    "main.ts",
  ];
  const env = { DENO_TLS_CA_STORE: Deno.env.get("DENO_TLS_CA_STORE") ?? CERTIFICATES };
  const built = await new Deno.Command(deno, { args, cwd: ROOT, env, stdin: "null" }).spawn().status;
  if (!built.success) return built.code;
  if (embedded !== "none") await embedDeno(embedded, output);
  const { size } = await Deno.stat(output);
  print(`${output}: ${(size / 1e6).toFixed(0)} MB`);
  // A program for another kind of machine can't be tried here.
  if (target !== undefined) return 0;
  const tried = await new Deno.Command(output, { args: ["--version"] }).output();
  const said = new TextDecoder().decode(tried.stdout).trim();
  print(`${output} --version: ${said}`);
  return tried.success && said.includes(config.version) ? 0 : 1;
}

/** The file of a Deno: what is on PATH may be a script that starts it. */
async function programOf(deno: string): Promise<string> {
  const args = ["eval", "--no-config", "console.log(Deno.execPath())"];
  const { stdout } = await new Deno.Command(deno, { args }).output();
  return new TextDecoder().decode(stdout).trim();
}

/** Modules that are found by `new URL("…", import.meta.url)`, as workers are: no import leads to them. */
async function namedByUrl(folder: string): Promise<string[]> {
  const found: string[] = [];
  for await (const entry of Deno.readDir(folder)) {
    const path = join(folder, entry.name);
    if (entry.isDirectory) found.push(...await namedByUrl(path));
    else if (entry.name.endsWith(".ts")) {
      const source = await Deno.readTextFile(path);
      const names = source.matchAll(/new URL\(\s*"(\.[^"]+\.ts)",\s*import\.meta\.url/g);
      found.push(...[...names].map(([, name]) => join(folder, name ?? "")));
    }
  }
  return [...new Set(found)].sort();
}

if (import.meta.main) Deno.exit(await main());
