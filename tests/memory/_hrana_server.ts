import Engine from "libsql";

/** What a client of the protocol sends: a statement, or several with conditions on those before. */
interface Stmt {
  sql?: string;
  sql_id?: number;
  args?: { type: string; value?: string | number }[];
}
interface Condition {
  type: "ok" | "error" | "not" | "and" | "or";
  step?: number;
  cond?: Condition;
  conds?: Condition[];
}
interface Request {
  type: string;
  stmt?: Stmt;
  batch?: { steps: { condition?: Condition; stmt: Stmt }[] };
  sql?: string;
  sql_id?: number;
}

/** A remote libSQL database for tests: Hrana 2 over HTTP (JSON) before a real libSQL file. */
export interface HranaServer extends AsyncDisposable {
  readonly url: string;
  /** Authorization headers that arrived. */
  readonly authorizations: (string | null)[];
}

/** Serves `path` on a free port; with `token`, other bearers get 401. */
export function serveHrana(path: string, options: { token?: string } = {}): HranaServer {
  const db = new Engine(path, { timeout: 1000 });
  const authorizations: (string | null)[] = [];
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, async (request) => {
    const authorization = request.headers.get("authorization");
    authorizations.push(authorization);
    const body = await request.json();
    if (options.token && authorization !== `Bearer ${options.token}`) {
      return Response.json({ message: "Unauthorized", code: "AUTH" }, { status: 401 });
    }
    const stored = new Map<number, string>();
    const results = body.requests.map((one: Request) => answer(db, one, stored));
    return Response.json({ baton: null, base_url: null, results });
  });
  return {
    url: `http://127.0.0.1:${server.addr.port}`,
    authorizations,
    async [Symbol.asyncDispose]() {
      await server.shutdown();
      db.close();
    },
  };
}

function answer(db: Engine.Database, request: Request, stored: Map<number, string>): unknown {
  const ok = (response: Record<string, unknown>) => ({
    type: "ok",
    response: { type: request.type, ...response },
  });
  if (request.type === "store_sql") stored.set(request.sql_id ?? 0, request.sql ?? "");
  try {
    if (request.stmt) return ok({ result: execute(db, request.stmt, stored) });
    if (request.batch) return ok({ result: batch(db, request.batch.steps, stored) });
    return ok({});
  } catch (error) {
    return { type: "error", error: asError(error) };
  }
}

function batch(
  db: Engine.Database,
  steps: { condition?: Condition; stmt: Stmt }[],
  stored: Map<number, string>,
): unknown {
  const results: unknown[] = steps.map(() => null);
  const errors: unknown[] = steps.map(() => null);
  const holds = (c: Condition): boolean => {
    if (c.type === "ok") return results[c.step ?? 0] !== null;
    if (c.type === "error") return errors[c.step ?? 0] !== null;
    if (c.type === "not") return c.cond !== undefined && !holds(c.cond);
    return c.type === "and" ? (c.conds ?? []).every(holds) : (c.conds ?? []).some(holds);
  };
  for (const [i, step] of steps.entries()) {
    if (step.condition && !holds(step.condition)) continue;
    try {
      results[i] = execute(db, step.stmt, stored);
    } catch (error) {
      errors[i] = asError(error);
    }
  }
  return { step_results: results, step_errors: errors };
}

function execute(db: Engine.Database, stmt: Stmt, stored: Map<number, string>): unknown {
  const statement = db.prepare(stmt.sql ?? stored.get(stmt.sql_id ?? 0) ?? "");
  const args = (stmt.args ?? []).map((a) =>
    a.type === "null" ? null : a.type === "integer" ? BigInt(a.value ?? 0) : a.value
  );
  if (!statement.reader) {
    const { changes } = statement.run(args);
    return { cols: [], rows: [], affected_row_count: changes, last_insert_rowid: null };
  }
  const cols = statement.columns().map(({ name, type }) => ({ name, decltype: type }));
  const rows = (statement.safeIntegers(true).raw(true).all(args) as unknown[][]).map((row) =>
    row.map(asValue)
  );
  return { cols, rows, affected_row_count: 0, last_insert_rowid: null };
}

function asValue(value: unknown): unknown {
  if (value === null) return { type: "null" };
  if (typeof value === "bigint") return { type: "integer", value: String(value) };
  return typeof value === "number" ? { type: "float", value } : { type: "text", value: String(value) };
}

function asError(error: unknown): { message: string; code: string } {
  const code = error instanceof Error && "code" in error ? String(error.code) : "UNKNOWN";
  return { message: `SQLite error: ${error instanceof Error ? error.message : error}`, code };
}
