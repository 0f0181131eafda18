import { deepEqual } from "node:assert/strict";
import { join } from "node:path";
import { findUndocumented } from "../../scripts/check_docs.ts";
import { tempDir } from "../support/temp_dir.ts";

Deno.test("findUndocumented() names what has no comment, or one that says nothing", async () => {
  const found = await findingsOf(`
    export const bare: number = 1;
    /** The shape value. */
    export interface ShapeValue {
      length: number;
      /** How wide it is, in metres. */
      width: number;
      /** @default 1 */
      depth: number;
    }
    /** Paints shapes. */
    export class Painter {
      paint(): void {}
      /** Painter. */
      painter(): void {}
    }
  `);
  deepEqual(found, [
    "bare has no comment",
    "ShapeValue has a comment that only repeats its name",
    "ShapeValue.length has no comment",
    "ShapeValue.depth has no comment",
    "Painter.paint has no comment",
    "Painter.painter has a comment that only repeats its name",
  ]);
});

Deno.test("findUndocumented() asks nothing of what is private, inherited, or documented elsewhere", async () => {
  const found = await findingsOf(`
    /** Something that can be closed. */
    export interface Closable {
      /** Ends it for good. */
      close(): void;
      [Symbol.asyncDispose](): Promise<void>;
    }
    /** Options of {@linkcode Door}. */
    export interface DoorOptions {
      signal: AbortSignal;
      readonly closables?: readonly Closable[];
      /** Paint on both sides. */
      colour?: string;
    }
    /** Leads from one room to the next. */
    export class Door implements Closable {
      #open = true;
      private width = 1;
      constructor(options: DoorOptions) {}
      close(): void {}
      async [Symbol.asyncDispose](): Promise<void> {}
    }
    function inner(): void {}
  `);
  deepEqual(found, []);
});

async function findingsOf(source: string): Promise<string[]> {
  await using dir = await tempDir();
  const path = join(dir.path, "sample.ts");
  await Deno.writeTextFile(path, source);
  const args = ["doc", "--no-config", "--json", path];
  const { stdout } = await new Deno.Command(Deno.execPath(), { args }).output();
  return findUndocumented(JSON.parse(new TextDecoder().decode(stdout))).map((line) =>
    line.replace(/^\S+ /, "")
  );
}
