import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { wait } from "../../src/base/wait.ts";
import type { SandboxChoice } from "../../src/base/sandbox_mode.ts";
import { spawnProcess } from "../../src/process/spawn.ts";
import { type AccessRequest, resolveAccess } from "../../src/sandbox/access.ts";
import { resolveLimits } from "../../src/sandbox/limits.ts";
import type { OpenEgress } from "../../src/sandbox/egress_port.ts";
import { openSandbox } from "../../src/sandbox/open_sandbox.ts";
import type { Permissions } from "../../src/sandbox/permissions.ts";
import { createProgramResolver, type ProgramResolver } from "../../src/sandbox/resolve_program.ts";
import type { Isolation, Sandbox, SandboxJob } from "../../src/sandbox/sandbox.ts";
import { silentLogger } from "./silent_logger.ts";
import { tempDir } from "./temp_dir.ts";

/** A machine in a folder: home, workspace, TOOLS_DIR with two tools, scratch; and a sandbox. */
export interface Bench extends AsyncDisposable {
  readonly path: string;
  readonly home: string;
  readonly root: string;
  readonly toolsDir: string;
  readonly tool: string;
  readonly otherTool: string;
  readonly scratch: string;
  readonly sandbox: Sandbox;
  /** Access of the tool with these permissions. */
  access(
    permissions: Permissions | undefined,
    more?: Partial<AccessRequest>,
  ): ReturnType<typeof resolveAccess>;
  /** Runs a program confined, to its end. */
  run(job: BenchJob): Promise<BenchResult>;
}

/** What {@linkcode Bench.run} runs. */
export interface BenchJob {
  /** Interpreter string and arguments. */
  command: readonly [string, ...string[]];
  permissions?: Permissions;
  kind?: SandboxJob["kind"];
  limits?: Partial<SandboxJob["limits"]>;
  env?: Readonly<Record<string, string>>;
  input?: string;
  cwd?: string;
  services?: readonly string[];
  /** Loosens the confined command line, to see that the corpus notices. */
  alter?: (args: readonly string[]) => readonly string[];
  /** Changes what the access is resolved from. */
  access?: Partial<AccessRequest>;
}

/** How it went. */
export interface BenchResult {
  code: number;
  stdout: string;
  stderr: string;
  isolation: Isolation;
  explanation: string | undefined;
  warning: string | undefined;
}

/** PATH of the tests; only here the environment is looked at. */
export const TEST_PATH: string = Deno.env.get("PATH") ?? "/usr/bin:/bin";

function resolverOver(path: string): ProgramResolver {
  return createProgramResolver({ safeEnvironment: { PATH: path }, denoPath: Deno.execPath() });
}

/** Shared, because asking interpreters who they are takes its time. */
export const TEST_PROGRAMS: ProgramResolver = resolverOver(TEST_PATH);

/** Sets the bench up under a mode. */
export async function openBench(
  choice: SandboxChoice,
  options: { path?: string; openEgress?: OpenEgress } = {},
): Promise<Bench> {
  const dir = await tempDir();
  const at = (...names: string[]) => join(dir.path, ...names);
  const bench = {
    path: dir.path,
    home: at("home"),
    root: at("work"),
    toolsDir: at("tools"),
    tool: at("tools", "mine"),
    otherTool: at("tools", "other"),
    scratch: at("scratch"),
  };
  await Promise.all(Object.values(bench).map((path) => mkdir(path, { recursive: true })));
  const programs = options.path === undefined ? TEST_PROGRAMS : resolverOver(options.path);
  const sandbox = openSandbox({
    choice,
    programs,
    logger: silentLogger,
    ...(options.openEgress === undefined ? {} : { openEgress: options.openEgress }),
  });
  const access = (permissions: Permissions | undefined, more: Partial<AccessRequest> = {}) =>
    resolveAccess({
      permissions,
      defaultProfile: { read: ["$ROOTS"] },
      roots: [bench.root],
      toolDirectory: bench.tool,
      scratch: bench.scratch,
      home: bench.home,
      toolsDir: bench.toolsDir,
      sandboxNetwork: false,
      ...more,
    });
  return {
    ...bench,
    sandbox,
    access,
    async run(job) {
      const signal = AbortSignal.timeout(60_000);
      const [program, ...args] = job.command;
      const found = await programs.resolve(program, { signal });
      const env = {
        PATH: TEST_PATH,
        HOME: bench.scratch,
        TMPDIR: bench.scratch,
        LANG: "C.UTF-8",
        ...found.env,
        ...job.env,
      };
      await using confined = await sandbox.wrap({
        kind: job.kind ?? "script",
        spec: { command: found.command, args: [...found.args, ...args], cwd: job.cwd ?? bench.scratch, env },
        access: await access(job.permissions, job.access),
        limits: resolveLimits(job.limits),
        scratch: bench.scratch,
        ...(job.services === undefined ? {} : { services: job.services }),
      }, { signal });
      const { alter = (args: readonly string[]) => args } = job;
      const spec = { ...confined.spec, args: alter(confined.spec.args) };
      await using child = spawnProcess(spec, { signal, stderrTailBytes: 65_536 });
      confined.started?.(child.pid);
      void child.write(job.input ?? "").then(() => child.endInput());
      const output = new Response(child.stdout).text();
      const { code, signal: by } = await child.status;
      // A descendant may hold the pipe open; it is ended first.
      await wait(250, { until: output });
      await child[Symbol.asyncDispose]();
      const stdout = await output;
      const stderr = child.stderrTail();
      return {
        code,
        stdout,
        stderr,
        isolation: confined.isolation,
        explanation: code === 0 ? undefined : await confined.explain({ code, signal: by, stderr }),
        warning: confined.warning,
      };
    },
    async [Symbol.asyncDispose]() {
      await sandbox[Symbol.asyncDispose]();
      await dir[Symbol.asyncDispose]();
    },
  };
}
