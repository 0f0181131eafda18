import type { JsonObject } from "../../src/base/json.ts";

/** Arguments of `register_script` for one fixture, without what all have in common. */
export interface ConformanceTool {
  readonly name: string;
  /** Python after the prelude. */
  readonly code: string;
  readonly more?: JsonObject;
}

const tool = (name: string, code: string, more: JsonObject = {}): ConformanceTool => ({ name, code, more });
const string = { type: "string" };
const object = (properties: JsonObject, required: string[] = []): JsonObject => ({
  type: "object",
  properties,
  required,
});

/** What the suite calls in the versions with `initialize`. */
export const CLASSIC_TOOLS: readonly ConformanceTool[] = [
  tool("test_simple_text", `ret(text("This is a simple text response for testing."))`),
  tool("test_image_content", `ret({"type": "image", "data": PNG, "mimeType": "image/png"})`),
  tool("test_audio_content", `ret({"type": "audio", "data": WAV, "mimeType": "audio/wav"})`),
  tool(
    "test_embedded_resource",
    `ret({"type": "resource", "resource": {"uri": "test://embedded-resource", "mimeType": "text/plain", "text": "This is an embedded resource content."}})`,
  ),
  tool(
    "test_multiple_content_types",
    `
ret(text("Multiple content types test:"),
    {"type": "image", "data": PNG, "mimeType": "image/png"},
    {"type": "resource", "resource": {"uri": "test://mixed-content-resource", "mimeType": "application/json", "text": json.dumps({"test": "data", "value": 123})}})`,
  ),
  tool(
    "test_tool_with_logging",
    `
for data in ("Tool execution started", "Tool processing data", "Tool execution completed"):
    notify("log", level="info", data=data)
    time.sleep(.05)
ret(text("done"))`,
  ),
  tool("test_error_handling", `fail("This tool intentionally returns an error for testing")`),
  tool(
    "test_tool_with_progress",
    `
for done in (0, 50, 100):
    notify("progress", progress=done, total=100)
    time.sleep(.05)
ret(text("done"))`,
  ),
  tool(
    "test_sampling",
    `
content = ask(s=sample(args["prompt"], 100))["s"]["content"]
content = content[0] if isinstance(content, list) else content
ret(text("LLM response: " + content.get("text", "")))`,
    { input_schema: object({ prompt: string }, ["prompt"]) },
  ),
  tool(
    "test_elicitation",
    `
answer = ask(e=elicit(args["message"], {"type": "object", "properties": {"username": {"type": "string", "description": "User's response"}, "email": {"type": "string", "description": "User's email address"}}, "required": ["username", "email"]}))["e"]
ret(text("User response: action=%s, content=%s" % (answer["action"], json.dumps(answer.get("content", {})))))`,
    { input_schema: object({ message: string }, ["message"]) },
  ),
  tool(
    "test_elicitation_sep1034_defaults",
    `
answer = ask(e=elicit("Please review", {"type": "object", "properties": {
    "name": {"type": "string", "default": "John Doe"},
    "age": {"type": "integer", "default": 30},
    "score": {"type": "number", "default": 95.5},
    "status": {"type": "string", "enum": ["active", "inactive", "pending"], "default": "active"},
    "verified": {"type": "boolean", "default": True}}, "required": []}))["e"]
ret(text("Elicitation completed: action=%s, content=%s" % (answer["action"], json.dumps(answer.get("content", {})))))`,
  ),
  tool(
    "test_elicitation_sep1330_enums",
    `
options = ["option1", "option2", "option3"]
answer = ask(e=elicit("Please select", {"type": "object", "properties": {
    "untitledSingle": {"type": "string", "enum": options},
    "titledSingle": {"type": "string", "oneOf": [{"const": "value1", "title": "First Option"}, {"const": "value2", "title": "Second Option"}, {"const": "value3", "title": "Third Option"}]},
    "legacyEnum": {"type": "string", "enum": ["opt1", "opt2", "opt3"], "enumNames": ["Option One", "Option Two", "Option Three"]},
    "untitledMulti": {"type": "array", "minItems": 1, "maxItems": 3, "items": {"type": "string", "enum": options}},
    "titledMulti": {"type": "array", "minItems": 1, "maxItems": 3, "items": {"anyOf": [{"const": "value1", "title": "First Choice"}, {"const": "value2", "title": "Second Choice"}, {"const": "value3", "title": "Third Choice"}]}}}, "required": []}))["e"]
ret(text("Elicitation completed: action=%s, content=%s" % (answer["action"], json.dumps(answer.get("content", {})))))`,
  ),
  tool(
    "test_reconnection",
    `notify("close_stream"); time.sleep(.1); ret(text("Reconnection test completed successfully."))`,
  ),
  tool("json_schema_2020_12_tool", `ret(text("called with " + json.dumps(args)))`, {
    input_schema: {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      type: "object",
      $defs: { address: { $anchor: "addressDef", ...object({ street: string, city: string }) } },
      properties: {
        name: string,
        address: { $ref: "#/$defs/address" },
        contactMethod: { type: "string", enum: ["phone", "email"] },
        phone: string,
        email: string,
      },
      allOf: [{ anyOf: [{ required: ["phone"] }, { required: ["email"] }] }],
      if: { properties: { contactMethod: { const: "phone" } }, required: ["contactMethod"] },
      then: { required: ["phone"] },
      else: { required: ["email"] },
      additionalProperties: false,
    },
  }),
];

