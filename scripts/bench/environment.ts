/** Variables that children get: where programs and packages are, nothing else of the user's. */
const KEPT = ["PATH", "LANG", "TMPDIR", "PYENV_ROOT"];

/** The environment of everything that is measured; `HOME` is not the user's. */
export function environmentOfChildren(home = Deno.env.get("TMPDIR") ?? "/tmp"): Record<string, string> {
  const all = Deno.env.toObject();
  const user = all.HOME ?? "/";
  return {
    ...Object.fromEntries(Object.entries(all).filter(([name]) => KEPT.includes(name))),
    HOME: home,
    DENO_DIR: all.DENO_DIR ?? `${all.XDG_CACHE_HOME ?? `${user}/.cache`}/deno`,
    RUSTUP_HOME: all.RUSTUP_HOME ?? `${user}/.rustup`,
    CARGO_HOME: all.CARGO_HOME ?? `${user}/.cargo`,
  };
}
