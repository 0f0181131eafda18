import { relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { SkillzError } from "../base/errors.ts";
import { isInside } from "../base/is_inside.ts";
import { isJsonObject, type JsonObject } from "../base/json.ts";
import { runProcess } from "../process/run.ts";
import { importFault } from "./_import_fault.ts";
import { realPath } from "./paths.ts";
import type { Access } from "./permissions.ts";

/** A Deno tool, as far as its modules matter. */
export interface GraphTool {
  /** Changes with the code. */
  readonly hash: string;
  /** Folder of the code that the hash is made from. */
  readonly directory: string;
}

/** The run whose modules are to be checked. */
export interface GraphRequest {
  /** The Deno that will run it, and reads the graph. */
  readonly deno: string;
  /** Absolute path of the entry module. */
  readonly entry: string;
  readonly access: Access;
  /** Private folder of the run, new and empty. */
  readonly scratch?: string;
  /** Installed packages, as `npm:` and `jsr:` specifiers: what may be imported besides files. */
  readonly packages: readonly string[];
  /** Import map that the run gets. */
  readonly importMap?: string;
  /** Folder of modules that only the server writes. */
  readonly ownFolder?: string;
  readonly signal: AbortSignal;
}

/** Checks static module graphs, which Deno loads without asking for any permission. */
export interface StaticGraph {
  /**
   * Throws `SkillzError("denied")` naming the first module that is out of bounds, `failed` for code that can't be read.
   * What passed is not checked again, unless a file took part that can change without the tool's hash.
   */
  check(tool: GraphTool, request: GraphRequest): Promise<void>;
}

/** Options of {@linkcode createStaticGraph}. */
export interface StaticGraphOptions {
  /** The safe list of the server's environment. */
  safeEnvironment: Readonly<Record<string, string>>;
}

/** How many versions are remembered as good. */
const REMEMBERED = 2000;

/** A checker that remembers what passed. */
export function createStaticGraph(options: StaticGraphOptions): StaticGraph {
  const passed = new Map<string, true>();
  return {
    async check(tool, request) {
      const { access, entry, importMap, scratch } = request;
      // The private folder is another one in each call, and there is nothing in it yet.
      const lasting = (paths: readonly string[]) =>
        scratch === undefined ? paths : paths.filter((path) => !isInside(path, scratch));
      const key = JSON.stringify([
        tool.hash,
        entry,
        importMap,
        ...[access.read, access.write, access.hidden ?? []].map(lasting),
      ]);
      if (passed.has(key)) return;
      let fixed = true;
      const facts = { ...request, directory: tool.directory, shown: relative(tool.directory, entry) };
      for (const module of await readGraph(request, options)) {
        const file = await checkModule(module, facts);
        fixed &&= file === undefined || isFixed(file, tool, request);
      }
      if (!fixed) return;
      if (passed.size >= REMEMBERED) passed.delete(passed.keys().next().value ?? "");
      passed.set(key, true);
    },
  };
}

/** Whether a module can't change while the tool's hash stays. */
function isFixed(file: string, { directory }: GraphTool, { access, ownFolder }: GraphRequest): boolean {
  if (access.write.some((folder) => isInside(file, folder))) return false;
  return isInside(file, directory) || (ownFolder !== undefined && isInside(file, ownFolder));
}

async function readGraph(request: GraphRequest, options: StaticGraphOptions): Promise<JsonObject[]> {
  const args = [
    "info",
    "--json",
    "--no-config",
    "--no-lock",
    // Nothing is fetched while we only look, and nobody else's module can import a file.
    "--no-remote",
    "--no-npm",
    ...(request.importMap === undefined ? [] : [`--import-map=${request.importMap}`]),
    request.entry,
  ];
  const env = { ...options.safeEnvironment, NO_COLOR: "1" };
  const spec = { command: request.deno, args, cwd: "/", env };
  const result = await runProcess(spec, {
    signal: request.signal,
    timeoutMs: 60_000,
    stdoutLimit: 64 * 1024 * 1024,
  });
  let info: unknown;
  try {
    info = JSON.parse(result.stdout);
  } catch (cause) {
    const said = result.stderr.trim().split("\n").at(-1);
    const reason = said || `${request.deno} ended with exit code ${result.code} and said nothing`;
    throw new SkillzError("failed", `Cannot look at the modules of "${request.entry}": ${reason}`, { cause });
  }
  const modules = isJsonObject(info) && Array.isArray(info.modules) ? info.modules : [];
  return modules.filter(isJsonObject);
}

interface ModuleFacts extends GraphRequest {
  /** The tool's folder. */
  readonly directory: string;
  /** The entry in messages. */
  readonly shown: string;
}

/** Throws if a module is out of bounds, or imports what is not there; else the real path of a local one. */
async function checkModule(module: JsonObject, request: ModuleFacts): Promise<string | undefined> {
  const path = await checkPlace(module, request);
  const fault = importFault(module, request.packages);
  if (fault === undefined) return path;
  throw refused(fault.specifier, fault, request);
}

function refused(
  specifier: string,
  { why, hint }: { why: string; hint: string },
  { shown }: ModuleFacts,
): SkillzError {
  return new SkillzError("denied", `Cannot run "${shown}": its module graph holds ${specifier}, ${why}`, {
    hint,
  });
}

async function checkPlace(module: JsonObject, request: ModuleFacts): Promise<string | undefined> {
  const { specifier, error } = module;
  if (typeof specifier !== "string") return undefined;
  const refuse = (why: string, hint: string) => refused(specifier, { why, hint }, request);
  const scheme = specifier.slice(0, specifier.indexOf(":"));
  switch (scheme) {
    case "node":
    case "data":
    case "blob":
    // Who imports them is judged by `importFault`.
    case "npm":
    case "jsr":
      return undefined;
    case "http":
    case "https":
      if (isGrantedHost(specifier, request)) return undefined;
      throw refuse(
        "a remote module",
        `Declare it as a dependency, or grant permissions.import: ["${new URL(specifier).host}"]`,
      );
    case "file": {
      const path = await realPath(fileURLToPath(specifier)).catch(() => undefined);
      if (path === undefined || !isGrantedFile(path, request.access)) {
        throw refuse(
          "a file outside of what it may read",
          "Move it into the tool's folder, or grant permissions.read",
        );
      }
      if (typeof error === "string") {
        throw new SkillzError("failed", `Cannot run "${request.shown}": ${shortError(error, request)}`);
      }
      return path;
    }
    default:
      throw refuse("a kind of module that is not known", "Import files of the tool's folder");
  }
}

/** jsr: packages are https: modules of their registry to the graph. */
function isGrantedHost(specifier: string, { access, packages }: ModuleFacts): boolean {
  const { host, hostname } = new URL(specifier);
  if (packages.some((name) => name.startsWith("jsr:")) && hostname === "jsr.io") return true;
  return access.import.some((granted) => granted === host || granted === hostname);
}

/** The longest of granted and hidden paths that holds the file decides. */
function isGrantedFile(file: string, { read, write, hidden = [] }: Access): boolean {
  const longest = (paths: readonly string[]) =>
    Math.max(-1, ...paths.filter((folder) => isInside(file, folder)).map((folder) => folder.length));
  return longest([...read, ...write]) > longest(hidden);
}

/** Deno's words in one line, with the place, paths as seen from the tool's folder. */
function shortError(error: string, { directory }: ModuleFacts): string {
  const [first = "a module is missing"] = error.split("\n");
  const place = /\n\s*(at \S+:\d+:\d+)\s*$/.exec(error)?.[1];
  const text = place === undefined ? first : `${first} ${place}`;
  return text.replaceAll(`${pathToFileURL(directory).href}/`, "");
}
