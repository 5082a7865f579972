// Which tile went where between two looks at the table, so that it can be seen to travel.

import type { View } from "./wire";

export type Kind = "sushi" | "bones";
export interface Trip {
  kind: Kind;
  /** The seat whose pile it came from; null is the table. */
  from: number | null;
  /** Where it lay in its row, from 0; the tiles after it move up. */
  place: number;
  to: number;
}

/** Find the one tile that moved to somebody's pile; null if none did, or more than one. */
export function tripOf(before: View, after: View): Trip | null {
  const trips = (["sushi", "bones"] as const).flatMap((kind): Trip[] => {
    const grown = after.piles.map((pile, seat) => {
      return pile[kind].length - (before.piles[seat]?.[kind].length ?? 0);
    });
    const [row, left] = [before.rows[kind], after.rows[kind]];
    const place = row.findIndex((tile, at) => tile !== left[at]);
    const from = grown.indexOf(-1);
    const moved = grown.filter((n) => n).length;
    if (!grown.includes(1) || moved + row.length - left.length !== 2) return [];
    return [{ kind, from: from < 0 ? null : from, place, to: grown.indexOf(1) }];
  });
  return trips.length === 1 ? (trips[0] ?? null) : null;
}
