import { isAbsolute, join, normalize, relative, sep } from "node:path";
import { SkillzError } from "../base/errors.ts";
import { isInside } from "../base/is_inside.ts";
import { hiddenPaths, spellOut } from "./_hidden.ts";
import { outermost, realPath } from "./paths.ts";
import type { Access, Permissions } from "./permissions.ts";

/** What {@linkcode resolveAccess} starts from. All folders are absolute. */
export interface AccessRequest {
  /** `permissions` of the manifest; undefined when it has none. */
  permissions: Permissions | undefined;
  /** What a tool without `permissions` gets. */
  defaultProfile: Permissions;
  /** Workspace roots, for `$ROOTS`. */
  roots: readonly string[];
  /** The tool's own folder, for `$TOOL`; always readable. */
  toolDirectory: string;
  /** Its environment (dependencies), if that lies elsewhere; always readable. */
  envDirectory?: string;
  /** Folders of the server's own that every tool may read (helper libraries). */
  support?: readonly string[];
  /** Private folder of this call, for `$TMP`; always writable. */
  scratch: string;
  /** The user's home folder, for `$HOME`. */
  home: string;
  /** TOOLS_DIR: stays out of sight but for the tool's own folder. */
  toolsDir: string;
  /** Whether tools without a `permissions.net` may use the network (SKILLZ_SANDBOX_NETWORK). */
  sandboxNetwork: boolean;
}

/** Kernel interfaces: sandboxes bring their own, and the host's would lead out. */
const KERNEL = ["/proc", "/sys", "/dev"];

/**
 * What a tool may touch in this call: placeholders replaced, links followed, redundant paths dropped.
 *
 * A path that begins with a placeholder must lie in that folder also after links were followed, so that a planted
 * link grants nothing. Throws `SkillzError("denied")` naming the grant where it leads out of there, to TOOLS_DIR, or to
 * the kernel's interfaces; `SkillzError("invalid_input")` where it is not a path of a known form.
 */
export async function resolveAccess(request: AccessRequest): Promise<Access> {
  const given = request.permissions ?? request.defaultProfile;
  const [toolDirectory, scratch, toolsDir, home, envDirectory, support] = await Promise.all([
    realPath(request.toolDirectory),
    realPath(request.scratch),
    realPath(request.toolsDir),
    realPath(request.home),
    request.envDirectory === undefined ? undefined : realPath(request.envDirectory),
    Promise.all((request.support ?? []).map(realPath)),
  ]);
  const own = [toolDirectory, scratch, ...(envDirectory === undefined ? [] : [envDirectory])];
  const resolveAll = async (field: "read" | "write"): Promise<string[]> => {
    const lists = await Promise.all((given[field] ?? []).map((grant) => resolveGrant(grant, field, request)));
    return lists.flatMap((grants) =>
      grants.filter((grant) => mayGrant(grant, { field, own, toolDirectory, toolsDir }))
    )
      .map((grant) => grant.path);
  };
  const [readGrants, writeGrants] = await Promise.all([resolveAll("read"), resolveAll("write")]);
  const writable = [scratch, ...writeGrants];
  const granted = [...own, ...support, ...readGrants, ...writable];
  const hidden = (await hiddenPaths(granted, { toolsDir, home })).filter((path) => !granted.includes(path));
  const write = outermost(writable, { hidden });
  const read = outermost([...own, ...support, ...readGrants], { hidden, others: write });
  return {
    net: given.net ?? (request.permissions === undefined && request.sandboxNetwork ? true : []),
    read,
    write,
    run: unique(given.run),
    sys: unique(given.sys),
    ffi: given.ffi ?? false,
    import: unique(given.import),
    ...(hidden.length > 0 ? { hidden, denied: await spellOut(hidden, [...read, ...write]) } : {}),
  };
}

interface Grant {
  /** As the manifest has it. */
  text: string;
  path: string;
  /** Stands for whatever the workspace is, so nobody asked for this very path. */
  isRoot: boolean;
}

interface GrantFacts {
  field: "read" | "write";
  own: readonly string[];
  toolDirectory: string;
  toolsDir: string;
}

async function resolveGrant(text: string, field: string, request: AccessRequest): Promise<Grant[]> {
  const [, name, rest = ""] = /^\$([A-Z]+)(?:[/\\](.*))?$/s.exec(text) ?? [];
  if (name === undefined) {
    if (!isAbsolute(text) || text.includes("\0")) throw malformed(text, field);
    return [{ text, path: await follow(text, text, field), isRoot: false }];
  }
  const bases = placeholder(name, request);
  if (bases === undefined || rest.includes("\0")) throw malformed(text, field);
  return await Promise.all(bases.map(async (folder) => {
    const base = await realPath(folder);
    const path = await follow(join(base, rest), text, field);
    if (!isInside(path, base)) {
      throw new SkillzError(
        "denied",
        `Cannot grant permissions.${field} "${text}": it leads out of $${name}, must stay inside`,
        {
          hint: "Name the folder by its absolute path if it is meant",
        },
      );
    }
    return { text, path, isRoot: name === "ROOTS" && normalize(join(base, rest, ".")) === base };
  }));
}

function placeholder(name: string, request: AccessRequest): readonly string[] | undefined {
  switch (name) {
    case "ROOTS":
      return request.roots;
    case "TOOL":
      return [request.toolDirectory];
    case "TMP":
      return [request.scratch];
    case "HOME":
      return [request.home];
    default:
      return undefined;
  }
}

async function follow(path: string, text: string, field: string): Promise<string> {
  try {
    return await realPath(path);
  } catch (cause) {
    throw new SkillzError(
      "denied",
      `Cannot grant permissions.${field} "${text}": its links can't be followed, must lead to a path`,
      {
        cause,
      },
    );
  }
}

/** Whether a grant holds; a workspace that is TOOLS_DIR or in it counts as empty instead of failing each tool. */
function mayGrant(grant: Grant, facts: GrantFacts): boolean {
  const { path, text } = grant;
  const refuse = (why: string) =>
    new SkillzError("denied", `Cannot grant permissions.${facts.field} "${text}": ${why}`);
  if (KERNEL.some((folder) => isInside(path, folder))) {
    throw refuse("it is an interface of the kernel, not a file");
  }
  if (facts.field === "write" && isInside(path, facts.toolDirectory)) {
    const [first = ""] = relative(facts.toolDirectory, path).split(sep);
    // Else a tool could rewrite its own permissions or what its next call runs.
    if (first === "" || first.startsWith(".") || first === "env" || first === "manifest.json") {
      throw refuse("a tool may not change itself, only folders of its own such as $TOOL/data");
    }
  }
  if (facts.own.some((folder) => isInside(path, folder))) return true;
  if (!isInside(path, facts.toolsDir)) return true;
  if (grant.isRoot) return false;
  throw refuse("it lies in TOOLS_DIR, where only the tool's own folder may be granted");
}

function malformed(text: string, field: string): SkillzError {
  return new SkillzError(
    "invalid_input",
    `Cannot grant permissions.${field} ${
      JSON.stringify(text)
    }: it must be absolute or begin with $ROOTS, $TOOL, $TMP or $HOME`,
  );
}

function unique(list: readonly string[] | undefined): string[] {
  return [...new Set(list)].sort();
}
