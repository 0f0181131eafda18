import { runModule } from "./run_module.ts";
import { ServerLink } from "./server_link.ts";

/** What a process may have permission for; the engine has none of it, whatever it was started with. */
const PERMISSIONS: readonly Deno.PermissionDescriptor["name"][] = [
  "read",
  "write",
  "net",
  "env",
  "run",
  "ffi",
  "sys",
  "import" as Deno.PermissionDescriptor["name"],
];

/**
 * Runs WebAssembly modules, one after the other, as the server on its standard streams asks for it, until that goes.
 * The process gives up every permission before: what a module wants of the machine, the server does for it or refuses.
 */
export async function serveEngine(): Promise<void> {
  for (const name of PERMISSIONS) await Deno.permissions.revoke({ name } as Deno.PermissionDescriptor);
  const link = new ServerLink();
  const modules = new Map<string, WebAssembly.Module | string>();
  for (let frame = link.receive(); frame !== undefined; frame = link.receive()) {
    const { message, payload } = frame;
    switch (message.type) {
      case "module":
        modules.set(message.hash, compile(payload));
        break;
      case "drop":
        modules.delete(message.hash);
        break;
      case "run": {
        const module = modules.get(message.module) ?? "it was not sent";
        if (typeof module !== "string") runModule(module, { run: message, stdin: payload, link });
        else {
          link.send({ type: "end", outcome: { kind: "invalid", message: module }, memory: 0, stderr: "" });
        }
        break;
      }
      case "reply":
        break; // nobody waits for it
    }
  }
}

function compile(bytes: Uint8Array<ArrayBuffer>): WebAssembly.Module | string {
  try {
    return new WebAssembly.Module(bytes);
  } catch (error) {
    return error instanceof Error ? error.message.replace(/^WebAssembly\.Module\(\): /, "") : String(error);
  }
}
