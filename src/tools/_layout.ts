import { join } from "node:path";

/** Folders of TOOLS_DIR that hold something else than a tool; no tool may have their names. */
export const STORE_FOLDERS: ReadonlySet<string> = new Set(["audit", "node_modules", "repos", "services"]);

/** Folders that the older edition left; they are passed over unless they hold a tool. */
export const OLD_FOLDERS: ReadonlySet<string> = new Set(["envs", "scripts"]);

/** Where things lie in one TOOLS_DIR. */
export interface Layout {
  /** TOOLS_DIR, absolute. */
  readonly root: string;
  /** File that remembers what the folders held. */
  readonly index: string;
  /** File that whoever writes has locked. */
  readonly lock: string;
  /** File in which servers tell each other what they changed. */
  readonly changes: string;
  /** Half-made folders, on the same disk so that a rename moves them into place. */
  readonly staging: string;
  /** Where one tool's things lie. */
  tool(name: string): ToolPlace;
}

/** Where the things of one tool lie. */
export interface ToolPlace {
  /** The tool's name, which is its folder's. */
  readonly name: string;
  /** What people see and edit: manifest.json with the code beside it. */
  readonly home: string;
  /** States of the tool that never change, one folder each, the current one too. */
  readonly versions: string;
  /** The same of the older edition, only read. */
  readonly oldVersions: string;
  /** Says which version is being put in place; there only while that is under way. */
  readonly journal: string;
  /** The folder of one version. */
  version(version: string): string;
  /** A new path in the staging folder. */
  fresh(): string;
}

/** Ending of journals. */
export const JOURNAL = ".commit";

/** The layout of a TOOLS_DIR. */
export function layoutOf(root: string): Layout {
  const staging = join(root, ".staging");
  return {
    root,
    index: join(root, ".index.json"),
    lock: join(root, ".lock"),
    changes: join(root, ".changes"),
    staging,
    tool(name) {
      const versions = join(root, name, ".versions");
      return {
        name,
        home: join(root, name),
        versions,
        oldVersions: join(root, name, "versions"),
        journal: join(staging, name + JOURNAL),
        version: (version) => join(versions, version),
        fresh: () => join(staging, `${name}.${crypto.randomUUID()}`),
      };
    },
  };
}
