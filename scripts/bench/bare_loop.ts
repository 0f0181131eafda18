/**
 * The least that answers like an MCP server, run by `deno run` as the floor of starting one: it answers whatever it is
 * asked, without any module.
 */
const encoder = new TextEncoder();
const decoder = new TextDecoder();
let rest = "";
for await (const chunk of Deno.stdin.readable) {
  const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
  rest = lines.pop() ?? "";
  for (const line of lines) {
    const { id, method, params } = JSON.parse(line);
    if (id === undefined) continue;
    const result = method === "initialize"
      ? {
        protocolVersion: params.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: "bare", version: "1.0.0" },
      }
      : method === "tools/call"
      ? { content: [{ type: "text", text: JSON.stringify(params.arguments) }] }
      : { tools: [{ name: "echo", description: "Answers", inputSchema: { type: "object" } }] };
    await Deno.stdout.write(encoder.encode(`${JSON.stringify({ jsonrpc: "2.0", id, result })}\n`));
  }
}
export {};
