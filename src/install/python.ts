import { stat } from "node:fs/promises";
import { installWithPip } from "./_pip.ts";
import { installWithUv } from "./_uv.ts";
import type { Installer } from "./installer.ts";
import { relocateScripts } from "./_relocate_scripts.ts";
import { venvOf } from "./_venv.ts";

/**
 * Python packages, always in a venv of their own (systems refuse to have packages put beside their own): with uv where
 * it is on PATH, else with venv and pip.
 */
export const python: Installer = {
  language: "python",
  async install(installation) {
    const uv = await installation.find("uv");
    return await (uv === undefined ? installWithPip(installation) : installWithUv(installation, uv));
  },
  runtime(directory) {
    const { path, python: program } = venvOf(directory);
    // The program, never a script of the venv: those hold the path at which it was made.
    return { directory, program, env: { VIRTUAL_ENV: path } };
  },
  relocate: async (directory) => await relocateScripts(venvOf(directory)),
  async works(directory) {
    // A link to the Python that it was made with, which may have been removed since.
    return await stat(venvOf(directory).python).then((found) => found.isFile(), () => false);
  },
};
