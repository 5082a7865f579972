import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Ending } from "./ending.svelte";
import { prefs } from "./prefs.svelte";

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("matchMedia", () => ({ matches: false }));
  prefs.pace = "normal";
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("the last scene is seen, then all is counted, and only then it is told who has won", () => {
  const ending = new Ending();
  ending.hear(false, false, () => 900);
  ending.hear(true, false, () => 900);
  expect([ending.result, ending.counted]).toEqual([false, false]);
  vi.advanceTimersByTime(1500);
  expect([ending.result, ending.counted]).toEqual([true, false]);
  vi.advanceTimersByTime(900);
  expect(ending.counted).toBe(true);
  ending.hear(false, false, () => 900);
  expect([ending.result, ending.counted]).toEqual([false, false]);
});

test("where nothing moves nothing is counted up", () => {
  vi.stubGlobal("matchMedia", () => ({ matches: true }));
  const ending = new Ending();
  ending.hear(true, false, () => 900);
  vi.advanceTimersByTime(0);
  expect([ending.result, ending.counted]).toEqual([true, true]);
});
