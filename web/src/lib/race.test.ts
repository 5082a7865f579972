import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Race } from "./race.svelte";

/** A screen that draws when it is told to. */
let draw: (now: number) => void;
let now: number;

beforeEach(() => {
  let drawings = new Map<number, FrameRequestCallback>();
  now = 1000;
  vi.stubGlobal("performance", { now: () => now });
  vi.stubGlobal("requestAnimationFrame", (then: FrameRequestCallback) => {
    drawings.set(drawings.size + 1, then);
    return drawings.size;
  });
  vi.stubGlobal("cancelAnimationFrame", (id: number) => drawings.delete(id));
  draw = (at) => {
    now = at;
    const due = drawings;
    drawings = new Map();
    due.forEach((then) => then(at));
  };
});
afterEach(() => vi.unstubAllGlobals());

const touch = (timeStamp: number) => {
  now = Math.max(now, timeStamp) + 2;
  return { timeStamp } as Event;
};

test("dice are seen in the first picture after they came, whatever a server's clock says", () => {
  const race = new Race();
  race.show(987_654_321);
  expect(race.seen).toBeNull();
  expect(race.sees(touch(1001))).toBe(false);
  draw(1016);
  expect(race.seen).toBe(987_654_321);
  expect(race.at(touch(1416))).toBe(400);
});

test("a touch that began before the dice were drawn does not count", () => {
  const race = new Race();
  race.show(5);
  draw(1016);
  expect(race.sees(touch(1015.9))).toBe(false);
  expect(race.sees(touch(1016))).toBe(true);
});

test("the next race begins a time of its own", () => {
  const race = new Race();
  race.show(5);
  draw(1016);
  now = 9000;
  race.show(6);
  expect(race.seen).toBe(5);
  draw(9010);
  expect(race.seen).toBe(6);
  expect(race.at(touch(9310))).toBe(300);
});

test("dice that are gone before they are drawn are never seen", () => {
  const race = new Race();
  race.show(5)();
  draw(1016);
  expect(race.seen).toBeNull();
});

test("who looks at another page is timed from when the dice came", () => {
  const race = new Race();
  race.show(5);
  draw(4000);
  expect(race.sees(touch(3999))).toBe(false);
  expect(race.at(touch(4500))).toBe(3500);
});

test("who comes to a race that is open already is timed from its beginning", () => {
  const race = new Race();
  race.show(5, 2000);
  draw(1010);
  expect(race.at(touch(1510))).toBe(2510);
});

test("a roll that is a little slower than usual is timed from when it is drawn", () => {
  const race = new Race();
  race.show(5, 40);
  draw(1016);
  expect(race.at(touch(1316))).toBe(300);
});
