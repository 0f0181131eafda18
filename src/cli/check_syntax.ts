import { loadLate } from "../base/load_late.ts";
import { SkillzError } from "../base/errors.ts";
import type { CallContext } from "../run/call_context.ts";
import type { ProgramResolver } from "../sandbox/resolve_program.ts";
import type { Tool } from "../tools/tool.ts";

/** What {@linkcode checkSyntax} needs. */
export interface CheckSyntaxDeps {
  /** Finds interpreters. */
  readonly programs: ProgramResolver;
  /** The safe list of the server's environment. */
  readonly safeEnvironment: Readonly<Record<string, string>>;
}

/** Refuses a script whose code its language can't read; what can't be told without running it passes. */
export async function checkSyntax(staged: Tool, deps: CheckSyntaxDeps, ctx: CallContext): Promise<void> {
  const { manifest, directory, name } = staged;
  const [program = ""] = (manifest.interpreter ?? "").trim().split(/\s+/);
  // The check runs outside of the sandbox, so only with programs of the server's own PATH. Deno's modules were read.
  if (manifest.tool_type !== "script" || /[/\\]/.test(program) || program === "deno") return;
  const url = new URL("./check/check_script.ts", import.meta.url);
  const { checkScript } = await loadLate<typeof import("./check/check_script.ts")>(url);
  const findings = await checkScript({ path: directory, manifest }, { ...deps, signal: ctx.signal });
  const fault = findings.find(({ level }) => level === "error");
  if (fault === undefined) return;
  throw new SkillzError("invalid_input", `Cannot save "${name}": its code can't be read, ${fault.message}`, {
    hint: "Mend the code",
  });
}
