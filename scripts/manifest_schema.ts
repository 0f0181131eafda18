import { z } from "zod";
import { manifestSchema } from "../src/tools/manifest_schema.ts";

const FILE = new URL("../schemas/manifest.schema.json", import.meta.url);

/** The JSON Schema of manifest.json as text, made from the schema that the program checks manifests with. */
export function manifestSchemaText(): string {
  const { $schema, ...schema } = z.toJSONSchema(manifestSchema, { io: "input", unrepresentable: "any" });
  const published = {
    $schema,
    $id: "https://jsr.io/@skillz/server/schemas/manifest.schema.json",
    title: "Skillz tool",
    description:
      "manifest.json of a tool: what it is, how it is run, and what it may do. Unknown fields are kept.",
    ...schema,
  };
  return `${JSON.stringify(published, null, 2)}\n`;
}

if (import.meta.main) await Deno.writeTextFile(FILE, manifestSchemaText());
