import { equal } from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { extname, join, relative } from "node:path";
import { tempDir } from "./temp_dir.ts";

/** A registry of our own that takes a package of `deno publish` and gives it to `deno run jsr:…`. */
export interface JsrRegistry extends AsyncDisposable {
  /** For `JSR_URL`. */
  readonly url: string;
  /** Folder with the package as it was published. */
  readonly folder: string;
}

const TYPES: Readonly<Record<string, string>> = {
  ".ts": "application/typescript",
  ".js": "text/javascript",
  ".mjs": "text/javascript",
  ".cjs": "text/javascript",
  ".json": "application/json",
};

/** Opens it on a free port. */
export async function openJsrRegistry(): Promise<JsrRegistry> {
  const dir = await tempDir();
  const folder = join(dir.path, "package");
  await Deno.mkdir(folder);
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, async (request) => {
    const { pathname, searchParams } = new URL(request.url);
    if (!pathname.startsWith("/api/")) return await answer(pathname, folder);
    if (request.method === "POST" && searchParams.has("config")) {
      await unpack(request, folder);
      return Response.json({ id: "1", status: "success", error: null });
    }
    const isVersion = pathname.includes("/versions/");
    return isVersion
      ? Response.json({ code: "packageVersionNotFound", message: "none" }, { status: 404 })
      : Response.json({});
  });
  return {
    url: `http://127.0.0.1:${server.addr.port}`,
    folder,
    async [Symbol.asyncDispose]() {
      await server.shutdown();
      await dir[Symbol.asyncDispose]();
    },
  };
}

async function unpack(request: Request, folder: string): Promise<void> {
  const tar = new Deno.Command("tar", { args: ["xz", "-C", folder], stdin: "piped", stdout: "null" }).spawn();
  await request.body?.pipeTo(tar.stdin);
  equal((await tar.status).code, 0);
}

async function answer(pathname: string, folder: string): Promise<Response> {
  const [, scope, name, rest = ""] = /^\/(@[^/]+)\/([^/]+)\/(.*)$/.exec(pathname) ?? [];
  const { version, exports } = JSON.parse(await readFile(join(folder, "deno.json"), "utf8"));
  if (rest === "meta.json") {
    return Response.json({ scope, name, latest: version, versions: { [version]: {} } });
  }
  if (rest === `${version}_meta.json`) {
    return Response.json({ manifest: await manifestOf(folder), exports: { ".": exports } });
  }
  const path = join(folder, rest.slice(version.length));
  const bytes = await readFile(path).catch(() => undefined);
  if (bytes === undefined) return new Response(null, { status: 404 });
  return new Response(new Uint8Array(bytes), {
    headers: { "content-type": TYPES[extname(path)] ?? "text/plain" },
  });
}

async function manifestOf(folder: string): Promise<Record<string, { size: number; checksum: string }>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map(async ({ parentPath, name }) => {
    const path = join(parentPath, name);
    const bytes = await readFile(path);
    const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", new Uint8Array(bytes))).toHex();
    return [`/${relative(folder, path)}`, { size: bytes.length, checksum: `sha256-${hash}` }] as const;
  });
  return Object.fromEntries(await Promise.all(files));
}
