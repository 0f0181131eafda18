import { openHttp } from "../../fixtures/mcp/open_http.ts";
import { featuresFor } from "./_features.ts";
import { HTTP_CLIENTS } from "./_http_clients.ts";

// The libraries' own transports leave timers and connections behind.
const FOREIGN = { sanitizeOps: false, sanitizeResources: false };

for (const [label, connect] of Object.entries(HTTP_CLIENTS)) {
  for (const { name, asks, run } of featuresFor(label)) {
    Deno.test(`${label} ${name}`, FOREIGN, async () => {
      await using http = await openHttp();
      await using client = await connect(http.url, { asks: asks ?? true });
      await run(client);
    });
  }
}
