import type { Frame } from "../../lib/live.svelte";
import { nameOf } from "../../lib/story";
import { number } from "../../lib/words";
import { tell, type Key } from "./words";

/** How somebody leaves a round, with a plate or hungry. */
export function leaving(frame: Frame, seat: number, plate: [string, number] | null): string {
  const name = nameOf(frame, seat);
  if (!plate) return tell("told_hungry", { name });
  return tell("leavesWith", {
    name,
    plate: `${tell(`food.${plate[0]}` as Key)} ${number(plate[1])}`,
  });
}
