import { z } from "zod";
import { DEFAULT_LIMITS, type Limits } from "../sandbox/limits.ts";

const DAY_MS = 86_400_000;
const GIB = 1024 ** 3;

/** The largest value of each limit; above it a number is a slip of the pen. */
const MAXIMA = {
  timeout_ms: DAY_MS,
  memory_mb: 1024 * 1024,
  cpu_ms: 64 * DAY_MS,
  output_bytes: GIB,
  processes: 32_768,
  open_files: 1_048_576,
  file_bytes: 1024 * GIB,
} as const satisfies Limits;

const MEANING = {
  timeout_ms: "Wall time in milliseconds",
  memory_mb: "Memory of the whole process tree in MiB",
  cpu_ms: "CPU time in milliseconds; default: timeout_ms",
  output_bytes: "Most bytes of a result",
  processes: "Most processes and threads at once",
  open_files: "Most open files of one process",
  file_bytes: "Largest file that may be written, in bytes",
} as const satisfies Record<keyof Limits, string>;

function limit(name: keyof Limits) {
  return z.int().min(1).max(MAXIMA[name]).exactOptional()
    .meta({ description: `${MEANING[name]} (default ${DEFAULT_LIMITS[name]})` });
}

/** `limits` of a manifest; an unknown limit is refused, because it would not be kept. */
export const limitsSchema = z.strictObject({
  timeout_ms: limit("timeout_ms"),
  memory_mb: limit("memory_mb"),
  cpu_ms: limit("cpu_ms"),
  output_bytes: limit("output_bytes"),
  processes: limit("processes"),
  open_files: limit("open_files"),
  file_bytes: limit("file_bytes"),
});
