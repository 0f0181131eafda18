import { isReached, limitOf, type NotBuilt, type Reach, type Row, summarise } from "./row.ts";

/** Heads of the columns, in order. */
export const COLUMNS = ["what", "unit", "median", "min", "max", "n", "floor", "reach", ""] as const;

const NAME_WIDTH = 62;
const WIDTHS = [NAME_WIDTH, 8, 9, 9, 9, 4, 30, 26, 9];

/** The table's head. */
export function headLine(): string {
  return line(COLUMNS);
}

/** One line of the table. */
export function rowLine(row: Row | NotBuilt): string {
  if ("notBuilt" in row) return line([row.name, "", "", "", "", "", "", "", "not built"]);
  const { median, min, max, n } = summarise(row.samples);
  const reached = isReached(row);
  const verdict = reached === undefined ? "" : reached ? "ok" : "over";
  const floor = row.floor === undefined
    ? ""
    : `${figure(summarise(row.floor).median)} ${row.floorName ?? ""}`.trim();
  return line([
    row.name,
    row.unit,
    figure(median),
    figure(min),
    figure(max),
    String(n),
    floor,
    reachText(row),
    verdict,
  ]);
}

/** The row as JSON: all that the table shows, and the samples. */
export function rowJson(row: Row | NotBuilt): Record<string, unknown> {
  if ("notBuilt" in row) return { ...row };
  const { name, unit, samples, floor, floorName, reach } = row;
  return {
    name,
    unit,
    ...summarise(samples),
    ...(floor === undefined ? {} : { floor: { name: floorName, ...summarise(floor), samples: floor } }),
    ...(reach === undefined ? {} : { reach, limit: limitOf(row), reached: isReached(row) }),
    samples,
  };
}

function reachText(row: Row): string {
  const { reach } = row;
  const limit = limitOf(row);
  if (!reach || limit === undefined) return "";
  const sign = reach.atLeast ? "≥" : "≤";
  return `${sign} ${figure(limit)}${words(reach)}`;
}

/** Where the figure comes from, if it is more than a plain number. */
function words({ limit, floorTimes, floorPlus }: Reach): string {
  const parts = [
    ...(limit === undefined ? [] : [figure(limit)]),
    ...(floorTimes === undefined ? [] : [`${floorTimes} × floor`]),
    ...(floorPlus === undefined ? [] : [`floor + ${floorPlus}`]),
  ];
  return limit !== undefined && parts.length === 1 ? "" : ` (${parts.join(" or ")})`;
}

function figure(value: number): string {
  if (!Number.isFinite(value)) return "–";
  if (Math.abs(value) >= 100) return value.toFixed(0);
  return Math.abs(value) >= 10 ? value.toFixed(1) : value.toFixed(2);
}

function line(cells: readonly string[]): string {
  return cells.map((cell, column) => {
    const width = WIDTHS[column] ?? 0;
    return column >= 2 && column <= 5 ? cell.padStart(width) : cell.padEnd(width);
  }).join("  ").trimEnd();
}
