/**
 * Does `work` for each item, at most `concurrency` at once, begun in order; results in order. After `signal` has aborted
 * no other item is begun; those get `undefined`.
 */
export async function mapConcurrent<T, R>(
  items: readonly T[],
  work: (item: T, index: number) => Promise<R>,
  options: { concurrency: number; signal: AbortSignal },
): Promise<(R | undefined)[]> {
  const results = new Array<R | undefined>(items.length).fill(undefined);
  const queue = items.entries();
  const worker = async () => {
    // All workers take from one iterator: each item is taken once.
    for (const [index, item] of queue) {
      if (options.signal.aborted) return;
      results[index] = await work(item, index);
    }
  };
  await Promise.all(Array.from({ length: Math.min(options.concurrency, items.length) }, worker));
  return results;
}