/** What it calls in the version without `initialize`. */
export const MODERN_TOOLS: readonly ConformanceTool[] = [
  tool("test_x_mcp_header", `ret(text("region=" + str(args.get("region"))))`, {
    input_schema: object({
      region: { type: "string", "x-mcp-header": "Region" },
      level: { type: "integer" },
    }),
  }),
  tool("test_missing_capability", `ask(a=sample("pong", 16)); ret(text("ok"))`),
  tool("test_streaming_elicitation", `ret(text("ok"))`),
  tool("test_logging_tool", `notify("log", level="info", data="ran"); ret(text("ok"))`),
  tool(
    "test_trigger_tool_change",
    `
import uuid
name = "t_" + uuid.uuid4().hex[:8]
call("register_script", name=name, description="Made by a tool", code="echo hi", interpreter="bash")
call("activate_skill", name=name)
ret(text(name))`,
  ),
  tool(
    "test_trigger_prompt_change",
    `
import uuid
name = "p_" + uuid.uuid4().hex[:8]
call("register_script", name=name, description="Made by a tool", code="echo hi", interpreter="bash", prompts=[{"name": name, "description": "Made by a tool"}])
ret(text(name))`,
  ),
  tool(
    "test_input_required_result_elicitation",
    `
answer = ask(user_name=elicit("What is your name?", obj(name={"type": "string"})))["user_name"]
ret(text("Hello, %s!" % answer["content"]["name"]))`,
  ),
  tool(
    "test_input_required_result_sampling",
    `ret(text("Sampling response: " + json.dumps(ask(capital_question=sample("What is the capital of France?", 100))["capital_question"])))`,
  ),
  tool(
    "test_input_required_result_list_roots",
    `ret(text("roots: " + json.dumps(ask(client_roots=roots)["client_roots"])))`,
  ),
  tool(
    "test_input_required_result_request_state",
    `ask(confirm=elicit("Please confirm", obj(ok={"type": "boolean"}))); ret(text("state-ok"))`,
  ),
  tool(
    "test_input_required_result_multiple_inputs",
    `
answers = ask(user_name=elicit("What is your name?", obj(name={"type": "string"})), greeting=sample("Generate a greeting", 50), client_roots=roots)
ret(text(json.dumps(answers)))`,
  ),
  tool(
    "test_input_required_result_multi_round",
    `
a = ask(step1=elicit("Step 1: What is your name?", obj(name={"type": "string"})))["step1"]
b = ask(step2=elicit("Step 2: What is your favorite color?", obj(color={"type": "string"})))["step2"]
ret(text("Multi-round complete: %s likes %s" % (a.get("content", {}).get("name"), b.get("content", {}).get("color"))))`,
  ),
  tool(
    "test_input_required_result_tampered_state",
    `ask(confirm=elicit("Please confirm", obj(ok={"type": "boolean"}))); ret(text("integrity-ok"))`,
  ),
  tool(
    "test_input_required_result_capabilities",
    `
able = context["clientCapabilities"]; questions = {}
if "elicitation" in able: questions["user_name"] = elicit("What is your name?", obj(name={"type": "string"}))
if "sampling" in able: questions["greeting"] = sample("Generate a short greeting", 50)
if "roots" in able: questions["client_roots"] = roots
if questions: ask(**questions)
ret(text("ok"))`,
  ),
];

