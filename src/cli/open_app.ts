import { join } from "node:path";
import { Bus } from "../base/bus.ts";
import { SkillzError } from "../base/errors.ts";
import { late } from "../base/late.ts";
import { loadLate } from "../base/load_late.ts";
import type { Logger } from "../base/log.ts";
import { openTempRoot } from "../base/temp_root.ts";
import type { Config } from "../config/config.ts";
import { NO_WORKSPACE } from "../config/no_workspace.ts";
import { type BuiltinTable, createBuiltinTable } from "../mcp/builtin_table.ts";
import type { Ports } from "../mcp/handler_scope.ts";
import { SessionStore } from "../mcp/session_store.ts";
import type { MemoryStore } from "../memory/memory_store.ts";
import { startOrphanGuard } from "../process/orphan_guard.ts";
import type { ProgramResolver } from "../sandbox/resolve_program.ts";
import type { Sandbox } from "../sandbox/sandbox.ts";
import { resolveActivation } from "../skills/activation.ts";
import { BUILT_IN_BUNDLES, loadBundles } from "../skills/bundles.ts";
import { createSkillCatalog, VIRTUAL_SKILLS } from "../skills/catalog.ts";
import { SkillStore } from "../skills/skill_store.ts";
import { openToolStore } from "../tools/open_tool_store.ts";
import type { ToolStore } from "../tools/tool_store.ts";
import { unkeptFields } from "../tools/unkept_fields.ts";
import type { CallTool } from "../run/runner.ts";
import { composeAudit } from "./compose_audit.ts";
import { composeBuiltins } from "./compose_builtins.ts";
import { composePolicy } from "./compose_policy.ts";
import { composePorts } from "./compose_ports.ts";
import { composeRun } from "./compose_run.ts";
import { lateInstall } from "./late_install.ts";
import { lateSandbox } from "./late_sandbox.ts";
import { lateStrays } from "./late_strays.ts";
import { RESERVED_NAMES } from "./reserved_names.ts";

/** All parts of a server, built and handed to each other; disposing it ends everything that it started. */
export interface App extends AsyncDisposable {
  readonly config: Config;
  readonly logger: Logger;
  readonly bus: Bus;
  readonly store: ToolStore;
  readonly memory: MemoryStore;
  /** Knowledge skills; not read before `ready` is called. */
  readonly skills: SkillStore;
  readonly sandbox: Sandbox;
  readonly programs: ProgramResolver;
  readonly builtins: BuiltinTable;
  readonly callTool: CallTool;
  readonly sessions: SessionStore;
  readonly ports: Ports;
}

/** The one place where parts are built. Loads the tools; starts no process. */
export async function openApp(config: Config, logger: Logger): Promise<App> {
  await using undo = new AsyncDisposableStack();
  for (const problem of config.problems) logger.warn(problem);
  if (config.roots.length === 0) logger.info(NO_WORKSPACE);
  const bus = new Bus();
  undo.use(startOrphanGuard());
  const strays = undo.use(lateStrays(logger));
  const policy = composePolicy(config, logger);
  const audit = undo.use(composeAudit(config, logger));
  const temp = undo.use(openTempRoot());
  const confinement = undo.use(lateSandbox({ config, logger, temp }));
  const { sandbox, programs } = confinement;
  const memory = undo.use(late<MemoryStore>(async () => {
    const url = new URL("../memory/open_memory_store.ts", import.meta.url);
    const { openMemoryStore } = await loadLate<typeof import("../memory/open_memory_store.ts")>(url);
    return openMemoryStore(config.database ?? { path: join(config.toolsDir, ".memory.db") }, { bus });
  }));
  const store = undo.use(
    openToolStore({ toolsDir: config.toolsDir, bus, logger, reservedNames: RESERVED_NAMES }),
  );
  await store.load();
  for (const { folder, reason } of store.broken()) {
    logger.warn(`Cannot load tool folder ${folder}: ${reason}`);
  }
  for (const { name, manifest } of store.list()) {
    for (const fault of unkeptFields(manifest)) {
      logger.warn(`Tool ${name} can't have what it asks for: ${fault}`);
    }
  }

  const skills = undo.use(
    new SkillStore({
      toolsDir: config.toolsDir,
      roots: config.roots,
      home: config.home,
      bus,
      logger,
      isReserved: (name) => RESERVED_NAMES.has(name),
      isTool: (name) => store.get(name) !== undefined,
    }),
  );
  const catalog = createSkillCatalog(store, skills);
  const loadSources = async (names?: readonly string[]) => {
    // A start with names that are known without them does not wait for the knowledge skills.
    if (!names?.every((name) => catalog.find(name) || Object.hasOwn(BUILT_IN_BUNDLES, name))) {
      await skills.ready();
    }
    const paths = [
      join(config.toolsDir, "bundles.json"),
      join(config.home, ".gemini", "skills", "bundles.json"),
    ];
    const { bundles, problems } = await loadBundles(paths);
    for (const problem of problems) logger.warn(problem);
    return { catalog, bundles };
  };
  const sessions = new SessionStore({ active: await startSkills(config.skills, { loadSources, logger }) });

  // Built-in tools call tools, and tools call built-in tools: the table is filled in once both sides are there.
  let builtins: BuiltinTable = createBuiltinTable([]);
  const install = lateInstall({ config, sandbox, programs, temp });
  const run = undo.use(composeRun({
    config,
    policy,
    audit,
    environments: install.environments,
    logger,
    store,
    memory,
    sandbox,
    programs,
    strays,
    temp,
    builtins: {
      has: (name) => builtins.has(name),
      names: () => builtins.names(),
      call: (name, args, ctx) => builtins.call(name, args, ctx),
    },
    skills: () => [...Object.keys(VIRTUAL_SKILLS), ...skills.list().map(({ name }) => name)],
    resources: () => ports.resources,
    listings: () => builtins,
  }));
  builtins = createBuiltinTable(
    composeBuiltins({
      config,
      policy,
      store,
      memory,
      sessions,
      run,
      install,
      programs,
      skills,
      loadSources: () => loadSources(),
      builtins: () => builtins,
    }),
    {
      rightsOf(name) {
        const tool = store.get(name);
        return tool === undefined ? {} : tool.manifest.permissions;
      },
    },
  );
  const ports = composePorts({ config, logger, store, memory, sandbox, builtins, catalog, skills, run });
  const owned = undo.move();
  return {
    config,
    logger,
    bus,
    store,
    memory,
    skills,
    sandbox,
    programs,
    builtins,
    callTool: run.callTool,
    sessions,
    ports,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

interface StartOptions {
  loadSources(names: readonly string[]): Promise<Parameters<typeof resolveActivation>[1]>;
  logger: Logger;
}

/** Skills that are active from the start; a bad name is told and costs only itself. */
async function startSkills(
  names: readonly string[],
  { loadSources, logger }: StartOptions,
): Promise<string[]> {
  if (names.length === 0) return [];
  const sources = await loadSources(names);
  const active = new Set<string>();
  for (const name of names) {
    try {
      const { skills, problems } = resolveActivation(name, sources);
      for (const skill of skills) active.add(skill);
      for (const problem of problems) logger.warn(problem);
    } catch (error) {
      if (!(error instanceof SkillzError)) throw error;
      logger.warn(`${error.message}. ${error.hint ?? ""}`);
    }
  }
  return [...active];
}
