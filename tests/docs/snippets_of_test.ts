import { deepEqual } from "node:assert/strict";
import { snippetsOf } from "../support/snippets.ts";

const TEXT = `
# Title
<!-- test: run, prints 3 -->

\`\`\`bash
echo 3
\`\`\`

\`\`\`json
{ "unmarked": true }
\`\`\`

<!-- test: parse -->
A sentence between takes the mark away.

- an item
  ~~~py title
  if True:
    pass
  ~~~

<!-- test: parse -->
\`\`\`\`ts
const fence = "\`\`\`";
\`\`\`\`

\`\`\`text
An answer
\`\`\`
`;

Deno.test("snippetsOf() finds blocks with language, line, and the mark right before them", () => {
  deepEqual(snippetsOf(TEXT), [
    { line: 5, language: "sh", code: "echo 3\n", mark: "run, prints 3" },
    { line: 9, language: "json", code: `{ "unmarked": true }\n` },
    { line: 17, language: "python", code: "if True:\n  pass\n" },
    { line: 23, language: "ts", code: 'const fence = "```";\n', mark: "parse" },
  ]);
});
