/** Bounds of one call (`limits` in manifest.json), all whole numbers above 0. */
export interface Limits {
  /** Wall time in milliseconds. */
  timeout_ms: number;
  /** Memory of the whole process tree in MiB. */
  memory_mb: number;
  /** CPU time in milliseconds. */
  cpu_ms: number;
  /** Most bytes of a result. */
  output_bytes: number;
  /** Most processes and threads at once. */
  processes: number;
  /** Most open files of one process. */
  open_files: number;
  /** Largest file that may be written, in bytes. */
  file_bytes: number;
}

/** The limits of a tool that names none. */
export const DEFAULT_LIMITS: Readonly<Limits> = {
  timeout_ms: 60_000,
  memory_mb: 512,
  cpu_ms: 60_000,
  output_bytes: 10 * 1024 * 1024,
  processes: 64,
  open_files: 1024,
  file_bytes: 100 * 1024 * 1024,
};

/** Limits in full from what a manifest gives; CPU time defaults to the wall time. */
export function resolveLimits(given: Partial<Limits> = {}): Limits {
  const timeout = given.timeout_ms ?? DEFAULT_LIMITS.timeout_ms;
  return { ...DEFAULT_LIMITS, cpu_ms: timeout, ...given };
}
