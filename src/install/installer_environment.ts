import { stat } from "node:fs/promises";
import { isAbsolute, join } from "node:path";

/** What installers and compilers get besides the safe list. */
export interface InstallerEnvironment {
  /** Variables. */
  readonly environment: Readonly<Record<string, string>>;
  /** Files that the variables point at, to be shown in a sandbox. */
  readonly readPaths: readonly string[];
  /** A configuration of cargo. */
  readonly cargoConfig?: string;
}

/** What {@linkcode installerEnvironment} starts from. */
export interface InstallerEnvironmentOptions {
  /** The user's home folder, in which the settings of installers are. */
  readonly home: string;
  /** TLS and proxy variables and addresses of registries, from the server's own environment. */
  readonly network: Readonly<Record<string, string>>;
}

/** Where installers look for the user's settings, which their own empty home folder hides from them. */
const SETTINGS: readonly { variable: string; places: readonly string[] }[] = [
  { variable: "PIP_CONFIG_FILE", places: [".config/pip/pip.conf", ".pip/pip.conf"] },
  { variable: "NPM_CONFIG_USERCONFIG", places: [".npmrc"] },
];
/** Settings of the machine, which installers read by themselves. */
const SYSTEM = ["/etc/pip.conf", "/etc/xdg/pip/pip.conf", "/etc/npmrc"];
const CARGO = [".cargo/config.toml", ".cargo/config"];

/**
 * Points installers at the registries that this machine is set up for: the settings in the user's home folder, and the
 * variables given. Where the user's settings name no certificates, npm takes those of the system.
 */
export async function installerEnvironment(
  { home, network }: InstallerEnvironmentOptions,
): Promise<InstallerEnvironment> {
  const found: Record<string, string> = {};
  for (const { variable, places } of SETTINGS) {
    const path = await firstFile(home, places);
    if (path !== undefined && network[variable] === undefined) found[variable] = path;
  }
  const cargoConfig = await firstFile(home, CARGO);
  const environment = { DENO_TLS_CA_STORE: "system,mozilla", ...network, ...found };
  const paths = Object.values(environment).filter((value) => isAbsolute(value));
  return {
    environment,
    readPaths: [...new Set([...paths, ...SYSTEM])],
    ...(cargoConfig === undefined ? {} : { cargoConfig }),
  };
}

async function firstFile(home: string, places: readonly string[]): Promise<string | undefined> {
  for (const place of places) {
    const path = join(home, place);
    if (await stat(path).then((found) => found.isFile(), () => false)) return path;
  }
  return undefined;
}
