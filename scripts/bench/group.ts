import type { NotBuilt, Row } from "./row.ts";

/** What the groups are given. */
export interface BenchOptions {
  /** Command line of the server. */
  readonly command: readonly string[];
  /** Another one, of the compiled binary, if there is one. */
  readonly compiled?: readonly string[];
  /** How often to measure: the number itself, or a few times when asked to be quick. */
  rounds(usual: number): number;
  /** A folder of this run's own. */
  readonly folder: string;
}

/** Rows that belong together: they share servers, and are chosen by one word of the command line. */
export type Group = (options: BenchOptions) => AsyncIterable<Row | NotBuilt>;
