import { basename, dirname, isAbsolute } from "node:path";
import { isSystemPath } from "./system_paths.ts";
import { runProcess } from "../process/run.ts";

/** What an interpreter says of itself. */
export interface InterpreterAnswer {
  /** The program behind shims and wrappers. Its own links stay: to a Python they say which environment is meant. */
  command: string;
  /** Folders and files that it loads. */
  needs: string[];
  /** Variables that stand in for what a wrapper did. */
  env: Record<string, string>;
}

/** How to ask: arguments that make it print a JSON list, the program first, then what it loads. */
const QUESTIONS: readonly { name: RegExp; args: readonly string[] }[] = [
  {
    name: /^(python|pypy)[\d.]*$/,
    args: [
      "-I",
      "-c",
      "import sys,json;print(json.dumps([sys.executable,sys.base_prefix,sys.prefix,sys.base_exec_prefix]+sys.path))",
    ],
  },
  { name: /^node(js)?$/, args: ["-p", "JSON.stringify([process.execPath])"] },
  // Installed by npm it is a script that starts the program beside it.
  { name: /^deno$/, args: ["eval", "--no-config", "console.log(JSON.stringify([Deno.execPath()]))"] },
  { name: /^bun$/, args: ["-p", "JSON.stringify([process.execPath])"] },
  {
    name: /^ruby[\d.]*$/,
    args: [
      "-rjson",
      "-rrbconfig",
      "-e",
      "c=RbConfig::CONFIG;puts JSON.generate([RbConfig.ruby,c['rubylibprefix'],c['libdir'],*$:,*Gem.path])",
    ],
  },
  {
    name: /^perl[\d.]*$/,
    args: ["-MConfig", "-MJSON::PP", "-e", "print encode_json([$Config{perlpath}, grep {!ref} @INC])"],
  },
  {
    name: /^php[\d.]*$/,
    args: [
      "-r",
      "echo json_encode(array_merge([PHP_BINARY, PHP_EXTENSION_DIR, PHP_CONFIG_FILE_PATH], array_filter([php_ini_loaded_file()])));",
    ],
  },
];

/** Asks a known interpreter who it really is; undefined when the program is none or does not answer. */
export async function askInterpreter(
  path: string,
  options: { safeEnvironment: Readonly<Record<string, string>>; signal: AbortSignal },
): Promise<InterpreterAnswer | undefined> {
  const name = basename(path);
  if (/^(cargo|rustc|rustdoc|rustfmt)$/.test(name)) return await askRustup(path, options);
  const question = QUESTIONS.find((row) => row.name.test(name));
  if (question === undefined || path === Deno.execPath()) return undefined;
  const said = await ask(path, question.args, options);
  try {
    const list: unknown = JSON.parse(said ?? "");
    const [command, ...needs] = Array.isArray(list) ? list.filter(isPath) : [];
    return command === undefined
      ? undefined
      : { command, needs: needs.filter((need) => !isSystemPath(need)), env: {} };
  } catch {
    return undefined;
  }
}

/** rustup's programs are one proxy that picks a toolchain; the sandbox starts the toolchain's own. */
async function askRustup(
  path: string,
  options: { safeEnvironment: Readonly<Record<string, string>>; signal: AbortSignal },
): Promise<InterpreterAnswer | undefined> {
  const rustc = `${dirname(path)}/rustc`;
  const sysroot = (await ask(rustc, ["--print", "sysroot"], options))?.trim();
  if (sysroot === undefined || !isAbsolute(sysroot)) return undefined;
  const bin = `${sysroot}/bin`;
  return { command: `${bin}/${basename(path)}`, needs: [sysroot], env: { RUSTC: `${bin}/rustc` } };
}

async function ask(
  command: string,
  args: readonly string[],
  options: { safeEnvironment: Readonly<Record<string, string>>; signal: AbortSignal },
): Promise<string | undefined> {
  try {
    const spec = { command, args, cwd: "/", env: options.safeEnvironment };
    const { code, stdout } = await runProcess(spec, { signal: options.signal, timeoutMs: 20_000 });
    return code === 0 ? stdout : undefined;
  } catch {
    options.signal.throwIfAborted();
    return undefined;
  }
}

/** Only absolute paths; and never a whole home or root, whatever an interpreter claims to load. */
function isPath(value: unknown): value is string {
  return typeof value === "string" && isAbsolute(value) && value.split("/").filter(Boolean).length > 1;
}
