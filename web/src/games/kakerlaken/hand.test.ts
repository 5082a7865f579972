import { afterEach, expect, test, vi } from "vitest";
import { Hand } from "./Hand.svelte";

afterEach(() => vi.useRealTimers());

test("a hand is held as long as the server says, then it is free", () => {
  vi.useFakeTimers();
  const hand = new Hand();
  expect(hand.held).toBeNull();
  hand.hold(600);
  vi.advanceTimersByTime(599);
  expect(hand.held).toBe(600);
  vi.advanceTimersByTime(1);
  expect(hand.held).toBeNull();
});

test("what the server says last counts: the time that is left, not one more of it", () => {
  vi.useFakeTimers();
  const hand = new Hand();
  hand.hold(600);
  vi.advanceTimersByTime(400);
  hand.hold(200);
  vi.advanceTimersByTime(200);
  expect(hand.held).toBeNull();
  hand.hold(600);
  hand.free();
  expect(hand.held).toBeNull();
});
