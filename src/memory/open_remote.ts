import type { Client } from "@libsql/client";
import { SkillzError } from "../base/errors.ts";
import type { Database, SqlValue, Statement } from "./database.ts";
import { databaseCode, databaseError } from "./_database_error.ts";

const REQUEST_LIMIT_MS = 15_000;
const SCHEMES = ["http:", "https:", "libsql:", "ws:", "wss:"];

/** Connects to a remote libSQL server; the first statement finds out whether it answers. */
export async function openRemote(url: string, token?: string): Promise<Database> {
  const where = nameOf(url);
  const { createClient } = await import("@libsql/client");
  try {
    const client = createClient({
      url,
      ...(token === undefined ? {} : { authToken: token }),
      fetch: (request: Request) => ask(request, where),
    });
    return new RemoteDatabase(client, where);
  } catch (error) {
    throw remoteError(error, where);
  }
}

/** One request with a limit. A refusal is told here, where its status is still known. */
async function ask(request: Request, where: string): Promise<Response> {
  const response = await fetch(request, { signal: AbortSignal.timeout(REQUEST_LIMIT_MS) });
  if (response.status !== 401 && response.status !== 403) return response;
  await response.body?.cancel();
  throw new SkillzError(
    "unavailable",
    `Cannot use memory ${where}: the server refused the token (status ${response.status})`,
    { hint: "Set SKILLZ_DATABASE_TOKEN to a valid token" },
  );
}

/** The server's name for messages: an address may carry a token in its query. */
function nameOf(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (!parsed || !SCHEMES.includes(parsed.protocol) || parsed.host === "") {
    throw new SkillzError(
      "invalid_input",
      "Cannot use remote memory: its address is not valid, use libsql://, https://, http://, wss:// or ws:// and a host",
      { hint: "Set SKILLZ_DATABASE_URL, or leave it away to use a file in TOOLS_DIR" },
    );
  }
  return JSON.stringify(`${parsed.protocol}//${parsed.host}`);
}

class RemoteDatabase implements Database {
  readonly #client: Client;
  readonly #where: string;

  constructor(client: Client, where: string) {
    this.#client = client;
    this.#where = where;
  }

  async rows(sql: string, args: readonly SqlValue[] = []): Promise<SqlValue[][]> {
    const result = await this.#asked(() => this.#client.execute({ sql, args: integers(args) }));
    return result.rows.map((row) => Array.from(row) as SqlValue[]);
  }

  async run(sql: string, args: readonly SqlValue[] = []): Promise<number> {
    return (await this.#asked(() => this.#client.execute({ sql, args: integers(args) }))).rowsAffected;
  }

  async batch(statements: readonly Statement[]): Promise<void> {
    await this.#asked(() =>
      this.#client.batch(statements.map(([sql, args]) => ({ sql, args: integers(args ?? []) })), "write")
    );
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#client.close();
    return Promise.resolve();
  }

  async #asked<T>(question: () => Promise<T>): Promise<T> {
    try {
      return await question();
    } catch (error) {
      throw remoteError(error, this.#where);
    }
  }
}

/** The protocol sends a number as floating point; whole ones must arrive as integers. */
function integers(args: readonly SqlValue[]): (SqlValue | bigint)[] {
  return args.map((arg) => Number.isInteger(arg) ? BigInt(arg ?? 0) : arg);
}

/** Says what is wrong with the server or the way there; what the database itself refused is told as for a file. */
function remoteError(error: unknown, where: string): SkillzError {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof SkillzError) return cause;
  }
  if (databaseCode(error)?.startsWith("SQLITE_")) return databaseError(error, where);
  const why = error instanceof Error ? error.message : String(error);
  return new SkillzError(
    "unavailable",
    `Cannot use memory ${where}: no good answer from the server (${why})`,
    {
      hint: "Check SKILLZ_DATABASE_URL and the network. Tools that use no memory go on working",
      cause: error,
    },
  );
}