/** What it calls for the tasks extension. */
export const TASK_TOOLS: readonly ConformanceTool[] = [
  tool("greet", `ret(text("Hello, %s!" % args.get("name")))`, {
    input_schema: object({ name: string }, ["name"]),
  }),
  tool("slow_compute", `time.sleep(float(args.get("seconds", 1))); ret(text("computed"))`, {
    task: "optional",
    input_schema: object({ seconds: { type: "number" } }),
  }),
  tool("failing_job", `time.sleep(.2); ret(text("job failed"), isError=True)`, { task: "required" }),
  tool("protocol_error_job", `time.sleep(.2); fail("internal failure")`, { task: "optional" }),
  tool(
    "confirm_delete",
    `
answer = ask(confirm=elicit("Delete?", obj(confirm={"type": "boolean"})))["confirm"]
ret(text("deleted" if answer.get("content", {}).get("confirm") else "kept"))`,
    { task: "optional" },
  ),
  tool(
    "multi_input",
    `ret(text(json.dumps(ask(a=elicit("First?", obj(name={"type": "string"})), b=elicit("Second?", obj(color={"type": "string"}))))))`,
    { task: "optional" },
  ),
  tool(
    "test_tool_with_task",
    `
answer = ask(user_name=elicit("What is your name?", obj(name={"type": "string"})))["user_name"]
time.sleep(.2)
ret(text("Hello, %s!" % answer["content"]["name"]))`,
    { task: "required" },
  ),
];

/** Prompts, resources, and a template, each answered by the script of one tool. */
export const OFFERING_TOOLS: readonly ConformanceTool[] = [
  tool(
    "conformance_prompts",
    `
name = context["call"]["name"]
if name == "test_simple_prompt": prompt(text("This is a simple prompt for testing."))
if name == "test_prompt_with_arguments": prompt(text("Prompt with arguments: arg1='%s', arg2='%s'" % (args["arg1"], args["arg2"])))
if name == "test_prompt_with_embedded_resource":
    prompt({"type": "resource", "resource": {"uri": args["resourceUri"], "mimeType": "text/plain", "text": "Embedded resource content for testing."}},
           text("Please process the embedded resource above."))
if name == "test_prompt_with_image": prompt({"type": "image", "data": PNG, "mimeType": "image/png"}, text("Please analyze the image above."))
answer = ask(user_context=elicit("What context should the prompt use?", obj(context={"type": "string"})))["user_context"]
prompt(text("Use the following context: " + answer["content"]["context"]))`,
    {
      prompts: [
        { name: "test_simple_prompt", description: "A prompt without arguments" },
        {
          name: "test_prompt_with_arguments",
          description: "A prompt with two arguments",
          arguments: [
            { name: "arg1", description: "First", required: true, values: ["paris", "park", "party"] },
            { name: "arg2", description: "Second", required: true },
          ],
        },
        {
          name: "test_prompt_with_embedded_resource",
          description: "A prompt with a resource in it",
          arguments: [{ name: "resourceUri", description: "Its address", required: true }],
        },
        { name: "test_prompt_with_image", description: "A prompt with an image in it" },
        { name: "test_input_required_result_prompt", description: "A prompt that asks" },
      ],
    },
  ),
  tool(
    "conformance_resources",
    `
uri = context["call"]["uri"]
if uri == "test://static-text": result({"text": "This is the content of the static text resource."})
if uri == "test://static-binary": result({"blob": PNG})
if uri == "test://watched-resource": result({"text": "Watched resource content"})
id = uri.split("/")[3]
result({"text": json.dumps({"id": id, "templateTest": True, "data": "Data for ID: " + id})})`,
    {
      resources: [
        { uri: "test://static-text", name: "static-text", description: "A text", mime_type: "text/plain" },
        {
          uri: "test://static-binary",
          name: "static-binary",
          description: "An image",
          mime_type: "image/png",
        },
        {
          uri: "test://watched-resource",
          name: "watched",
          description: "Is watched",
          mime_type: "text/plain",
        },
      ],
      resource_templates: [{
        uri_template: "test://template/{id}/data",
        name: "template",
        description: "Data by id",
        mime_type: "application/json",
      }],
    },
  ),
];
