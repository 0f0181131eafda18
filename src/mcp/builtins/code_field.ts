import { z } from "zod";

/** Longer code is data in the wrong place: it would be copied with each version, and read at each start. */
const MAX_CHARACTERS = 1024 * 1024;

/** The argument that holds source text. */
export function codeField(description: string): z.ZodString {
  return z.string().max(MAX_CHARACTERS, {
    error: ({ input }) =>
      `has ${String(input).length} characters, must have at most ${MAX_CHARACTERS}: ` +
      "keep data in files that the code reads, or in memory",
  }).describe(description);
}
