import { join } from "node:path";

/** Asks a Deno for its name in the archive and for its own file: what is on PATH may be a script that starts it. */
const QUESTION =
  "console.log(JSON.stringify([`deno-${Deno.version.deno}-${Deno.build.target}.gz`, Deno.execPath()]))";

/** Gzips a Deno into `folder`, unless that was done before, and gives the path of the archive. */
export async function packDeno(deno: string, folder: string): Promise<string> {
  const asked = await new Deno.Command(deno, { args: ["eval", "--no-config", QUESTION] }).output();
  if (!asked.success) throw new Error(`Cannot embed ${deno}: ${new TextDecoder().decode(asked.stderr)}`);
  const [name, program] = JSON.parse(new TextDecoder().decode(asked.stdout)) as [string, string];
  const archive = join(folder, name);
  if (await Deno.stat(archive).then(() => true, () => false)) return archive;
  await Deno.mkdir(folder, { recursive: true });
  const draft = `${archive}.${crypto.randomUUID()}`;
  try {
    const [source, target] = [await Deno.open(program), await Deno.create(draft)];
    await source.readable.pipeThrough(new CompressionStream("gzip")).pipeTo(target.writable);
    await Deno.rename(draft, archive);
  } catch (error) {
    await Deno.remove(draft).catch(() => {});
    throw error;
  }
  return archive;
}
