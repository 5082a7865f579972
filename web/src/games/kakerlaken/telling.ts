import type { Frame } from "../../lib/live.svelte";
import type { News } from "../../lib/news";
import { nameOf } from "../../lib/story";
import type { Telling } from "..";
import type { Race, TileView, View } from "./wire";
import { tell, type Key } from "./words";

export const tile = (symbol: string, colour: string) => ({
  symbol: tell(`symbol.${symbol}` as Key),
  colour: tell(`colour.${colour}` as Key),
});

/** Whether no clock runs: everybody decides, then all is shown. */
export const isCalm = ({ view }: Frame) => (view as View).options.calm === true;

/** A tile with its thief side up, in words. */
export const thiefTile = ({ tile: [symbol, colour], thief }: TileView) =>
  tell("thiefTile", { ...tile(symbol, colour), thief: thief ? tell(`thief.${thief}`) : "" });

/** What the last race brought. */
export function outcome(frame: Frame): string {
  const last = (frame.view as View).last;
  if (!last) return "";
  const name = last.seat === null ? "" : nameOf(frame, last.seat);
  const owner = last.owner === null ? "" : nameOf(frame, last.owner);
  const taken = last.outcome === "tile_won" && last.owner !== null;
  return tell(taken ? "tile_taken" : last.outcome, { name, owner });
}

/** Who got a fish coin in a race. */
export function paid(last: Race | null): number | null {
  if (last?.outcome === "coin_for_owner") return last.seat;
  return last?.outcome === "other_erred" ? last.owner : null;
}

const mistakes = ["grab_instead_of_slap", "grab_cost_a_tile", "no_squeak", "squeaked"] as const;
const slips = [...mistakes, "wrong_thief", "not_named", "named_late"] as readonly string[];

/** Whether somebody grabbed the master for nothing. */
export const annoyed = (last: Race | null) =>
  last?.verdicts?.some((verdict) => verdict && slips.includes(verdict.why)) ?? false;

export interface Mark {
  seat: number;
  good: boolean;
}
/** Who slapped a tile in a race, and whether that was right. */
export function marks(last: Race | null, shown: TileView): Mark[] {
  return (last?.deeds ?? []).flatMap((deed, seat) =>
    deed?.tile?.join() === shown.tile.join()
      ? { seat, good: last?.verdicts?.[seat]?.good ?? shown.tile.join() === last?.roll.join() }
      : [],
  );
}

/** How a move is told: the photo finish tells a race by itself; what nobody is told of takes no time. */
export function telling(news: readonly News[], _: unknown, after: Frame): Telling {
  const key = news[0]?.key;
  if (!key) return { ms: 0, quiet: true };
  if (key === "told_deal" || key === "told_give") return { ms: 1200 };
  if (isCalm(after)) return { lead: 800, ms: 6000, quiet: true, shared: true };
  const coin = paid((after.view as View).last) !== null;
  return { lead: 500, ms: coin ? 3000 : 2400, quiet: true, shared: true };
}
