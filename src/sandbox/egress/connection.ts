import { SkillzError } from "../../base/errors.ts";
import { ByteReader, type ByteSource, CHUNK_BYTES, writeAll } from "./byte_stream.ts";
import type { EgressLimits } from "./limits.ts";
import type { Target } from "./target.ts";
import type { Watchdog } from "./watchdog.ts";

/** A client's connection while it is served, with what serving it needs. */
export interface Connection {
  /** The tool's end, through its Unix socket. */
  readonly client: Deno.Conn;
  /** All reading goes through it: bytes may be buffered. */
  readonly reader: ByteReader;
  readonly limits: EgressLimits;
  /** Closes the connection when it is not put off. */
  readonly watchdog: Watchdog;
  /** Aborts when the connection is to end. */
  readonly signal: AbortSignal;
  /** Connects to a target, if it is granted. The connection closes along with the client's. */
  dial(target: Target): Promise<Deno.TcpConn>;
  /** Counts bytes that were moved; throws `limit` when there were too many. */
  spend(bytes: number): void;
}

/** A direction of a connection. */
export interface Way {
  /** Read to its end. */
  readonly from: ByteSource;
  /** Gets all of it. */
  readonly to: Deno.Conn;
}

/** Moves all bytes of `from` to `to`, then closes that direction. */
export async function pour(way: Way, connection: Connection): Promise<void> {
  await pourBytes(way, { count: Infinity, connection });
  await way.to.closeWrite().catch(() => {});
}

/** Moves exactly `count` bytes; throws `failed` when there are fewer, unless `count` is Infinity. */
export async function pourBytes(
  { from, to }: Way,
  { count, connection }: { count: number; connection: Connection },
): Promise<void> {
  for (let left = count; left > 0;) {
    const part = await from.read(Math.min(left, CHUNK_BYTES));
    if (part.length === 0) {
      if (count === Infinity) return;
      throw new SkillzError("failed", `Cannot forward the message: it ended ${left} bytes early`);
    }
    connection.spend(part.length);
    connection.watchdog.extend(connection.limits.idleMs);
    await writeAll(to, part);
    left -= part.length;
  }
}

/** Joins a client with the server that it was let through to, until both are done. */
export async function tunnel(upstream: Deno.TcpConn, connection: Connection): Promise<void> {
  const { client, reader, watchdog, limits } = connection;
  watchdog.extend(limits.idleMs);
  await Promise.all([
    pour({ from: reader, to: upstream }, connection),
    pour({ from: new ByteReader(upstream), to: client }, connection),
  ]);
}
