/** The results of `work` for each item in order, with at most `limit` under way at once. */
export async function mapLimited<T, R>(
  items: readonly T[],
  work: (item: T) => Promise<R>,
  { limit }: { limit: number },
): Promise<R[]> {
  const results: R[] = new Array(items.length);
  const waiting = items.entries();
  const worker = async () => {
    for (const [index, item] of waiting) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker));
  return results;
}
