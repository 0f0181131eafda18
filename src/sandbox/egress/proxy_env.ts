/** What {@linkcode proxyEnv} is made from. */
export interface ProxyEnvOptions {
  /** Port of the inner end, on loopback. */
  readonly port: number;
  /** Whether loopback is what the tool itself serves, and granted ports are relayed: then no proxy stands before it. */
  readonly directLoopback: boolean;
  /** File to load into Node, for versions that don't know proxies. */
  readonly nodeHook: string;
}

/**
 * Variables that make programs use the proxy: curl, git, pip, npm, cargo, Python, Ruby, Go, Deno and Node look at them. All
 * name the HTTP side, because libraries without SOCKS fail at the sight of a `socks5:` address; the same port speaks it.
 */
export function proxyEnv({ port, directLoopback, nodeHook }: ProxyEnvOptions): Record<string, string> {
  const proxy = `http://127.0.0.1:${port}`;
  const variables = {
    HTTP_PROXY: proxy,
    HTTPS_PROXY: proxy,
    ALL_PROXY: proxy,
    NO_PROXY: directLoopback ? "localhost,127.0.0.1,::1" : "",
  };
  const lower = Object.entries(variables).map(([name, value]) => [name.toLowerCase(), value]);
  return {
    ...variables,
    ...Object.fromEntries(lower),
    NODE_USE_ENV_PROXY: "1",
    // Else each Deno asks for a host that nobody granted.
    DENO_NO_UPDATE_CHECK: "1",
    NODE_OPTIONS: `--require=${JSON.stringify(nodeHook)}`,
  };
}
