import type { Frame } from "../../lib/live.svelte";
import { nameOf } from "../../lib/story";
import type { View } from "./wire";
import { tell, type Key } from "./words";

export const tile = (symbol: string, colour: string) => ({
  symbol: tell(`symbol.${symbol}` as Key),
  colour: tell(`colour.${colour}` as Key),
});

/** What the last race brought. */
export function outcome(frame: Frame): string {
  const last = (frame.view as View).last;
  if (!last) return "";
  const name = last.seat === null ? "" : nameOf(frame, last.seat);
  const owner = last.owner === null ? "" : nameOf(frame, last.owner);
  return tell(last.outcome, { name, owner });
}
