import { delimiter, dirname, join } from "node:path";
import { SkillzError } from "../../base/errors.ts";
import type { JsonObject } from "../../base/json.ts";
import { isInside } from "../../base/is_inside.ts";
import { resolveAccess } from "../../sandbox/access.ts";
import { denoFlags } from "../../sandbox/deno_flags.ts";
import type { Access, Permissions } from "../../sandbox/permissions.ts";
import type { ProgramResolver, ResolvedProgram } from "../../sandbox/resolve_program.ts";
import type { SandboxJob } from "../../sandbox/sandbox.ts";
import type { StaticGraph } from "../../sandbox/static_graph.ts";
import { entryFile } from "../../tools/entry_file.ts";
import type { Tool } from "../../tools/tool.ts";
import type { CallContext } from "../call_context.ts";
import type { ServiceBindings, ServiceLinks } from "../service_links.ts";
import { workingDirectoryOf } from "../working_directory.ts";
import { workspaceRoots } from "../workspace_roots.ts";
import { scriptEnvironment } from "./environment.ts";
import type { ScriptPlace } from "./execute_params.ts";
import type { HelperPaths, Helpers } from "./helper_folder.ts";
import { importMapFor } from "./import_map.ts";
import { findInterpreter, programName } from "./interpreters.ts";
import type { ToolEnvironments, ToolRuntime } from "./tool_environment.ts";

/** What scripts get from the server's configuration. */
export interface ScriptSettings {
  /** TOOLS_DIR, absolute. */
  readonly toolsDir: string;
  /** SKILLZ_ROOTS or the server's folder. */
  readonly roots: readonly string[];
  /** The user's home folder. */
  readonly home: string;
  /** Secrets for tools, by name. */
  readonly secrets: Readonly<Record<string, string>>;
  /** The safe list of the server's environment. */
  readonly safeEnvironment: Readonly<Record<string, string>>;
  /** Whether tools that declare no `net` may use the network. */
  readonly sandboxNetwork: boolean;
  /** What a tool without `permissions` may do. */
  readonly defaultProfile: Permissions;
}

/** What {@linkcode planLaunch} and {@linkcode launchJob} need. */
export interface LaunchDeps {
  /** The server's configuration. */
  readonly settings: ScriptSettings;
  /** Finds interpreters. */
  readonly programs: ProgramResolver;
  /** Helper libraries. */
  readonly helpers: Helpers;
  /** Installed dependencies. */
  readonly environments?: ToolEnvironments;
  /** Services that tools require. */
  readonly services?: ServiceLinks;
  /** Looks at what the modules of a Deno tool import. */
  readonly moduleGraph?: StaticGraph;
}

/** How a tool would be started for a call: everything but the private folder of that call. */
export interface LaunchPlan {
  /** The tool, in exactly this version. */
  readonly tool: Tool;
  /** Workspace folders, the client's first. */
  readonly roots: readonly string[];
  /** How its services are reached. */
  readonly services: ServiceBindings;
  /** Its installed dependencies, if it has any. */
  readonly runtime: ToolRuntime | undefined;
  /** The same for two launches that may stand in for each other. */
  readonly key: string;
}

/** A job for the sandbox, and what the script is told about its place. */
export interface Launch {
  /** What is started. */
  readonly job: SandboxJob;
  /** What the script is told. */
  readonly place: ScriptPlace;
}

const NO_SERVICES: ServiceBindings = { context: {}, env: {}, addresses: [] };

/** Finds out how a tool is started for this call. */
export async function planLaunch(tool: Tool, deps: LaunchDeps, ctx: CallContext): Promise<LaunchPlan> {
  const { manifest } = tool;
  const { signal } = ctx;
  const names = manifest.requires_services;
  const [roots, services, runtime] = await Promise.all([
    workspaceRoots(ctx, deps.settings.roots),
    names.length > 0 && deps.services ? deps.services.resolve(names, { signal }) : NO_SERVICES,
    deps.environments?.runtime(tool, { signal }),
  ]);
  // Names and directory only: secrets are the same for the whole life of the server.
  const key = JSON.stringify([tool.name, tool.hash, tool.directory, roots, services, runtime ?? null]);
  return { tool, roots, services, runtime, key };
}

