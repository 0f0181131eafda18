#!/usr/bin/env -S deno run -A
import { main } from "./src/cli/main.ts";

// The only file that ends the process: everything below tells by its exit code.
if (import.meta.main) Deno.exit(await main(Deno.args));
