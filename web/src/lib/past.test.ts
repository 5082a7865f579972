import { expect, test } from "vitest";
import type { PastGame } from "../wire/frames";
import { past } from "./past.svelte";
import { dayOf } from "./words";

test.each([1e300, -1e300, Infinity])("a day that no calendar has is another one: %s", (ended) => {
  const game: PastGame = {
    ...{ table: "abc", number: ended > 0 ? 1 : 2, seat: 0, game: "dice" },
    ...{ names: ["Ada"], bots: [null], scores: [1], winners: [0], place: 1, ended },
  };
  past.add(game);
  for (const one of past.games) expect(dayOf(one.ended * 1000)).toMatch(/\d{4}/);
  expect(past.games.length).toBeGreaterThan(0);
});
