// Loaded into every Node of a tool that may reach some hosts: versions that don't know NODE_USE_ENV_PROXY get fetch, http and
// https taught to use the proxy of the environment.
"use strict";
const process = require("node:process");
// deno-lint-ignore skillz/no-env-outside-config -- this runs in a tool's Node, not in the server
const { HTTPS_PROXY, NO_PROXY = "" } = process.env;
const [major, minor] = process.versions.node.split(".").map(Number);
const proxy = HTTPS_PROXY && new URL(HTTPS_PROXY);
if (proxy && (major < 22 || major === 23 || (major === 22 && minor < 21) || (major === 24 && minor < 5))) {
  teach();
}

function teach() {
  const http = require("node:http");
  const https = require("node:https");
  const tls = require("node:tls");
  const direct = new Set(NO_PROXY.split(",").filter(Boolean));

  // A connection through the proxy to host and port.
  const connect = (host, port, done) => {
    const authority = `${host.includes(":") && !host.startsWith("[") ? `[${host}]` : host}:${port}`;
    const request = http.request({
      host: proxy.hostname,
      port: proxy.port,
      method: "CONNECT",
      path: authority,
      headers: { host: authority },
      agent: plainAgent,
    });
    request.once("connect", (answer, socket, head) => {
      if (answer.statusCode === 200) return done(null, socket);
      socket.destroy();
      done(new Error(head.toString().trim() || `The proxy answered ${answer.statusCode} for ${authority}`));
    });
    request.once("error", done);
    request.end();
  };
  const plainAgent = new http.Agent();

  // Node's own agents, but for where their sockets come from.
  const through = (Agent, secure) =>
    class extends Agent {
      createConnection(options, done) {
        const host = options.host || options.hostname || "localhost";
        if (options.socketPath || direct.has(host)) {
          return super.createConnection(options, done);
        }
        connect(host, options.port || (secure ? 443 : 80), (error, socket) => {
          if (error) return done(error);
          if (!secure) return done(null, socket);
          const servername = options.servername || (require("node:net").isIP(host) ? "" : host);
          done(null, tls.connect({ ...options, host: undefined, path: undefined, servername, socket }));
        });
      }
    };
  http.globalAgent = new (through(http.Agent, false))({ keepAlive: true, timeout: 5000 });
  https.globalAgent = new (through(https.Agent, true))({ keepAlive: true, timeout: 5000 });

  // undici, which fetch is made of, is loaded at its first use; its Agent takes a function that makes sockets.
  const nativeFetch = globalThis.fetch;
  const key = Symbol.for("undici.globalDispatcher.1");
  let dispatcher;
  const prepare = async () => {
    await nativeFetch("data:,");
    const Agent = globalThis[key]?.constructor;
    if (!Agent) return;
    const direct_ = globalThis[key];
    const proxied = new Agent({
      connect: ({ hostname, protocol, port, servername }, done) => {
        connect(hostname, port || (protocol === "https:" ? 443 : 80), (error, socket) => {
          if (error) return done(error, null);
          if (protocol !== "https:") return done(null, socket);
          const secure = tls.connect({
            servername: servername || hostname,
            socket,
            ALPNProtocols: ["http/1.1"],
          });
          secure.once("secureConnect", () => done(null, secure)).once("error", (fault) => done(fault, null));
        });
      },
    });
    dispatcher = { proxied, direct: direct_ };
  };
  let prepared;
  globalThis.fetch = async function fetch(input, init) {
    await (prepared ??= prepare());
    const host =
      new URL(typeof input === "object" && "url" in input ? input.url : input, "http://localhost").hostname;
    if (!dispatcher || init?.dispatcher) return nativeFetch(input, init);
    return nativeFetch(input, {
      ...init,
      dispatcher: direct.has(host) ? dispatcher.direct : dispatcher.proxied,
    });
  };
}
