// The end of a game as the server ranks it.

import type { Frame } from "./live.svelte";
import { nameOf } from "./story";
import { list, say } from "./words";

/** The seats, best first. */
export const inOrder = (frame: Frame) => frame.ranking.flat();

/** Who has won, in words. */
export function whoWins(frame: Frame): string {
  const winners = frame.winners as number[];
  const names = list(winners.map((seat) => nameOf(frame, seat)));
  return say(winners.length > 1 ? "winTogether" : "wins", { names });
}

/** The places on a podium, with who is level on the same step: 1, 1, 3 has no second. */
export function onSteps(ranking: readonly (readonly number[])[]) {
  let before = 0;
  return ranking.flatMap((seats) => {
    const place = before + 1;
    before += seats.length;
    return place > 3 ? [] : [{ place, seats }];
  });
}
