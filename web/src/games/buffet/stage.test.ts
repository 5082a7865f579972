import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { View } from "./wire";
import { Stage } from "./stage.svelte";

const table: View = {
  buffet: [
    ["cheese", 5],
    ["pizza", 3],
    ["salad", 1],
  ],
  plates_left: 9,
  round: 1,
  part: 1,
  token: 0,
  at: [0, 0, 0, 0],
  inside: [0, 1, 2, 3],
  hands: [],
  played: {},
  stacks: [],
  stock: 9,
  discard: [],
  exchanging: null,
  exchanged: [],
  drawing: [],
  revealed: null,
  over: false,
  options: {},
};
const revealed: View = {
  ...table,
  at: [2, 3, -1, 2],
  buffet: table.buffet.slice(0, 2),
  inside: [0, 1, 3],
  revealed: {
    cards: [
      [0, 2],
      [1, 3],
      [2, -1],
      [3, 2],
    ],
    left: [[2, ["salad", 1]]],
  },
};
const motion = (still: boolean) => vi.stubGlobal("matchMedia", () => ({ matches: still }));

beforeEach(() => {
  vi.useFakeTimers();
  motion(false);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it("turns cards one by one, lets mice run, then has the plate carried off", () => {
  const stage = new Stage(table);
  stage.hear(revealed);
  expect([stage.turned, stage.at, stage.view.buffet.length]).toEqual([0, [0, 0, 0, 0], 3]);
  vi.advanceTimersByTime(500);
  expect([stage.turned, stage.at]).toEqual([2, [2, 3, 0, 0]]);
  while (!stage.carried.length) vi.advanceTimersByTime(50);
  expect([stage.turned, stage.at, stage.view.buffet.length]).toEqual([4, [2, 3, -1, 2], 2]);
  expect(stage.carried).toEqual([[2, ["salad", 1]]]);
  vi.runAllTimers();
  expect([stage.busy, stage.carried, stage.view]).toEqual([false, [], revealed]);
});

it("lets mice run to the end of a round before they go home", () => {
  const stage = new Stage(table);
  stage.hear({ ...revealed, round: 2, at: [0, 0, 0, 0] });
  while (!stage.carried.length) vi.advanceTimersByTime(50);
  expect(stage.at).toEqual([2, 3, -1, 2]);
  vi.runAllTimers();
  expect(stage.at).toEqual([0, 0, 0, 0]);
});

it("is skipped at once, for who wants no motion, and when a replay jumps", () => {
  const tapped = new Stage(table);
  tapped.hear(revealed);
  tapped.finish();
  expect([tapped.busy, tapped.view]).toEqual([false, revealed]);
  const jumped = new Stage({ ...table, at: [9, 9, 9, 9] });
  jumped.hear(revealed);
  expect([jumped.busy, jumped.at]).toEqual([false, [2, 3, -1, 2]]);
  motion(true);
  const calm = new Stage(table);
  calm.hear(revealed);
  expect([calm.busy, calm.view]).toEqual([false, revealed]);
});
