// How the piles are counted when a game is over: sushi without bones fall first, then pair by pair.

import type { Frame } from "../../lib/live.svelte";
import type { View } from "./wire";

/** How long the next pair takes, in ms at normal pace. */
export const beat = (counted: number, surplus: number) => (counted ? 280 : 800 + surplus * 200);

/** How long until everybody's piles are counted. */
export const counting = ({ view }: Frame): number =>
  Math.max(
    ...(view as View).piles.map(({ sushi, bones }) => {
      const high = Math.max(sushi.length, bones.length);
      const first = beat(0, Math.max(0, sushi.length - bones.length));
      return high && first + (high - 1) * beat(1, 0);
    }),
  );
