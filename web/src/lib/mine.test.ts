import { expect, test } from "vitest";
import type { MyTable } from "../wire/frames";
import { inOrder, isFull, isMine, needsUs } from "./mine.svelte";
import { placeBy, placeIn, rankedBy } from "./past.svelte";

const table = (name: string, more: Partial<MyTable>): MyTable => ({
  ...{ table: name, game: "g", phase: "playing", names: ["a", "b"], bots: [null, null] },
  ...{ seats: [0], to_move: [1], speed: "relaxed", due: null, number: 1, scores: [] },
  ...{ winners: [], ended: null, held: true, host: 0 },
  ...more,
});

test("what waits for us comes first, the most urgent on top, and what is over last", () => {
  const found = inOrder([
    table("old", { phase: "over", ended: 1 }),
    table("lobby", { phase: "open", to_move: [], names: ["a", null] }),
    table("waits", {}),
    table("new", { phase: "over", ended: 9 }),
    table("mine", { to_move: [0] }),
    table("late", { to_move: [0], due: 50 }),
    table("soon", { to_move: [0, 1], due: 20 }),
  ]);
  const names = found.map((one) => one.table);
  expect(names).toEqual(["soon", "late", "mine", "waits", "lobby", "new", "old"]);
  expect(isMine(table("x", { phase: "over", to_move: [0] }))).toBe(false);
});

test("a full table that has not begun needs whoever may start it, and nobody else", () => {
  const full: Partial<MyTable> = { phase: "open", to_move: [] };
  const found = inOrder([
    table("waits", {}),
    table("theirs", { ...full, seats: [1] }),
    table("ours", full),
  ]);
  expect(found.map((one) => one.table)).toEqual(["ours", "waits", "theirs"]);
  expect(found.map(needsUs)).toEqual([true, false, false]);
  expect(found.map(isFull)).toEqual([true, false, true]);
  expect(needsUs(table("x", { ...full, names: ["a", null] }))).toBe(false);
});

test("places are shared by who is level", () => {
  expect([0, 1, 2].map((seat) => placeIn([[1], [0, 2]], seat))).toEqual([2, 1, 2]);
  expect([0, 1, 2].map((seat) => placeBy([4, 4, 1], [1], seat))).toEqual([2, 1, 3]);
  expect(rankedBy([4, 9, 4, 1], [1])).toEqual([[1], [0, 2], [3]]);
});
