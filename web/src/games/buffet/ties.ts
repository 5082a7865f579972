import type { Frame } from "../../lib/live.svelte";
import { nameOf } from "../../lib/story";
import { tell } from "./words";
import type { View } from "./wire";

/** What put players with equal points in order, a sentence for each pair [B18]. */
export function ties(frame: Frame): string[] {
  return ((frame.view as View).ties ?? []).map(({ better, worse, food, plates: [more, less] }) =>
    tell("end_tie", {
      winner: nameOf(frame, better),
      loser: nameOf(frame, worse),
      points: (frame.scores as number[])[better] ?? 0,
      food: tell(`food.${food}`),
      more,
      less,
    }),
  );
}
