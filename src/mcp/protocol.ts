import { randomBytes } from "node:crypto";
import type { McpServerFactory } from "@modelcontextprotocol/server";
import type { Bus } from "../base/bus.ts";
import type { Logger } from "../base/log.ts";
import { createCallStateCodec } from "./call_state.ts";
import type { Ports } from "./handler_scope.ts";
import { Notifier } from "./notifier.ts";
import { ParkingLot } from "./parking_lot.ts";
import { RunningCalls } from "./running_calls.ts";
import { createServerSink } from "./server_sink.ts";
import type { ChangeSink, Session } from "./session.ts";
import type { SessionStore } from "./session_store.ts";
import { TaskStore } from "./task_store.ts";
import { SkillzServer } from "./skillz_server.ts";

/** Options of {@linkcode createProtocol}. */
export interface ProtocolOptions {
  readonly ports: Ports;
  readonly bus: Bus;
  readonly sessions: SessionStore;
  readonly logger: Logger;
  /**
   * Secret of at least 32 bytes that signs what clients carry between the rounds of a call. Give the same one to
   * every process that serves the same clients; a fresh one if absent.
   */
  readonly stateKey?: Uint8Array;
}

/** Options of {@linkcode Protocol.server}. */
export interface ServerForSessionOptions {
  /** Puts something between notifications and the connection, e.g. because no stream is open at times. */
  readonly sink?: (direct: ChangeSink) => ChangeSink;
}

/** MCP over our ports, for any transport. Disposing it ends the calls that wait for their clients. */
export interface Protocol extends Disposable {
  /** A server for a session, to be connected to a transport. */
  server(session: Session, options?: ServerForSessionOptions): SkillzServer;
  /** A factory for one connection of its own, as over stdio: a session for as long as the connection lasts. */
  readonly connectionFactory: McpServerFactory;
  /** Ends what belongs to a session: its calls that wait, and itself. */
  end(session: Session): void;
  /** Requests that are being worked on. */
  readonly running: RunningCalls;
  /** Takes note of the lists before a session first hears of changes. */
  ready(session: Session): void;
}

/** Makes the protocol side of the server. */
export function createProtocol({ ports, sessions, logger, bus, stateKey }: ProtocolOptions): Protocol {
  const lot = new ParkingLot();
  const running = new RunningCalls();
  const tasks = new TaskStore({ running });
  const codec = createCallStateCodec({
    key: stateKey ?? randomBytes(32),
    ttlSeconds: lot.ttlSeconds,
  });
  const notifier = new Notifier({ ...ports, bus, sessions });
  const protocol: Protocol = {
    running,
    server(session, options = {}) {
      const server = new SkillzServer({
        ports,
        session,
        logger,
        lot,
        codec,
        running,
        tasks,
        onReady() {
          notifier.prime();
          const direct = createServerSink(server.server);
          session.sink = options.sink?.(direct) ?? direct;
        },
      });
      return server;
    },
    connectionFactory({ era }) {
      const session = sessions.open({ era, principal: "local" });
      const server = protocol.server(session);
      server.server.onclose = () => protocol.end(session);
      // There is no handshake to wait for: what a client subscribed to is known to the library.
      if (era === "modern") {
        protocol.ready(session);
        session.sink = createServerSink(server.server);
      }
      return server;
    },
    end(session) {
      delete session.sink;
      lot.abandon(session.id);
      tasks.abandon(session.id);
      sessions.close(session.id);
    },
    ready: () => notifier.prime(),
    [Symbol.dispose]() {
      notifier[Symbol.dispose]();
      lot[Symbol.dispose]();
      tasks[Symbol.dispose]();
    },
  };
  return protocol;
}
