import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { drawn, inOrder, tableOf } from ".";
import { endsAsSeen, verify, type Line, type Redraw } from "../lib/fair";

it("stands games in their order, and those without a folder behind them by name", () => {
  const names = ["zebra", ...drawn.toReversed(), "apple"];
  expect(names.sort(inOrder)).toEqual([...drawn, "apple", "zebra"]);
});

it("has a plain board for a game without a folder, and no way to draw its chances again", async () => {
  const table = await tableOf("apple");
  expect(table.Board).toBeTruthy();
  expect(table.redraw).toBeUndefined();
});

describe.each(drawn)("the folder of %s", (game) => {
  it("finds a whole game fair, and a changed one not", async () => {
    const { redraw } = await tableOf(game);
    const check = (text: string) => verify(text, redraw as Redraw);
    const record = readFileSync(`src/games/${game}/record.test.jsonl`, "utf8");
    const found = check(record);
    expect(found.ok && found.agreed > 0).toBe(true);
    const lines = record.split("\n");
    const other = JSON.parse(lines[1] ?? "") as { starter: number };
    lines[1] = JSON.stringify({ ...other, starter: other.starter ? 0 : 1 });
    expect(check(lines.join("\n"))).toEqual({ ok: false, line: 1 });
    expect(check(record.replace(/"seed":"./, '"seed":"x'))).toEqual({ ok: false, line: 0 });
  });

  // A dishonest table would show the record of another game, whose dice fit the seed.
  it("knows a record that ends otherwise than the game that was seen", () => {
    const record = readFileSync(`src/games/${game}/record.test.jsonl`, "utf8").trim();
    const lines = record.split("\n").map((line) => JSON.parse(line) as Line);
    const seen = lines.at(-1)?.["result"] as { scores: number[]; winners: number[] };
    const check = (told: Line[]) =>
      endsAsSeen(told.map((line) => JSON.stringify(line)).join("\n"), seen);
    expect(check(lines)).toBe(true);
    for (const result of [
      { ...seen, scores: seen.scores.map((n) => n + 1) },
      { ...seen, winners: [] },
      null,
    ])
      expect(check(lines.with(-1, { ...lines.at(-1), result }))).toBe(false);
    expect(check(lines.slice(0, -1))).toBe(false);
  });

  it("tells what its words prove, and refuses words that were changed", async () => {
    const { redraw } = await tableOf(game);
    const record = readFileSync(`src/games/${game}/record.test.jsonl`, "utf8");
    const [first, ...rest] = record.split("\n");
    const header = JSON.parse(first ?? "") as { contributions: string[]; seals: object[] };
    const check = (changes: object) =>
      verify([JSON.stringify({ ...header, ...changes }), ...rest].join("\n"), redraw as Redraw);
    const words = header.contributions;
    expect(check({})).toMatchObject({ ok: true, proof: "sealed" });
    expect(check({ seals: words.map(() => null) })).toMatchObject({ ok: true, proof: "open" });
    for (const changes of [
      { contributions: [...words, ""] },
      { contributions: words.slice(1) },
      { contributions: undefined },
      { contributions: words.map((word) => `${word}x`) },
      { contributions: words.map((word) => `${word}\n`), seals: undefined },
      { seals: header.seals.slice(1) },
      { seals: header.seals.map((seal) => seal && { ...seal, salt: "7" }) },
      { commitment: undefined },
    ])
      expect(check(changes), JSON.stringify(changes)).toEqual({ ok: false, line: 0 });
  });
});
