import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Frame } from "../../lib/live.svelte";
import type { News } from "../../lib/news";
import { prefs } from "../../lib/prefs.svelte";
import { moodOf } from "./moods";
import { scenes } from "./scenes";
import { Stage } from "./stage.svelte";
import { leaving, turning, type Leaver, type Turned } from "./timetable";
import type { View } from "./wire";

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
  hands: [
    [3, 5],
    [null, null],
    [null, null],
    [null, null],
  ],
  played: { "0": 2, "1": null, "2": null },
  stacks: [{}, {}, {}, {}],
  stock: 9,
  discard: [],
  exchanging: null,
  exchanged: [],
  drawing: [],
  revealed: null,
  over: false,
  options: {},
};
const cards: Turned[] = [
  [0, 2],
  [1, 3],
  [2, -1],
  [3, 2],
];
const left: Leaver[] = [[2, ["salad", 1]]];
const revealed: View = {
  ...table,
  at: [2, 3, -1, 2],
  played: {},
  buffet: table.buffet.slice(0, 2),
  inside: [0, 1, 3],
  exchanging: 2,
  stacks: [{}, {}, { salad: [1] }, {}],
  revealed: { cards: cards as [number, number][], left },
};
const told = (turned: readonly Turned[]): News[] => [
  {
    key: "told_reveal",
    fields: {
      cards: turned.map(([seat, card]) => ({
        word: "told_play",
        fields: { name: { seat }, card, at: "" },
      })),
    },
  },
  { key: "told_last", fields: { name: { seat: 2 } } },
];
const frame = (view: View, lead?: boolean): Frame =>
  ({
    view,
    news: lead === undefined ? [] : told(cards),
    scene: lead === undefined ? null : { move: { by: 3, do: "play", card: null }, lead },
  }) as unknown as Frame;

let heard: string[];
beforeEach(() => {
  vi.useFakeTimers();
  heard = [];
  vi.stubGlobal("dispatchEvent", (event: CustomEvent<string>) => heard.push(event.detail));
  prefs.pace = "normal";
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it("turns cards one by one, lets mice run, then has the plate carried off", () => {
  const stage = new Stage(frame(table));
  stage.hear(frame(table, true));
  expect([stage.turned, stage.at, stage.view.buffet.length]).toEqual([0, [0, 0, 0, 0], 3]);
  expect(stage.cards.every(({ down, card }) => down && card !== undefined)).toBe(true);
  while (stage.turned < 2) vi.advanceTimersByTime(20);
  expect(stage.at.slice(2)).toEqual([0, 0]);
  vi.advanceTimersByTime(turning(cards).ms);
  expect([stage.turned, stage.at]).toEqual([4, [2, 3, -1, 2]]);
  expect(heard).toEqual(expect.arrayContaining(["card", "feet"]));
  expect([stage.carried, stage.view.buffet.length]).toEqual([[], 3]);
  stage.hear(frame(revealed, false));
  vi.advanceTimersByTime(1);
  expect([stage.carried, stage.view.buffet.length]).toEqual([left, 2]);
  expect([stage.view.stacks[2], stage.view.exchanging]).toEqual([{}, null]);
  vi.advanceTimersByTime(leaving(left).there[0] ?? 0);
  expect([stage.carried, stage.view.stacks[2]]).toEqual([[], { salad: [1] }]);
  stage.hear(frame(revealed));
  expect([stage.busy, stage.carried, stage.view]).toEqual([false, [], revealed]);
});

it("lets mice run to the end of a round before they go home, and hands stay as they were", () => {
  const next = { ...revealed, round: 2, at: [0, 0, 0, 0], hands: [[1, 2, 3], [], [], []] };
  const stage = new Stage(frame(table));
  stage.hear(frame(table, true));
  stage.hear(frame(next, false));
  vi.advanceTimersByTime(1);
  expect([stage.at, stage.view.round, stage.carried]).toEqual([[2, 3, -1, 2], 1, left]);
  expect(stage.view.hands[0]).toEqual([3, 5]);
  expect(stage.view.hands[3]).toEqual([null]); // the last card is on the table
  stage.hear(frame(next));
  expect([stage.at, stage.view.round]).toEqual([[0, 0, 0, 0], 2]);
});

it("is skipped by a tap, and stands still for whoever was not there before", () => {
  const tapped = new Stage(frame(table));
  tapped.hear(frame(table, true));
  tapped.hear(frame(revealed));
  expect([tapped.busy, tapped.view]).toEqual([false, revealed]);
  vi.runAllTimers();
  expect([tapped.view, tapped.turned]).toEqual([revealed, 4]);
  const late = new Stage(frame(revealed, false));
  late.hear(frame(revealed, false));
  expect([late.busy, late.view]).toEqual([false, revealed]);
});

it("waits in the queue exactly as long as the stage plays", () => {
  const telling = scenes(told(cards), null, frame(revealed, false));
  expect([telling.lead, telling.ms]).toEqual([turning(cards).ms, leaving(left).ms]);
  expect(telling.words?.map(({ key }) => key)).toEqual(["told_last"]);
  for (const [pace, factor] of [
    ["slow", 1.8],
    ["quick", 0.5],
  ] as const) {
    prefs.pace = pace;
    const stage = new Stage(frame(table));
    stage.hear(frame(table, true));
    vi.advanceTimersByTime((telling.lead ?? 0) * factor);
    expect([stage.turned, stage.at]).toEqual([4, revealed.at]);
    stage.hear(frame(revealed, false));
    vi.advanceTimersByTime(telling.ms * factor - 1);
    expect([stage.carried, stage.view.stacks]).toEqual([[], revealed.stacks]);
    expect(vi.getTimerCount()).toBe(0);
  }
});

it.each([0.4, 1])("carries the plate off in the time that it is given, %f of it", (share) => {
  const shown = (lead: boolean, view: View, ms: number) => {
    const found = frame(view, lead);
    return { ...found, scene: { ...found.scene, ms } } as Frame;
  };
  const stage = new Stage(frame(table));
  stage.hear(shown(true, table, 1000));
  vi.advanceTimersByTime(1000);
  expect(stage.at).toEqual(revealed.at);
  const ms = leaving(left).ms * share;
  stage.hear(shown(false, revealed, ms));
  vi.advanceTimersByTime(1);
  expect(stage.carried).toEqual(left);
  vi.advanceTimersByTime(ms);
  expect([stage.carried, stage.view.stacks]).toEqual([[], revealed.stacks]);
});

it("has every leaver carry something, one after another", () => {
  const two: Leaver[] = [
    [0, null],
    [1, ["cheese", 5]],
  ];
  const { at, there, ms } = leaving(two);
  expect(at[1]).toBeGreaterThan(at[0] ?? 0);
  expect(Math.max(...there)).toBeLessThan(ms);
  expect(leaving([]).ms).toBeGreaterThan(0);
});

it("hears a card that is laid", () => {
  const stage = new Stage(frame({ ...table, played: {} }));
  stage.hear(frame(table));
  expect(heard).toEqual(["card"]);
  stage.hear(frame(table));
  expect(heard).toEqual(["card"]);
});

it("gives every mouse its mood", () => {
  const moods = (view: View) => view.at.map((_, seat) => moodOf(view, view.at, seat));
  expect(moods(table)).toEqual([null, null, null, null]);
  expect(moods(revealed)).toEqual(["worried", "happy", "proud", "worried"]);
  const poor = { cards: [], left: [[2, ["salad", -1]]] as Leaver[] };
  expect(moods({ ...revealed, revealed: poor })[2]).toBe("sulking");
});
