import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { SandboxMode } from "../../../src/base/sandbox_mode.ts";
import { runProcess } from "../../../src/process/run.ts";
import { createEgress } from "../../../src/sandbox/egress/create_egress.ts";
import { denoFlags } from "../../../src/sandbox/deno_flags.ts";
import type { Permissions } from "../../../src/sandbox/permissions.ts";
import { createProgramResolver, type ProgramResolver } from "../../../src/sandbox/resolve_program.ts";
import { type Bench, type BenchResult, openBench, TEST_PATH } from "../../support/sandboxed.ts";

/** A sandbox with a way out, and an HTTP and an HTTPS server outside that stand for hosts of the Internet. */
export interface InsideBench extends AsyncDisposable {
  readonly bench: Bench;
  readonly port: number;
  readonly tlsPort: number;
  /** Certificate that the HTTPS server, as `api.example`, is known by. */
  readonly certificate: string;
  /** Runs a TypeScript program with the flags of its permissions. */
  deno(code: string, permissions: Permissions, env?: Record<string, string>): Promise<BenchResult>;
}

/** Options of {@linkcode openInsideBench}. */
export interface InsideBenchOptions {
  /** A machine without perl. */
  withoutPerl?: boolean;
}

/** Opens one. `api.example`, `private.example` and `*.sub.example` are names of this machine. */
export async function openInsideBench(
  mode: Exclude<SandboxMode, "none">,
  options: InsideBenchOptions = {},
): Promise<InsideBench> {
  await using undo = new AsyncDisposableStack();
  const known = createProgramResolver({
    safeEnvironment: { PATH: TEST_PATH },
    denoPath: Deno.execPath(),
  });
  const programs: ProgramResolver = {
    resolve: (program, { signal }) =>
      options.withoutPerl && program === "perl"
        ? Promise.reject(new Error("no perl here"))
        : known.resolve(program, { signal }),
  };
  const egress = undo.use(createEgress({
    programs,
    resolve: (host) =>
      host.endsWith(".example") ? Promise.resolve(["127.0.0.1"]) : Promise.reject(new Error("no such name")),
  }));
  const bench = undo.use(await openBench(mode, { openEgress: egress.open }));
  const { key, certificate } = await makeCertificate(bench.tool);
  const answer = (request: Request) => new Response(`hello from ${new URL(request.url).hostname}`);
  const server = undo.use(Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, answer));
  const cert = await Deno.readTextFile(certificate);
  const secure = undo.use(
    Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {}, key, cert }, answer),
  );
  const owned = undo.move();
  return {
    bench,
    port: server.addr.port,
    tlsPort: secure.addr.port,
    certificate,
    async deno(code, permissions, env = {}) {
      const entry = join(bench.tool, "main.ts");
      await writeFile(entry, code);
      const flags = denoFlags(await bench.access(permissions), { dependencies: [], memoryMb: 256 });
      return await bench.run({ kind: "deno", command: ["deno", "run", ...flags, entry], permissions, env });
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

async function makeCertificate(folder: string): Promise<{ key: string; certificate: string }> {
  const [certificate, keyFile] = [join(folder, "cert.pem"), join(folder, "key.pem")];
  const args = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=api.example"
    .split(" ");
  const made = await runProcess({
    command: "openssl",
    args: [
      ...args,
      "-addext",
      "subjectAltName=DNS:api.example",
      "-addext",
      "basicConstraints=critical,CA:FALSE",
      "-keyout",
      keyFile,
      "-out",
      certificate,
    ],
    cwd: folder,
    env: { PATH: TEST_PATH },
  }, { timeoutMs: 30_000 });
  if (made.code !== 0) throw new Error(`Cannot make a certificate: ${made.stderr}`);
  return { key: await Deno.readTextFile(keyFile), certificate };
}
