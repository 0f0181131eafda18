import { readFile } from "node:fs/promises";
import type { Attack, Place } from "./attack.ts";
import type { Attempt } from "./batch.ts";

/** Whether an attack reached its aim: its code got through, or – where that can't tell – the host's file changed. */
export async function isReached(
  attack: Attack,
  { attempt, place }: { attempt: Attempt; place: Place },
): Promise<boolean> {
  if (attack.victim === undefined) return attempt.through;
  return (await readFile(attack.victim(place), "utf8").catch(() => "")).includes("mine");
}
