import { resolveAccess } from "../../sandbox/access.ts";
import type { Permissions } from "../../sandbox/permissions.ts";
import { workingDirectoryOf } from "../working_directory.ts";
import { workspaceRoots } from "../workspace_roots.ts";
import type { WasmRunnerDeps } from "./wasm_runner.ts";

/** What {@linkcode createLoadAccess} takes from the server's configuration. */
export interface LoadAccessSettings {
  /** Folder of all tools, which stays out of sight but for the own one. */
  readonly toolsDir: string;
  /** SKILLZ_ROOTS or the server's folder. */
  readonly roots: readonly string[];
  /** The user's home folder. */
  readonly home: string;
  /** Whether tools without `permissions.net` may use the network; modules never can. */
  readonly sandboxNetwork: boolean;
  /** What a tool without `permissions` may do. */
  readonly defaultProfile: Permissions;
}

/** How the runner of modules finds out what a tool may touch. */
export function createLoadAccess(settings: LoadAccessSettings): WasmRunnerDeps["loadAccess"] {
  return async (tool, scratch, ctx) => {
    const roots = await workspaceRoots(ctx, settings.roots);
    const access = await resolveAccess({
      permissions: tool.manifest.permissions,
      defaultProfile: settings.defaultProfile,
      roots,
      toolDirectory: tool.directory,
      scratch,
      home: settings.home,
      toolsDir: settings.toolsDir,
      sandboxNetwork: settings.sandboxNetwork,
    });
    const workingDirectory = await workingDirectoryOf(roots, access);
    return { access, ...(workingDirectory === undefined ? {} : { workingDirectory }) };
  };
}
