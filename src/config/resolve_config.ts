import { delimiter, dirname, join, resolve } from "node:path";
import { isInside } from "../base/is_inside.ts";
import type { Config } from "./config.ts";
import {
  type Environment,
  hostEnvironment,
  installerEnvironment,
  networkEnvironment,
  readSandbox,
  readSwitch,
  readText,
  safeEnvironment,
  secretsOf,
} from "./environment.ts";
import { readConfigFiles } from "./file.ts";
import { type ServeFlags, splitNames } from "./flags.ts";

/** Where settings come from, besides flags. */
export interface ConfigSources {
  /** The server's environment, see `readEnvironment`. */
  env: Environment;
  /** The current folder. */
  cwd: string;
}

/**
 * One frozen configuration from flags, environment, and files; a flag wins over a variable.
 *
 * @throws {SkillzError} `invalid_input` for a variable with a value that is not known.
 */
export async function resolveConfig(flags: ServeFlags, { env, cwd }: ConfigSources): Promise<Config> {
  const home = await findHome(env);
  const absolute = (path: string) => resolve(cwd, expandHome(path, home));
  const toolsDir = absolute(readText(env, "TOOLS_DIR") ?? join(home, ".skillz", "tools"));
  const sandbox = readSandbox(env);
  const sandboxNetwork = readSwitch(env, "SKILLZ_SANDBOX_NETWORK");
  const database = databaseOf(env);
  const authToken = readText(env, "SKILLZ_AUTH_TOKEN");
  const named = (readText(env, "SKILLZ_ROOTS") ?? "").split(delimiter).filter((path) => path !== "");
  const { servers, policy, http, problems } = await readConfigFiles({ cwd, toolsDir });
  return deepFreeze({
    toolsDir,
    roots: named.length > 0 ? [...new Set(named.map(absolute))] : await startFolder({ cwd, home }),
    cacheDir: join(readText(env, "XDG_CACHE_HOME") ?? join(home, ".cache"), "skillz"),
    home,
    hotReload: flags.hotReload ?? false,
    skills: flags.skills ?? splitNames(env.SKILLZ_SKILLS ?? ""),
    sandbox,
    sandboxNetwork,
    ...(database === undefined ? {} : { database }),
    ...(authToken === undefined ? {} : { authToken }),
    denoPath: denoPath(env),
    secrets: secretsOf(env),
    safeEnvironment: safeEnvironment(env),
    networkEnvironment: networkEnvironment(env),
    installerEnvironment: installerEnvironment(env),
    hostEnvironment: hostEnvironment(env),
    policy,
    servers,
    problems,
    logLevel: flags.logLevel ?? "info",
    serve: {
      transport: flags.transport ?? "stdio",
      port: flags.port ?? 8080,
      host: flags.host ?? "127.0.0.1",
    },
    http,
    allowAnonymous: flags.allowAnonymous ?? false,
  });
}

/**
 * The current folder as workspace. Desktop programs start servers in `/` or in the home folder: that is nobody's
 * workspace, and tools may read a whole one.
 */
async function startFolder({ cwd, home }: { cwd: string; home: string }): Promise<string[]> {
  const real = (path: string) => Deno.realPath(path).catch(() => path);
  return isInside(await real(home), await real(cwd)) || dirname(cwd) === cwd ? [] : [cwd];
}

async function findHome(env: Environment): Promise<string> {
  const named = readText(env, Deno.build.os === "windows" ? "USERPROFILE" : "HOME");
  if (named !== undefined) return resolve(named);
  const { userInfo } = await import("node:os");
  return userInfo().homedir;
}

/** Editors start servers without a shell, so nobody else replaces the `~`. */
function expandHome(path: string, home: string): string {
  return path === "~" || /^~[/\\]/.test(path) ? home + path.slice(1) : path;
}

function databaseOf(env: Environment): Config["database"] {
  const url = readText(env, "SKILLZ_DATABASE_URL");
  const token = readText(env, "SKILLZ_DATABASE_TOKEN");
  if (url === undefined) return undefined;
  return { url, ...(token === undefined ? {} : { token }) };
}

/** The compiled binary is no Deno that runs scripts; there the one on PATH is taken. */
function denoPath(env: Environment): string {
  return readText(env, "SKILLZ_DENO") ?? (Deno.build.standalone ? "deno" : Deno.execPath());
}

function deepFreeze<T>(value: T): T {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const item of Object.values(value)) deepFreeze(item);
  }
  return value;
}
