import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Frame, Seen } from "./live.svelte";
import type { News } from "./news";
import { prefs } from "./prefs.svelte";
import { Scenes } from "./scenes.svelte";

const roll: News = { key: "rolls", fields: { name: { seat: 1 } }, place: "dice" };
const take: News = {
  key: "takes",
  fields: { name: { seat: 1 } },
  place: "p",
  touches: ["dice", "p"],
};
const step = (news: News, view: unknown, by: Seen["by"] = 1) => ({
  move: { by, do: news.key },
  view,
  to_move: [1],
  news: [news],
});
const frame = (more: Partial<Frame>): Frame =>
  ({
    ...{ news: [], story: null, legal: {}, seat: 0, over: false, view: "start", race: null },
    ...{ to_move: [1], winners: [], scores: [0, 0], clocks: {} },
    ...{ table: { game: "orchard", phase: "playing", games: 1 } },
    ...more,
  }) as unknown as Frame;
const told = (...steps: ReturnType<typeof step>[]) =>
  frame({ steps, news: steps.flatMap(({ news }) => news), view: steps.at(-1)?.view });

let scenes: Scenes;
let heard: string[];
const hear = (event: Event) => heard.push((event as CustomEvent<string>).detail);

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("document", { hidden: false });
  vi.stubGlobal("dispatchEvent", (event: Event) => hear(event));
  prefs.pace = "normal";
  heard = [];
  scenes = new Scenes();
  scenes.parts = () => ({
    scenes: ([first]) => (first?.key === "takes" ? { lead: 500, ms: 900, big: true } : { ms: 600 }),
    sounds: { rolls: "dice", takes: "nibble" },
  });
  scenes.hear(frame({ story: [] }));
});
afterEach(() => {
  scenes.close();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("one event comes after another: the tile has flown before the next dice fall", () => {
  scenes.hear(told(step(take, "taken"), step(roll, "rolled", "nature")));
  expect(scenes.shown).toMatchObject({ view: "start", scene: { lead: true }, to_move: [1] });
  expect(scenes.saying.news).toEqual([]);
  vi.advanceTimersByTime(500);
  expect(scenes.shown).toMatchObject({ view: "taken", scene: { lead: false } });
  expect(scenes.banner).toEqual({ news: [take], big: true });
  expect([scenes.saying.news, heard]).toEqual([[take], ["nibble"]]);
  vi.advanceTimersByTime(900);
  expect(scenes.shown?.view).toBe("rolled");
  expect(heard).toEqual(["nibble", "dice"]);
  vi.advanceTimersByTime(600);
  expect(scenes.shown).toMatchObject({ view: "rolled", scene: null });
  expect([scenes.busy, scenes.banner]).toEqual([false, null]);
});

test("while something is told nothing is to be decided, and nothing of the end is known", () => {
  const last = { over: true, winners: [1], scores: [3, 9], legal: { "0": [{}] } };
  scenes.hear({ ...told(step(roll, "rolled")), ...last, story: [roll, take] });
  expect(scenes.shown).toMatchObject({ over: false, winners: [], scores: [0, 0], legal: {} });
  expect(scenes.told).toEqual([roll]);
  vi.advanceTimersByTime(600);
  expect(scenes.shown).toMatchObject({ ...last, scene: null });
  expect(scenes.told).toEqual([roll, take]);
  expect(heard).toEqual(["dice", "end"]);
});

test("a tap goes on, one scene at a time", () => {
  scenes.hear(told(step(take, "taken"), step(roll, "rolled")));
  const seen = [scenes.shown?.view];
  for (let taps = 0; taps < 3; taps += 1) {
    scenes.goOn();
    seen.push(scenes.shown?.view);
  }
  expect(seen).toEqual(["start", "taken", "rolled", "rolled"]);
  expect([scenes.busy, heard]).toEqual([false, ["nibble", "dice"]]);
});

test("what comes meanwhile waits for its turn, and nothing is told twice", () => {
  scenes.hear(told(step(roll, "rolled")));
  scenes.hear(told(step(take, "taken")));
  scenes.hear(frame({ view: "taken", table: { ...frame({}).table, watchers: 3 } }));
  expect(scenes.shown?.view).toBe("rolled");
  vi.runAllTimers();
  expect(scenes.saying.nth).toBe(2);
  expect(scenes.shown).toMatchObject({ view: "taken", table: { watchers: 3 }, scene: null });
});

test("who is to move waits less for what is not about them", () => {
  const mine = { legal: { "0": [{}] } };
  scenes.hear({ ...told(step(roll, "rolled")), ...mine });
  vi.advanceTimersByTime(240);
  expect([scenes.busy, heard]).toEqual([false, ["dice", "turn"]]);
  const about: News = {
    key: "rolls",
    fields: { cards: [{ word: "w", fields: { n: { seat: 0 } } }] },
  };
  scenes.hear({ ...told(step(about, "again")), ...mine });
  vi.advanceTimersByTime(599);
  expect(scenes.busy).toBe(true);
});

test("a late tab, an open race and a script catch up at once, and still hear what happened", () => {
  const race = { race: { show_at: 5, photo: null } };
  scenes.hear(told(step(take, "taken")));
  scenes.hear({ ...told(step(roll, "rolled")), ...race });
  expect(scenes.shown).toMatchObject({ view: "rolled", scene: null });
  expect(scenes.saying.news).toEqual([take, roll]);
  vi.stubGlobal("document", { hidden: true });
  scenes.hear(told(step(roll, "hidden")));
  expect([scenes.shown?.view, scenes.busy]).toEqual(["hidden", false]);
  vi.stubGlobal("document", { hidden: false });
  prefs.pace = "none";
  scenes.hear(told(step(roll, "none")));
  expect([scenes.shown?.view, scenes.busy]).toEqual(["none", false]);
});

test("who likes to tap decides when to go on", () => {
  prefs.pace = "tap";
  scenes.hear(told(step(roll, "rolled"), step(take, "taken")));
  vi.advanceTimersByTime(60_000);
  expect([scenes.shown?.view, scenes.waits]).toEqual(["rolled", true]);
  scenes.goOn();
  vi.advanceTimersByTime(60_000);
  expect([scenes.shown?.view, scenes.waits]).toEqual(["taken", true]);
  scenes.goOn();
  expect([scenes.busy, scenes.waits]).toEqual([false, false]);
});

test("pace makes everything longer or shorter", () => {
  prefs.pace = "slow";
  scenes.hear(told(step(roll, "rolled")));
  vi.advanceTimersByTime(1079);
  expect(scenes.busy).toBe(true);
  vi.advanceTimersByTime(1);
  expect(scenes.busy).toBe(false);
});

test("another game begins at once, and what was told before is gone", () => {
  scenes.hear(told(step(take, "taken")));
  scenes.hear(frame({ story: [], view: "anew", table: { ...frame({}).table, games: 2 } }));
  expect([scenes.shown?.view, scenes.told, scenes.busy]).toEqual(["anew", [], false]);
});

test("what asks waits for the player, called once, and not for what happens without them", () => {
  scenes.parts = () => ({
    scenes: ([first]) => ({ ms: 600, asks: first?.key === "rolls" }),
    sounds: { rolls: "dice", takes: "nibble" },
  });
  const mine = { ...told(step(roll, "rolled", "nature")), seat: 1, legal: { 1: ["take"] } };
  scenes.hear(mine as unknown as Frame);
  vi.advanceTimersByTime(60_000);
  expect(scenes.shown).toMatchObject({ view: "start", scene: { lead: true, asks: true } });
  expect([scenes.saying.news, heard]).toEqual([[], ["turn"]]);
  scenes.goOn();
  expect(scenes.shown).toMatchObject({ view: "rolled", scene: { lead: false } });
  vi.advanceTimersByTime(600);
  expect([scenes.shown?.scene, heard]).toEqual([null, ["turn", "dice"]]);
  scenes.hear(told(step(roll, "again", "nature")));
  scenes.hear(told(step(take, "taken")));
  expect(scenes.shown).toMatchObject({ view: "again", scene: { lead: false } });
});

test("a board may tell a part itself, knows how long it has, and what is about all waits for a tap", () => {
  prefs.pace = "tap";
  scenes.parts = () => ({
    scenes: () => ({ lead: 200, ms: 300, words: [take], shared: true }),
    sounds: {},
  });
  scenes.hear(told(step(roll, "rolled", 0)));
  expect(scenes.shown?.scene).toMatchObject({ lead: true, ms: 360 });
  vi.advanceTimersByTime(360);
  expect(scenes.shown?.scene).toMatchObject({ lead: false, ms: 540 });
  expect([scenes.banner?.news, scenes.saying.news]).toEqual([[take], [roll]]);
  vi.advanceTimersByTime(540);
  expect(scenes.waits).toBe(true);
});

test("who looks away hears what was not shown yet, and nothing of it twice", () => {
  scenes.hear(told(step(roll, "rolled"), step(take, "taken")));
  scenes.catchUp();
  scenes.catchUp();
  expect([scenes.shown?.view, scenes.told, heard]).toEqual(["taken", [take], ["dice", "nibble"]]);
  expect(scenes.saying).toEqual({ news: [take], nth: 2 });
});

test("what comes without its scenes is told after those that wait, not before them", () => {
  const news: News[] = [];
  const saying = () => news.push(...scenes.saying.news);
  scenes.hear(told(step(roll, "rolled")));
  saying();
  scenes.hear(told(step(take, "taken")));
  const more: News = { key: "more" };
  scenes.hear(frame({ steps: [], news: [more], view: "much later" }));
  saying();
  expect(news).toEqual([roll, take, more]);
  expect(scenes.shown).toMatchObject({ view: "much later", scene: null });
});

test("a story that was told anew is not lost to what comes while scenes are shown", () => {
  const whole = [{ key: "before" }, roll];
  scenes.hear({ ...told(step(roll, "rolled")), over: true, story: whole });
  scenes.hear(frame({ over: true, view: "rolled" })); // somebody wants to play again
  expect(scenes.told).toEqual([roll]);
  vi.runAllTimers();
  expect(scenes.told).toEqual(whole);
  scenes.hear({ ...told(step(take, "taken")), story: null });
  vi.runAllTimers();
  expect(scenes.told).toEqual([{ key: "before" }, take]);
});

test("a sound that cannot be played holds nobody up", () => {
  const plays: boolean[] = [];
  scenes.plays = (busy) => plays.push(busy);
  vi.stubGlobal("AudioContext", function none() {
    throw new Error("no sound here");
  });
  scenes.hear(told(step(roll, "rolled")));
  vi.advanceTimersByTime(600);
  expect([scenes.busy, plays]).toEqual([false, [true, false]]);
});

test("scenes that several share on one device keep step, whoever is to move", () => {
  const line = (seat: number | null, loud: boolean) => {
    const one = new Scenes();
    const asks = (after: Frame) => after.seat === 0;
    one.parts = () => ({ scenes: (_, __, after) => ({ ms: 600, asks: asks(after) }), sounds: {} });
    Object.assign(one, { loud, shared: true });
    one.hear(frame({ seat, story: [] }));
    one.hear({ ...told(step(roll, "rolled"), step(take, "taken")), seat, legal: { 0: [{}] } });
    return one;
  };
  prefs.pace = "tap";
  const all = [line(null, true), line(0, false), line(1, false)];
  const views = () => all.map(({ shown, waits }) => [shown?.view, shown?.scene?.lead, waits]);
  const alike = (...what: unknown[]) => expect(views()).toEqual([what, what, what]);
  alike("rolled", false, true);
  vi.advanceTimersByTime(60_000);
  alike("rolled", false, true);
  all.forEach((one) => one.goOn());
  alike("taken", false, true);
  all.forEach((one) => one.close());
});

test("what happened while the line was lost is told with the next one, once", () => {
  const more: News = { key: "more" };
  scenes.hear(told(step(roll, "rolled")));
  scenes.hear(frame({ steps: [], story: [take, more], view: "later" })); // the dice are gone since
  expect(scenes.saying).toEqual({ news: [take, more], nth: 2 });
  expect(scenes.shown).toMatchObject({ view: "later", scene: null });
  scenes.hear(frame({ steps: [], story: [take, more, roll], view: "later" }));
  expect(scenes.saying).toEqual({ news: [roll], nth: 3 });
  scenes.hear(frame({ steps: [], story: [take, more, roll], view: "later" }));
  expect([scenes.saying.nth, scenes.told]).toEqual([3, [take, more, roll]]);
});

test("who rolls once more is not called to their turn again; who was waited for is", () => {
  const quietly = () => ({ ms: 300, quiet: true });
  scenes.parts = () => ({ scenes: quietly, sounds: {} });
  const mine = { legal: { "0": [{}] }, to_move: [0] };
  scenes.hear({ ...told(step(roll, "kept", 0), step(roll, "rolled", "nature")), ...mine });
  vi.advanceTimersByTime(600);
  expect([scenes.busy, heard]).toEqual([false, []]);
  scenes.hear({ ...told(step(roll, "theirs", 1)), ...mine });
  vi.advanceTimersByTime(300);
  expect(heard).toEqual(["turn"]);
});

test("who likes to tap looks at what is about everybody for as long as they like", () => {
  prefs.pace = "tap";
  scenes.parts = () => ({ scenes: () => ({ ms: 300, quiet: true, shared: true }), sounds: {} });
  scenes.hear(told(step(take, "photo", "nature")));
  vi.advanceTimersByTime(9000);
  expect([scenes.waits, scenes.shown?.view]).toEqual([true, "photo"]);
  scenes.goOn();
  expect(scenes.busy).toBe(false);
});
