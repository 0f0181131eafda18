/** Samples of the work and of its floor, taken in turn, so that both see the same machine. */
export interface Alternated {
  readonly samples: number[];
  readonly floor: number[];
}

/** What {@linkcode alternate} measures. */
export interface Contest {
  /** Does the work and returns its milliseconds. */
  sample(round: number): Promise<number>;
  /** Does the same with nothing of ours and returns its milliseconds. */
  floor(round: number): Promise<number>;
  /** Rounds that do not count, for work so small that its first times are those of a cold engine. @default 0 */
  readonly warmUp?: number;
}

/** Measures the work and its floor in turn. */
export async function alternate(
  rounds: number,
  { sample, floor, warmUp = 0 }: Contest,
): Promise<Alternated> {
  const taken: Alternated = { samples: [], floor: [] };
  for (let round = 0; round < warmUp; round++) {
    await floor(round);
    await sample(round);
  }
  for (let round = 0; round < rounds; round++) {
    taken.floor.push(await floor(round));
    taken.samples.push(await sample(round));
  }
  return taken;
}

/** Does the work again and again; it returns its own milliseconds. */
export async function repeat(rounds: number, work: (round: number) => Promise<number>): Promise<number[]> {
  const samples: number[] = [];
  for (let round = 0; round < rounds; round++) samples.push(await work(round));
  return samples;
}

/** How long the work takes, in milliseconds. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** Throws when an answer is not as it must be: a fast wrong answer is no figure. */
export function mustEqual(actual: unknown, expected: unknown, what: string): void {
  const [got, wanted] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (got === wanted) return;
  throw new Error(
    `Cannot measure ${what}: the answer is ${String(got).slice(0, 300)}, wanted ${
      String(wanted).slice(0, 300)
    }`,
  );
}
