import { z } from "zod";
import { manifestSchema } from "../../tools/manifest_schema.ts";

const field = manifestSchema.shape;
const schema = z.unknown().optional();

/** Arguments that every tool which makes tools takes, under the names of manifest.json. */
export const madeToolFields = {
  name: field.name,
  description: field.description.min(1),
  input_schema: schema.describe("JSON Schema of the arguments"),
  output_schema: schema.describe("JSON Schema of the structured result"),
  annotations: field.annotations,
  permissions: field.permissions,
  limits: field.limits,
  env: field.env,
  examples: field.examples,
  title: field.title,
  icons: field.icons,
  tags: field.tags,
  core: field.core,
  version: z.string().optional().describe("semver; raised by itself when absent"),
  overwrite: z.boolean().default(false).describe(
    "Replace the tool of that name; the old state is kept as a version",
  ),
};
