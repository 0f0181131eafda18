import type { JsonObject } from "../../../src/base/json.ts";

/** A tool that a client makes and calls, in one of the languages. */
export interface LanguageTool {
  readonly name: string;
  readonly needs: string;
  readonly arguments: JsonObject;
}

const register = (name: string, interpreter: string, code: string): JsonObject => ({
  name,
  description: `Says what it was told, in ${name}`,
  interpreter,
  code,
  input_schema: { type: "object", properties: { said: { type: "string" } }, required: ["said"] },
});

/** One tool in each language; each answers `{"said": …}` with what it was given. */
export const LANGUAGE_TOOLS: readonly LanguageTool[] = [
  {
    name: "in_python",
    needs: "python3",
    arguments: register(
      "in_python",
      "python3",
      "from skillz import tool\n\n@tool\ndef main(said: str) -> dict:\n    return {'said': said}\n",
    ),
  },
  {
    name: "in_deno",
    needs: "deno",
    arguments: register(
      "in_deno",
      "deno run",
      'import { tool } from "skillz";\ntool(({ said }: { said: string }) => ({ said }));\n',
    ),
  },
  {
    name: "in_node",
    needs: "node",
    arguments: register(
      "in_node",
      "node",
      'import { tool } from "skillz";\ntool(({ said }) => ({ said }));\n',
    ),
  },
  {
    name: "in_ruby",
    needs: "ruby",
    arguments: register("in_ruby", "ruby", 'require "skillz"\nSkillz.tool { |said:| { said: said } }\n'),
  },
  {
    name: "in_bash",
    needs: "bash",
    arguments: register(
      "in_bash",
      "bash",
      `. skillz.sh
skillz_result_json '{"said": '"$(skillz_string "$(skillz_arg said)")"'}'
`,
    ),
  },
  {
    name: "in_sh",
    needs: "sh",
    arguments: register(
      "in_sh",
      "sh",
      `read -r line
said=$(printf '%s' "$line" | sed 's/.*"said":"\\([^"]*\\)".*/\\1/')
printf '{"jsonrpc":"2.0","id":1,"result":{"said":"%s"}}\\n' "$said"
`,
    ),
  },
  {
    name: "in_perl",
    needs: "perl",
    arguments: register(
      "in_perl",
      "perl",
      `use JSON::PP; my $call = decode_json(scalar <STDIN>);
print encode_json({ jsonrpc => "2.0", id => $call->{id}, result => { said => $call->{params}{arguments}{said} } }), "\\n";
`,
    ),
  },
  {
    name: "in_php",
    needs: "php",
    arguments: register(
      "in_php",
      "php",
      `<?php $call = json_decode(fgets(STDIN), true);
echo json_encode(["jsonrpc" => "2.0", "id" => $call["id"], "result" => ["said" => $call["params"]["arguments"]["said"]]]), "\\n";
`,
    ),
  },
];

const python = (name: string, code: string): JsonObject => ({
  name,
  description: name,
  interpreter: "python3",
  code,
});

/** Tools that use everything a script may ask for. */
export const FEATURE_TOOLS: readonly JsonObject[] = [
  python("fails", "from skillz import tool\n\n@tool\ndef main():\n    raise ValueError('it broke')\n"),
  python(
    "steps",
    // The TypeScript libraries drop progress that arrives in one piece with the answer.
    "import time\nfrom skillz import tool, progress\n\n@tool\ndef main():\n    for i in (1, 2, 3):\n        progress(i, 3)\n        time.sleep(0.2)\n    return 'done'\n",
  ),
  python(
    "asks_name",
    "from skillz import tool, elicit\n\n@tool\ndef main():\n    return elicit('Your name?', {'name': {'type': 'string'}})['content']\n",
  ),
  python(
    "asks_model",
    "from skillz import tool, sample\n\n@tool\ndef main():\n    return sample('Capital of France?')\n",
  ),
  python(
    "asks_roots",
    "from skillz import tool, roots\n\n@tool\ndef main():\n    return [one['uri'] for one in roots()]\n",
  ),
  python("nested", "from skillz import tool, call\n\n@tool\ndef main():\n    return call('asks_name')\n"),
  {
    ...python("for_ever", ""),
    interpreter: "bash",
    input_schema: { type: "object", properties: { word: { type: "string" } }, required: ["word"] },
    code: `. skillz.sh
word=$(skillz_arg word)
bash -c "trap '' TERM; exec -a $word-child sleep 1000" &
exec -a "$word" sleep 1000
`,
  },
];
