/** Unit of a row's figures. */
export type Unit = "ms" | "MB" | "B" | "calls/s" | "files";

/** The figure that a row should reach: the most lenient of what is given, since absolute times vary with the machine. */
export interface Reach {
  /** In the row's unit. */
  readonly limit?: number;
  /** That many times the floor. */
  readonly floorTimes?: number;
  /** That much above the floor. */
  readonly floorPlus?: number;
  /** More is better. @default false */
  readonly atLeast?: boolean;
}

/** One measured row. */
export interface Row {
  readonly name: string;
  readonly unit: Unit;
  readonly samples: readonly number[];
  /** The same work with nothing of ours in it, measured in turn with the samples. */
  readonly floor?: readonly number[];
  /** What the floor is. */
  readonly floorName?: string;
  /** Absent for rows that are there to be compared with others. */
  readonly reach?: Reach;
}

/** A row that this server can't do. */
export interface NotBuilt {
  readonly name: string;
  readonly notBuilt: true;
}

/** Median, least, and greatest of some samples. */
export interface Summary {
  readonly median: number;
  readonly min: number;
  readonly max: number;
  readonly n: number;
}

/** Sums samples up; of an even number the mean of the two in the middle is the median. */
export function summarise(samples: readonly number[]): Summary {
  const sorted = [...samples].sort((a, b) => a - b);
  const half = sorted.length / 2;
  const low = sorted[Math.ceil(half) - 1] ?? NaN;
  const high = sorted[Math.floor(half)] ?? NaN;
  return { median: (low + high) / 2, min: sorted[0] ?? NaN, max: sorted.at(-1) ?? NaN, n: sorted.length };
}

/** The figure to reach in the row's unit, or `undefined` where there is none. */
export function limitOf({ reach, floor }: Row): number | undefined {
  if (!reach) return undefined;
  const base = floor === undefined ? undefined : summarise(floor).median;
  const limits = [
    reach.limit,
    base !== undefined && reach.floorTimes !== undefined ? base * reach.floorTimes : undefined,
    base !== undefined && reach.floorPlus !== undefined ? base + reach.floorPlus : undefined,
  ].filter((limit) => limit !== undefined);
  if (limits.length === 0) return undefined;
  return reach.atLeast ? Math.min(...limits) : Math.max(...limits);
}

/** Whether the row's median reaches its figure; `undefined` where there is none. */
export function isReached(row: Row): boolean | undefined {
  const limit = limitOf(row);
  if (limit === undefined) return undefined;
  const { median } = summarise(row.samples);
  return row.reach?.atLeast ? median >= limit : median <= limit;
}
