import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { catalogue } from "./catalogue.svelte";
import type { Frame } from "./live.svelte";
import { beyond, stillTold, type News } from "./news";
import { worded } from "./story";

const words = {
  takes: "{name} takes {what}.",
  takes_something: "{name} takes something.",
  rolls: "{name} rolls {dice}.",
  "fruit.apple": "{n} apples",
  "fruit.apple.one": "one apple",
};

const seats = ["Ada", "Bo"].map((name) => ({ name, bot: null }));
const frame = (more: Partial<Frame>): Frame =>
  ({
    ...{ news: [], story: null, legal: {}, seat: 0, over: false },
    ...{ table: { game: "orchard", seats } },
    ...more,
  }) as unknown as Frame;

const roll: News = { key: "rolls", fields: { name: { seat: 0 }, dice: [1, -2] }, place: "dice" };
const take = (seat: number, pile: string): News => ({
  key: "takes",
  fields: { name: { seat }, what: { word: "fruit.apple", fields: { n: 2 } } },
  place: pile,
  touches: ["dice", pile],
  faded: { key: "takes_something", fields: { name: { seat } } },
});
const said = (told: readonly News[]) => told.map((news) => worded(frame({}), news));

beforeAll(async () => {
  vi.stubGlobal("fetch", () => Promise.resolve(new Response(JSON.stringify(words))));
  await catalogue.learnOf(["orchard"]);
});
afterEach(() => vi.unstubAllGlobals());

describe("news", () => {
  it("are worded with names, words, lists and true minus signs", () => {
    expect(said([roll, take(1, "p")])).toEqual(["Ada rolls 1, −2.", "Bo takes 2 apples."]);
    const one = { word: "fruit.apple", fields: { n: 1 } };
    const news: News = { key: "takes", fields: { name: "Cy", what: [one, one] } };
    expect(said([news])).toEqual(["Cy takes one apple, one apple."]);
  });

  it("without words are told by their key", () => {
    expect(said([{ key: "told_windfall" }])).toEqual(["Told windfall"]);
  });

  it("fade when something later touches their place", () => {
    expect(said(stillTold([roll, take(0, "p"), take(1, "q"), take(0, "p"), roll]))).toEqual([
      "Ada takes something.",
      "Bo takes 2 apples.",
      "Ada takes 2 apples.",
      "Ada rolls 1, −2.",
    ]);
  });

  it("do not fade by their own touch, and what has faded stays so", () => {
    const told = stillTold([take(0, "p")]);
    expect(said(told)).toEqual(["Ada takes 2 apples."]);
    const again = stillTold([...told, take(0, "p")]);
    expect(stillTold(again)).toEqual(again);
  });

  it("of a story are those after what is known, even if that has faded", () => {
    const [known, later] = [take(0, "p"), take(1, "p")];
    const story = stillTold([roll, known, later, roll]);
    expect(beyond([roll, known], story)).toEqual([later, roll]);
    expect(beyond([known, later, roll], story)).toEqual([]);
    expect(beyond([roll], [later])).toEqual([later]);
  });
});
