import type { BuildRustDeps } from "../author/rust/rust_build.ts";
import { late } from "../base/late.ts";
import { loadLate } from "../base/load_late.ts";
import type { Install, InstallParts } from "./compose_install.ts";

/** Installers and compilers that are loaded at their first use. */
export function lateInstall(parts: InstallParts): Install {
  let made: Promise<Install> | undefined;
  const get = () => made ??= make(parts);
  return {
    environments: late<Install["environments"]>(async () => (await get()).environments),
    rust: async (): Promise<BuildRustDeps> => await (await get()).rust(),
  };
}

async function make(parts: InstallParts): Promise<Install> {
  const url = new URL("./compose_install.ts", import.meta.url);
  const { composeInstall } = await loadLate<typeof import("./compose_install.ts")>(url);
  return composeInstall(parts);
}
