// The end of a game as the server ranks it.

import type { View } from "../games/buffet/wire";
import type { Frame } from "./live.svelte";
import { nameOf } from "./story";
import { tell } from "./words";

/** The seats, best first. */
export const inOrder = (frame: Frame) => frame.ranking.flat();

/** What put players with equal points in order, a sentence for each pair. */
export function tieBreaks(frame: Frame): string[] {
  const { ties = [] } = frame.view as Pick<View, "ties">;
  return ties.map(({ better, worse, food, plates: [more, less] }) =>
    tell("buffet.end_tie", {
      winner: nameOf(frame, better),
      loser: nameOf(frame, worse),
      points: (frame.scores as number[])[better] ?? 0,
      food: tell(`food.${food}`),
      more,
      less,
    }),
  );
}