/** The job that starts a planned tool with `scratch` as its private folder. */
export async function launchJob(
  plan: LaunchPlan,
  deps: LaunchDeps,
  options: { scratch: string; signal: AbortSignal },
): Promise<Launch> {
  const { tool, roots, services, runtime } = plan;
  const { manifest } = tool;
  const { settings } = deps;
  const { scratch } = options;
  const { interpreter = "" } = manifest;
  const row = findInterpreter(interpreter);
  const { entry, access, program, helpers, importMap } = await findParts(plan, deps, options);
  const environment = scriptEnvironment(manifest, {
    safe: settings.safeEnvironment,
    secrets: settings.secrets,
    ...(settings.defaultProfile.env === undefined ? {} : { secretsByDefault: settings.defaultProfile.env }),
    scratch,
  });
  const workingDirectory = await workingDirectoryOf(roots, access) ?? scratch;
  const env = {
    ...environment,
    ...row?.env,
    ...program.env,
    ...helpers.environment(environment.PATH ?? ""),
    ...services.env,
    ...runtime?.env,
    ...bothModules(helpers.environment("").NODE_PATH, runtime?.env?.NODE_PATH),
  };
  const args = row?.deno
    ? [
      "run",
      ...denoFlags(withServices(access, services.addresses), denoOptions(plan)),
      `--import-map=${importMap}`,
      ...runtime?.args ?? [],
      entry,
    ]
    : [...program.args, ...isNode(interpreter) ? helpers.nodeArgs : [], ...runtime?.args ?? [], entry];
  return {
    job: {
      kind: row?.deno ? "deno" : "script",
      spec: { command: runtime?.program ?? program.command, args, cwd: workingDirectory, env },
      access,
      // The kernel counts the CPU time of the process, which here is that of many calls.
      limits: manifest.lifecycle === "persistent"
        ? { ...manifest.limits, cpu_ms: Infinity }
        : manifest.limits,
      scratch,
      services: services.addresses,
      // An environment's own program is a link to this one; asking it would run what packages brought along.
      needs: program.needs,
    },
    place: {
      roots,
      workingDirectory,
      toolsDir: settings.toolsDir,
      environment: { ...environment, ...services.env },
      services: services.context as JsonObject,
    },
  };
}

/** Bun takes none of Node's hooks. */
function isNode(interpreter: string): boolean {
  return ["node", "nodejs"].includes(programName(interpreter.trim().split(/\s+/)[0] ?? ""));
}

/** What Node's `require` finds: the tool's packages, then the helper. */
function bothModules(helper: string | undefined, packages: string | undefined): Record<string, string> {
  return helper === undefined || packages === undefined
    ? {}
    : { NODE_PATH: `${packages}${delimiter}${helper}` };
}

/** What a start is made from. */
export interface LaunchParts {
  /** Absolute path of the script. */
  readonly entry: string;
  readonly access: Access;
  readonly program: ResolvedProgram;
  readonly helpers: HelperPaths;
  /** For Deno. */
  readonly importMap: string;
}

/** Finds what a start is made from. Throws `SkillzError` for what stands against it, modules out of bounds above all. */
export async function findParts(
  plan: LaunchPlan,
  deps: LaunchDeps,
  { scratch, signal }: { scratch: string; signal: AbortSignal },
): Promise<LaunchParts> {
  const { tool } = plan;
  const entry = entryPath(tool);
  const interpreter = tool.manifest.interpreter ?? "";
  const [access, program, helpers] = await Promise.all([
    accessOf(plan, deps, scratch),
    deps.programs.resolve(interpreter, { signal }),
    deps.helpers.ready(),
  ]);
  const packages = packagesOf(plan);
  const importMap = importMapFor(packages, helpers.denoModule);
  if (findInterpreter(interpreter)?.deno) {
    const ownFolder = dirname(helpers.denoModule);
    const modules = { deno: program.command, entry, access, scratch, packages, importMap, ownFolder, signal };
    await deps.moduleGraph?.check(tool, modules);
  }
  return { entry, access, program, helpers, importMap };
}

/** Deno's own flags must let the addresses of services through as well. */
function withServices(access: Access, addresses: readonly string[]): Access {
  if (access.net === true || addresses.length === 0) return access;
  return { ...access, net: [...new Set([...access.net, ...addresses])] };
}

/** What a Deno tool may import besides files. */
function packagesOf({ tool, runtime }: LaunchPlan): readonly string[] {
  return runtime?.packages ?? tool.manifest.dependencies;
}

function denoOptions(plan: LaunchPlan): Parameters<typeof denoFlags>[1] {
  const { tool, runtime } = plan;
  return {
    dependencies: packagesOf(plan),
    memoryMb: tool.manifest.limits.memory_mb,
    ...(runtime?.lockFile === undefined ? {} : { lockFile: runtime.lockFile }),
  };
}

async function accessOf(plan: LaunchPlan, deps: LaunchDeps, scratch: string): Promise<Access> {
  const { settings } = deps;
  const { directories } = await deps.helpers.ready();
  return await resolveAccess({
    permissions: plan.tool.manifest.permissions,
    defaultProfile: settings.defaultProfile,
    roots: plan.roots,
    toolDirectory: plan.tool.directory,
    ...(plan.runtime === undefined ? {} : { envDirectory: plan.runtime.directory }),
    support: directories,
    scratch,
    home: settings.home,
    toolsDir: settings.toolsDir,
    sandboxNetwork: settings.sandboxNetwork,
  });
}

function entryPath(tool: Tool): string {
  const path = join(tool.directory, entryFile(tool.manifest) ?? "");
  if (!isInside(path, tool.directory)) {
    throw new SkillzError("denied", `Cannot run tool "${tool.name}": entry_file leads out of its folder`);
  }
  return path;
}
