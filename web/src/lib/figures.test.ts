import { expect, test } from "vitest";
import type { CountedGame } from "../wire/frames";
import { byCount, lucky, median, winsOf } from "./figures";

const game = (name: string, seats: number, won: number, luck: number | null = null) =>
  ({ table: "t", number: 1, seat: 0, game: name, seats, won, luck }) satisfies CountedGame;

test("wins are counted by game and number of players", () => {
  const found = winsOf([game("a", 2, 1), game("b", 3, 0), game("b", 2, 0.5), game("b", 3, 1)]);
  expect(found.map(({ game, all }) => [game, all])).toEqual([
    ["b", 3],
    ["a", 1],
  ]);
  expect(found[0]?.rows).toEqual([
    { seats: 2, games: 1, won: 0.5 },
    { seats: 3, games: 2, won: 1 },
  ]);
  expect(winsOf([])).toEqual([]);
});

test("luck goes from the oldest to the newest, where it is known", () => {
  const found = lucky([game("a", 2, 0, 0.2), game("a", 2, 0), game("a", 2, 0, 0)]);
  expect(found.map(({ luck }) => luck)).toEqual([0, 0.2]);
});

test("the middle one of the times, and what was counted most", () => {
  expect([median([5, 1, 3]), median([1, 2, 3, 8]), median([7]), median([])]).toEqual([3, 3, 7, 0]);
  expect(byCount({ rat: 1, ant: 3, bug: 3 })).toEqual([
    ["ant", 3],
    ["bug", 3],
    ["rat", 1],
  ]);
});
