// Inner end of the egress proxy where there is no perl; does what relay.pl does.
// deno run … THIS SOCKET PORT[,PORT...]; says so once it listens.
const [path, ports] = Deno.args;

// It alone may reach the proxy's socket: nobody reads or writes its memory.
const SET_DUMPABLE = 4;
const { prctl } = Deno.dlopen("libc.so.6", { prctl: { parameters: ["i32", "u64"], result: "i32" } }).symbols;
if (prctl(SET_DUMPABLE, 0n) !== 0) throw new Error("Its memory can't be closed");

async function pour(from, to) {
  const chunk = new Uint8Array(65536);
  for (let count; (count = await from.read(chunk)) !== null;) {
    for (let done = 0; done < count;) done += await to.write(chunk.subarray(done, count));
  }
  await to.closeWrite();
}

async function relay(client, prefix) {
  let proxy;
  try {
    proxy = await Deno.connect({ transport: "unix", path });
    if (prefix.length > 0) await proxy.write(prefix);
    await Promise.all([pour(client, proxy), pour(proxy, client)]);
  } catch {
    // one side is gone, so the other one goes too
  } finally {
    client.close();
    proxy?.close();
  }
}

async function listen(port, index) {
  const prefix = index === 0 ? new Uint8Array() : Uint8Array.of(0, index - 1);
  let listener;
  try {
    listener = Deno.listen({ hostname: "127.0.0.1", port });
  } catch (error) {
    if (index === 0) throw error;
    return; // a port that only root may take is left to those who ask the proxy
  }
  for await (const client of listener) void relay(client, prefix);
}

ports.split(",").map(Number).forEach(listen);
await Deno.stdout.write(new TextEncoder().encode("ready\n"));
