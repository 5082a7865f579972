import { describe, expect, it } from "vitest";
import { apart, lessonsOf, parted, range, sorted, steps } from "./coach";
import { Clock, deedTime, median } from "./clock";
import { blocks } from "./markdown";
import { hex, sha256 } from "./sha256";

describe("the clock", () => {
  it("takes the median of several pings", () => {
    const clock = new Clock();
    for (const [sent, trip] of [
      [0, 20],
      [100, 400],
      [600, 22],
    ] as const)
      clock.add(sent, sent + trip / 2 + 5000, sent + trip);
    expect(clock.offset).toBe(5000);
    expect(clock.trip).toBe(22);
    expect(clock.spread).toBe(190);
    expect(clock.here(6000)).toBe(1000);
    expect(median([])).toBe(0);
  });

  it("times a deed by its event, never before the dice and never in the future", () => {
    expect(deedTime(1500, 1510, 1000)).toBe(500);
    expect(deedTime(9999, 1510, 1000)).toBe(510);
    expect(deedTime(0, 1510, 1000)).toBe(510);
    expect(deedTime(900, 1510, 1000)).toBe(0);
  });
});

describe("fair dice", () => {
  const seed = "7f83b1657ff1fc53b92dc18148a1d65dfc2d4b1fa3d677284addd200126d9069";

  it("makes the fingerprints that everybody makes", () => {
    expect(hex(sha256(""))).toBe(
      "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    );
    expect(hex(sha256("a".repeat(200)))).toBe(
      "c2a908d98f5df987ade41b5fce213067efbcc21ef2240212a41e54b5e7c28ae5",
    );
    expect(hex(sha256(seed))).toBe(
      "4163fb4ab9e1e0a51709a51bc7e13ab6792907905960145c722d2c1479caac42",
    );
  });
});

it("reads the little of Markdown that the rules use", () => {
  const found = blocks("# Title\n\nA **bold** word\ngoes on.\n\n- one\n1. two\n");
  expect(found.map((block) => block.kind)).toEqual(["h1", "p", "li", "li"]);
  expect(found[1]?.parts.map((part) => part.text).join("")).toBe("A bold word goes on.");
});

it("finds the pieces that the rules draw, between their lines", () => {
  const found = blocks("- one\n  <!-- pieces: die-red arrow sushi-5 -->\n- two\n");
  expect(found.map((block) => block.kind)).toEqual(["li", "pieces", "li"]);
  expect(found[1]?.pieces).toEqual(["die-red", "arrow", "sushi-5"]);
});

describe("the coach", () => {
  const account = { start: 0.334, luck: 0.204, own: -0.104, others: -0.434, share: 0 };

  it("rounds the luck ledger so that its steps still sum to the result", () => {
    const found = steps(account);
    expect(found.map(({ from, to }) => to - from)).toEqual([33, 21, -11, -43, 0]);
    expect(found[3]?.to).toBe(found[4]?.to);
    expect(range(found)).toEqual([0, 100]);
    expect(range(steps({ ...account, luck: 0.9, own: -1.5 }))).toEqual([-70, 123]);
  });

  it("finds the lessons of a seat in the order of the coach", () => {
    const mistake = { seat: 1, told: "", better: "", why: "", lost: 0.1 };
    const mistakes = [3, 5, 9].map((number) => ({ ...mistake, number }));
    const verdicts = [
      { says: [], lessons: [] },
      { says: [], lessons: [9, 3] },
    ];
    const lesson = { game: "", names: [], ledger: [], curve: [], mistakes, verdicts };
    expect(lessonsOf(lesson, 0)).toEqual([]);
    expect(lessonsOf(lesson, 1).map(({ number }) => number)).toEqual([9, 3]);
    expect(lessonsOf(lesson, 7)).toEqual([]);
  });

  it("puts what is about as good as the advice beside it, and the rest below", () => {
    const worth: [string, number][] = [
      ["six", 0.2],
      ["nine", 0.19],
      ["one", 0.15],
      ["two", 0.14],
    ];
    const advice = { move: null, told: "six", why: "", worth, equal: [1, 3] };
    const { best, rest } = parted(advice);
    expect(best.map(({ told }) => told)).toEqual(["six", "nine", "two"]);
    expect(rest.map(({ told }) => told)).toEqual(["one"]);
    expect(parted({ ...advice, equal: [] }).best.map(({ told }) => told)).toEqual(["six"]);
  });

  it("tells one's own mistakes first, the costliest on top", () => {
    const mistake = { told: "", better: "", why: "" };
    const all = [
      { ...mistake, number: 3, seat: 0, lost: 0.4 },
      { ...mistake, number: 5, seat: 1, lost: 0.1 },
      { ...mistake, number: 9, seat: 1, lost: 0.2 },
    ];
    expect(sorted(all, 1).map(({ number }) => number)).toEqual([9, 5, 3]);
    expect(sorted(all, null).map(({ number }) => number)).toEqual([3, 9, 5]);
  });

  it("moves faces apart and keeps them on the picture", () => {
    expect(apart([50, 50, 10], 20, 100)).toEqual([50, 70, 10]);
    expect(apart([100, 95, 0], 20, 100)).toEqual([100, 80, 0]);
  });
});
