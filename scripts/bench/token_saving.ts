/**
 * `deno run -A scripts/bench/token_saving.ts`: how much less passes the client when one program calls 30 tools and
 * returns only what is asked for, counted in bytes of JSON. The rest of a conversation would be read by a model.
 */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { print } from "../print.ts";
import { type Server, startServer } from "./server.ts";

const TOOLS = 30;
const RECORDS = 50;

/** What passed the client. */
export interface TokenSaving {
  /** Bytes of the requests and answers of one call for each tool. */
  readonly direct: number;
  /** Bytes of the one request and answer of the program. */
  readonly code: number;
  /** The part of `direct` that stayed away, from 0 to 1. */
  readonly saved: number;
}

/** A script that answers the orders of a shop, the same each time. */
function ordersScript(shop: number): string {
  const orders = Array.from({ length: RECORDS }, (_, n) => ({
    id: `${shop}-${1000 + n}`,
    customer: `Customer ${(n * 7919) % 500}`,
    city: ["Oslo", "Lima", "Cairo", "Osaka"][n % 4],
    status: n % 9 === 0 ? "refunded" : "paid",
    amount: ((shop * 31 + n * 17) % 400) + 0.5,
    created_at: `2026-0${1 + n % 9}-${10 + n % 18}T10:00:00Z`,
  }));
  return `read -r call\ncat <<'JSON'\n${JSON.stringify({ orders })}\nJSON\n`;
}

/** Asks for the refunded amount of each city: what a model would answer from all orders. */
const PROGRAM = `const shops = Array.from({ length: ${TOOLS} }, (_, shop) => shop);
const lists = await Promise.all(shops.map((shop) => tools[\`orders_\${shop}\`]()));
const refunds: Record<string, number> = {};
for (const { orders } of lists) {
  for (const { city, status, amount } of orders) {
    if (status === "refunded") refunds[city] = (refunds[city] ?? 0) + amount;
  }
}
return refunds;`;

/** Does the same work both ways and counts; throws when the answers differ. */
export async function measureTokenSaving(server: Server): Promise<TokenSaving> {
  for (let shop = 0; shop < TOOLS; shop++) {
    await server.register(`orders_${shop}`, {
      description: `Orders of shop ${shop}`,
      interpreter: "bash",
      code: ordersScript(shop),
      permissions: {},
    });
  }
  const before = server.client.bytes;
  const answers = [];
  for (let shop = 0; shop < TOOLS; shop++) answers.push(await server.call(`orders_${shop}`));
  const between = server.client.bytes;
  const { structured } = await server.call("execute_code", { code: PROGRAM, timeout: 300 });
  const after = server.client.bytes;
  const counted = refundsOf(answers.map((answer) => answer.structured as Answer));
  const answered = (structured as { result: Refunds }).result;
  if (JSON.stringify(Object.entries(answered).sort()) !== JSON.stringify(Object.entries(counted).sort())) {
    throw new Error(`Cannot compare: the program answered ${JSON.stringify(structured)}`);
  }
  const [direct, code] = [between - before, after - between];
  return { direct, code, saved: 1 - code / direct };
}

interface Answer {
  readonly orders: readonly { city: string; status: string; amount: number }[];
}

type Refunds = Record<string, number>;

function refundsOf(answers: readonly Answer[]): Refunds {
  const refunds: Refunds = {};
  for (const { city, status, amount } of answers.flatMap((answer) => answer.orders)) {
    if (status === "refunded") refunds[city] = (refunds[city] ?? 0) + amount;
  }
  return refunds;
}

if (import.meta.main) {
  const main = join(fileURLToPath(new URL("../../", import.meta.url)), "main.ts");
  const folder = await Deno.makeTempDir({ prefix: "skillz-tokens-" });
  try {
    const command = [Deno.execPath(), "run", "-A", main];
    await using server = await startServer({ command, folder, rounds: (usual) => usual });
    const { direct, code, saved } = await measureTokenSaving(server);
    print(`${TOOLS} tools x ${RECORDS} records`);
    print(`direct calls: ${direct} bytes of JSON`);
    print(`execute_code: ${code} bytes of JSON`);
    print(`saved: ${(saved * 100).toFixed(2)} %`);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}
