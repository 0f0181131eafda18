import { z } from "zod";
import { innerPathFault } from "./_inner_path.ts";
import type { PipelineStep, ToolResource } from "./tool.ts";

const described = <T extends z.ZodType>(schema: T, description: string) => schema.meta({ description });

/** One of `examples`. */
export const exampleSchema = z.strictObject({
  name: described(z.string().exactOptional(), "Short name"),
  description: described(z.string().exactOptional(), "What it shows"),
  arguments: described(z.record(z.string(), z.unknown()).default({}), "Arguments of the call"),
  expect: described(
    z.strictObject({
      text: described(z.string().exactOptional(), "Text that the answer contains"),
      structured: described(z.unknown().exactOptional(), "Data that the answer contains, at any depth"),
      error: described(z.string().exactOptional(), "Text that the failure contains; the call must fail"),
    }).exactOptional(),
    "What the answer must hold",
  ),
});

/** One of `prompts`. */
export const promptSchema = z.looseObject({
  name: described(z.string().min(1).max(128), "Name, as clients see it"),
  title: described(z.string().exactOptional(), "Title for people"),
  description: described(z.string().default(""), "What it is for"),
  arguments: described(
    z.array(z.looseObject({
      name: described(z.string().min(1), "Name of the argument"),
      description: described(z.string().exactOptional(), "What it is"),
      required: described(z.boolean().exactOptional(), "Whether the prompt needs it"),
      values: described(z.array(z.string()).exactOptional(), "Values for completion"),
    })).exactOptional(),
    "Its arguments",
  ),
});

const file = z.string().superRefine((path, ctx) => {
  const fault = innerPathFault(path);
  if (fault !== undefined) ctx.addIssue({ code: "custom", message: `${JSON.stringify(path)} ${fault}` });
});

/** Addresses that the server answers itself. */
const OWN_ADDRESS = /^skillz?:/i;

/** A scheme, then text and expressions of RFC 6570. */
const TEMPLATE =
  /^[a-z][a-z0-9+.-]*:(?:[^{}\s]|\{[+#./;?&]?[\w.%]+(?:\*|:\d{1,4})?(?:,[\w.%]+(?:\*|:\d{1,4})?)*\})+$/i;

const notOurs = (address: string) => !OWN_ADDRESS.test(address);
const OURS = { error: "begins with an address of the server, choose a scheme of your own" };

/** One of `resources` (by `uri`) or of `resource_templates` (by `uri_template`). */
export function resourceSchema(address: "uri" | "uri_template"): z.ZodType<ToolResource> {
  return z.looseObject({
    uri: described(
      z.string().refine(URL.canParse, { error: "must be a URI with a scheme" }).refine(notOurs, OURS)
        .exactOptional(),
      "Fixed address",
    ),
    uri_template: described(
      z.string().min(1).refine((text) => TEMPLATE.test(text), {
        error: "must be a scheme and a template of RFC 6570, as notes://{id}",
      }).refine(notOurs, OURS).exactOptional(),
      "RFC 6570 template",
    ),
    name: described(z.string().min(1), "Name"),
    title: described(z.string().exactOptional(), "Title for people"),
    description: described(z.string().exactOptional(), "What it holds"),
    mime_type: described(z.string().exactOptional(), "Media type"),
    file: described(file.exactOptional(), "File of the folder to read instead of asking the script"),
  }).refine((resource) => resource[address] !== undefined, { error: `needs a ${address}` }) as z.ZodType<
    ToolResource
  >;
}

/** One of `icons`. */
export const iconSchema = z.looseObject({
  src: described(
    z.string().refine((src) => /^(?:https?|data):/i.test(src), {
      error: "must be an https: or data: address",
    }),
    "https: or data: address",
  ),
  mimeType: described(z.string().exactOptional(), "Media type"),
  sizes: described(z.array(z.string()).exactOptional(), "Sizes such as 48x48"),
});

/** One of `pipeline_steps`; what references and conditions mean is checked where pipelines are run. */
export const pipelineStepSchema: z.ZodType<PipelineStep> = z.lazy(() =>
  z.strictObject({
    name: described(z.string().min(1).exactOptional(), "Name for references"),
    tool: described(z.string().min(1).exactOptional(), "Tool to call"),
    args: described(z.unknown().exactOptional(), "Arguments, with references"),
    condition: described(z.string().exactOptional(), "Run only if this holds"),
    continue_on_error: described(z.boolean().exactOptional(), "Go on after a failure"),
    retry: described(
      z.strictObject({
        max: described(z.int().min(0).max(100), "Most repetitions"),
        delay_ms: described(z.int().min(0).max(3_600_000).exactOptional(), "Pause between them"),
      }).exactOptional(),
      "Repeat on failure",
    ),
    timeout_ms: described(z.int().min(1).max(86_400_000).exactOptional(), "Time for this step"),
    for_each: described(
      z.string({ error: 'must be a reference to a list, such as "$input.cities"' }).min(1).exactOptional(),
      "Reference to a list, each as $item",
    ),
    parallel: described(z.array(pipelineStepSchema).min(1).exactOptional(), "Steps that run at once"),
  }).refine((step) => (step.tool === undefined) !== (step.parallel === undefined), {
    error: "needs either tool or parallel",
  }) as unknown as z.ZodType<PipelineStep>
).meta({ id: "pipeline_step" });
