import { expect, test } from "vitest";
import { worn } from "../pictures/faces";
import type { TableInfo } from "../wire/frames";
import { calledAt, cast, characters } from "./cast.svelte";
import { asShown } from "./shown";

const levels = ["random", "easy", "medium", "hard", "expert"];
const seats = Array.from({ length: characters }, (_, seat) => seat);

test("no two bots have one name or one face", () => {
  const all = levels.flatMap((level) => seats.map((seat) => [level, seat] as const));
  expect(new Set(all.map(([level, seat]) => calledAt(level, seat))).size).toBe(all.length);
  for (const level of levels)
    expect(new Set(seats.map((seat) => JSON.stringify(worn(seat, level)))).size).toBe(characters);
});

test("at a table with very many seats, names get a number", () => {
  expect(calledAt("easy", 1 + characters)).toBe(`${calledAt("easy", 1)} 2`);
});

test("a level that we do not know is called by what it is", () => {
  expect(calledAt("onepage", 2)).toBe("onepage 3");
  expect(worn(2, "onepage")).toEqual(worn(2, null));
});

test("what the server words names them as the page does", () => {
  const seats = [
    { name: "Ada", bot: null },
    { name: "Easy 2", bot: "easy" },
  ];
  cast.meet({ seats } as unknown as TableInfo);
  expect(cast.at(1)).toBe("easy");
  const told = { told: "Steal from Easy 2", worth: [["Easy 2, again", 0.5]] };
  const name = calledAt("easy", 1);
  expect(asShown(told)).toEqual({ told: `Steal from ${name}`, worth: [[`${name}, again`, 0.5]] });
  cast.meet(null);
  expect(asShown("Easy 2")).toBe("Easy 2");
});
