import { z } from "zod";
import type { BuildToolDeps } from "../../author/build_tool.ts";
import { loadLate } from "../../base/load_late.ts";
import { toJsonObject } from "../../base/json.ts";
import { okResult } from "../../base/tool_result.ts";
import { manifestSchema } from "../../tools/manifest_schema.ts";
import type { Builtin } from "../builtin.ts";
import { codeField } from "./code_field.ts";
import { howToCallNow } from "./how_to_call.ts";
import { madeToolFields } from "./made_tool_fields.ts";

const input = z.strictObject({
  ...madeToolFields,
  code: codeField("A Rust program with fn main()").min(1),
  dependencies: manifestSchema.shape.wasm_dependencies,
});

const output = z.looseObject({ name: z.string(), version: z.string() });

/** `build_tool`: compiles Rust to a WebAssembly tool. */
export function createBuildToolTool(deps: BuildToolDeps): Builtin<typeof input> {
  return {
    name: "build_tool",
    title: "Build a Rust tool",
    description:
      "Compile Rust to a WebAssembly tool that runs sandboxed and fast. `let args = skillz::arguments();` reads the " +
      "arguments, what is printed is the result (JSON becomes data), a panic or exit code is the failure.",
    skill: "dev",
    input,
    output,
    annotations: { destructiveHint: false, openWorldHint: true },
    async run({ name, code, dependencies, overwrite, ...manifest }, ctx) {
      const fields = toJsonObject(manifest);
      const { buildTool } = await loadLate<typeof import("../../author/build_tool.ts")>(
        new URL("../../author/build_tool.ts", import.meta.url),
      );
      const { tool, warnings } = await buildTool(
        { name, code, dependencies, overwrite, manifest: fields },
        deps,
        ctx,
      );
      const { version } = tool.manifest;
      const { text, call } = await howToCallNow(tool);
      const lines = [`Built ${name} ${version} (Rust, WebAssembly). ${text}`, warnings].filter(Boolean);
      return okResult(lines.join("\n"), {
        name,
        version,
        warnings,
        call,
      });
    },
  };
}
