import { SkillzError } from "../base/errors.ts";
import { isOwnVariable } from "../base/own_variables.ts";
import { SANDBOX_CHOICES, type SandboxChoice } from "../base/sandbox_mode.ts";

/** Variables by name. */
export type Environment = Readonly<Record<string, string>>;

/** The server's own environment, read once; the only place that does. */
export function readEnvironment(): Environment {
  return Deno.env.toObject();
}

/** What any child may see: nothing of it is secret, and programs fail without it. */
const SAFE = /^(PATH|LANG|LANGUAGE|LC_[A-Z]+|TERM|TZ)$/;
/** What programs need besides on Windows. */
const SAFE_WINDOWS = /^(PATHEXT|SYSTEMROOT|WINDIR|COMSPEC|SYSTEMDRIVE|NUMBER_OF_PROCESSORS|OS)$/;
/** How to reach the network from here: certificates and proxies. */
const NETWORK =
  /^(SSL_CERT_(FILE|DIR)|(REQUESTS|CURL)_CA_BUNDLE|NODE_EXTRA_CA_CERTS|PIP_CERT|GIT_SSL_CAINFO|CARGO_HTTP_CAINFO|DENO_(CERT|TLS_CA_STORE)|(HTTPS?|ALL|NO)_PROXY)$/i;
/** Where Docker's engine is. */
const DOCKER = /^(DOCKER_(HOST|CONTEXT|CONFIG|CERT_PATH|TLS_VERIFY)|CONTAINER_HOST|XDG_RUNTIME_DIR)$/;
/** Where Rust is installed. */
const RUST = /^(CARGO_HOME|RUSTUP_(HOME|TOOLCHAIN|AUTO_INSTALL))$/;
/** Where this server's own packages are kept. */
const DENO = /^(DENO_DIR|XDG_CACHE_HOME)$/;
/** Which registry installers ask; nothing that changes where or what they install. */
const INSTALLERS =
  /^(PIP_(INDEX_URL|EXTRA_INDEX_URL|TRUSTED_HOST|CONFIG_FILE|DEFAULT_TIMEOUT)|UV_(INDEX_URL|DEFAULT_INDEX|EXTRA_INDEX_URL|CONFIG_FILE)|NPM_CONFIG_(REGISTRY|USERCONFIG|CAFILE)|JSR_URL|CARGO_REGISTRIES_\w+)$/i;
/** How git signs in over ssh. */
const GIT = /^(SSH_AUTH_SOCK)$/;

/** A PATH for when there is none. */
const DEFAULT_PATH = "/usr/local/bin:/usr/bin:/bin";

/** {@linkcode Config.safeEnvironment}. */
export function safeEnvironment(env: Environment): Environment {
  const names = Deno.build.os === "windows" ? [SAFE, SAFE_WINDOWS] : [SAFE];
  const safe = pick(env, (name) => names.some((pattern) => pattern.test(name.toUpperCase())));
  return Object.keys(safe).some((name) => name.toUpperCase() === "PATH")
    ? safe
    : { ...safe, PATH: DEFAULT_PATH };
}

/** {@linkcode Config.networkEnvironment}. */
export function networkEnvironment(env: Environment): Environment {
  return pick(env, (name) => NETWORK.test(name));
}

/** {@linkcode Config.installerEnvironment}. */
export function installerEnvironment(env: Environment): Environment {
  return pick(env, (name) => INSTALLERS.test(name));
}

/** {@linkcode Config.hostEnvironment}. */
export function hostEnvironment(env: Environment): Record<"deno" | "docker" | "rust" | "git", Environment> {
  return {
    deno: pick(env, (name) => DENO.test(name)),
    docker: pick(env, (name) => DOCKER.test(name)),
    rust: pick(env, (name) => RUST.test(name)),
    git: pick(env, (name) => GIT.test(name)),
  };
}

/** `SKILLZ_*` variables that are the tools'. An empty one is as good as none. */
export function secretsOf(env: Environment): Environment {
  return pick(env, (name) => /^SKILLZ_./.test(name) && !isOwnVariable(name));
}

/** A text; undefined when it is unset or empty. */
export function readText(env: Environment, name: string): string | undefined {
  return env[name] || undefined;
}

/** Whether a variable is `1` or `true`; `0`, `false`, empty, and unset are no. */
export function readSwitch(env: Environment, name: string): boolean {
  const value = (env[name] ?? "").trim().toLowerCase();
  if (["1", "true"].includes(value)) return true;
  if (["", "0", "false"].includes(value)) return false;
  throw badValue({ name, value, wanted: "1, true, 0 or false" });
}

/** `SKILLZ_SANDBOX`. Anything that it does not know is refused: a typing error must not run tools unconfined. */
export function readSandbox(env: Environment): SandboxChoice {
  const value = (env.SKILLZ_SANDBOX ?? "").trim().toLowerCase();
  if (value === "") return "auto";
  if (value === "bwrap") return "bubblewrap";
  const choice = SANDBOX_CHOICES.find((known) => known === value);
  if (choice === undefined) {
    throw badValue({ name: "SKILLZ_SANDBOX", value, wanted: `one of ${SANDBOX_CHOICES.join(", ")}` });
  }
  return choice;
}

function pick(env: Environment, wanted: (name: string) => boolean): Environment {
  return Object.fromEntries(Object.entries(env).filter(([name, value]) => value !== "" && wanted(name)));
}

function badValue({ name, value, wanted }: { name: string; value: string; wanted: string }): SkillzError {
  return new SkillzError(
    "invalid_input",
    `Cannot start: ${name} is "${value.slice(0, 40)}", ${wanted} is wanted`,
  );
}
