import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Stand, ToldPrimer, ToldStep } from "../wire/frames";
import { prefs } from "./prefs.svelte";
import { Primer, same } from "./primer.svelte";

const stand = (view: string, more: Partial<Stand> = {}): Stand => ({
  ...{ view, to_move: [0], legal: { "0": [] }, scores: null, winners: [], ranking: [] },
  ...{ over: false, racing: false },
  ...more,
});
const step = (say: string, more: Partial<ToldStep> = {}): ToldStep => ({
  ...{ say, do: null, point: [], cross: [], counts: false, shown: [], stand: stand(say) },
  ...more,
});
const news = [{ key: "takes" }];
const shown = [{ move: { by: 1, do: "take" }, view: "taken", to_move: [0], news }];
const told: ToldPrimer = {
  ...{ game: "orchard", others: ["Mia"], options: {}, stand: stand("start") },
  steps: [
    step("hello"),
    step("pick", { do: { do: "pick", apples: [1, 2] }, shown }),
    step("look", { stand: stand("race", { racing: true }) }),
    step("slap", { do: { do: "slap", at: 900 }, stand: stand("end") }),
    step("bye"),
  ],
};
let primer: Primer;

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("document", { hidden: false });
  prefs.pace = "normal";
  primer = new Primer(told, "Nori", true);
});
afterEach(() => {
  primer.close();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("a move is the same whenever it is made and however its cards lie", () => {
  expect(same({ do: "pick", apples: [2, 1] }, { apples: [1, 2], do: "pick" })).toBe(true);
  expect(same({ do: "slap", at: 17 }, { do: "slap", at: 900 })).toBe(true);
  expect(same({ do: "pick", apples: [2] }, { do: "pick", apples: [1, 2] })).toBe(false);
});

test("one reads and goes on, and what follows is seen before the next step is said", () => {
  primer.goOn();
  expect([primer.step?.say, primer.ready]).toEqual(["pick", true]);
  primer.move({ do: "pick", apples: [2, 1] });
  expect([primer.ready, primer.frame?.scene?.lead, primer.frame?.legal]).toEqual([
    false,
    false,
    {},
  ]);
  vi.runAllTimers();
  expect([primer.step?.say, primer.ready, primer.frame?.scene]).toEqual(["look", true, null]);
});

test("anything else gets a word and breaks nothing; the end of a tap is no try", () => {
  primer.move({ do: "steal" });
  expect([primer.nudges, primer.step?.say, primer.refused?.code]).toEqual([
    1,
    "hello",
    "learn_first",
  ]);
  primer.goOn();
  primer.ask({ do: "steal" });
  expect(primer.nudges).toBe(0);
  vi.advanceTimersByTime(1000);
  primer.ask({ do: "steal" });
  expect(primer.nudges).toBe(1);
});

test("who is quick does what is asked for before it is said; a race stays one race", () => {
  primer.move({ do: "pick", apples: [1, 2] });
  vi.runAllTimers();
  expect(primer.frame?.race).toEqual({ show_at: null, photo: [] });
  primer.goOn();
  const race = primer.frame?.race?.["show_at"];
  expect(typeof race).toBe("number");
  primer.ask({ do: "grab" });
  expect(primer.frame?.race?.["show_at"]).toBe(race);
  primer.move({ do: "slap", at: 1 });
  expect([primer.step?.say, primer.ended]).toEqual(["bye", true]);
});
