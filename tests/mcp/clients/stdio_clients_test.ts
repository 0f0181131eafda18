import { featuresFor } from "./_features.ts";
import { STDIO_CLIENTS } from "./_stdio_clients.ts";

// The libraries' own transports leave a timer behind when they end their child.
const FOREIGN = { sanitizeOps: false, sanitizeResources: false };

for (const [label, connect] of Object.entries(STDIO_CLIENTS)) {
  for (const { name, asks, run } of featuresFor(label)) {
    Deno.test(`${label} ${name}`, FOREIGN, async () => {
      await using client = await connect({ asks: asks ?? true });
      await run(client);
    });
  }
}
