import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { catalogue } from "../lib/catalogue.svelte";
import type { Frame } from "../lib/live.svelte";
import { deeds, deedWords, moveWords, wordOf } from "./moves";
import { shapeOf, thingOf } from "./shape";

const words = {
  "deed.take": "take {what} from {from}",
  "deed.pass": "pass",
  "what.red_fox": "the fox",
};
const seats = ["Ada", "Bo"].map((name) => ({ name, bot: null }));
const frame = { table: { game: "forest", seats } } as unknown as Frame;

beforeAll(async () => {
  vi.stubGlobal("fetch", () => Promise.resolve(new Response(JSON.stringify(words))));
  await catalogue.learnOf(["forest"]);
});
afterEach(() => vi.unstubAllGlobals());

describe("the shape of a view", () => {
  it("gives lists as long as the number of seats to the players", () => {
    const { table, players } = shapeOf(
      {
        hands: [
          [1, 2],
          [null, null],
        ],
        stock: 9,
        coins: [3, 4],
      },
      2,
    );
    expect(table).toEqual([{ name: "stock", thing: { kind: "word", word: 9 } }]);
    expect(players[0]).toEqual([
      { name: "hands", thing: { kind: "cards", faces: [1, 2] } },
      { name: "coins", thing: { kind: "word", word: 3 } },
    ]);
    expect(players[1]?.[0]?.thing).toEqual({ kind: "cards", faces: [null, null] });
  });

  it("gives what is named by seats to them, hidden things face down", () => {
    const { table, players } = shapeOf({ played: { "1": null } }, 3);
    expect(table).toEqual([]);
    expect(players.map((fields) => fields.length)).toEqual([0, 1, 0]);
    expect(players[1]?.[0]?.thing).toEqual({ kind: "cards", faces: [null] });
  });

  it("takes two dice for dice, even where two play", () => {
    const { table } = shapeOf({ dice: [3, 5], turn: 1, options: {} }, 2);
    expect(table).toEqual([{ name: "dice", thing: { kind: "dice", faces: [3, 5] } }]);
  });

  it("looks as the game says", () => {
    const look = { row: "cards", deck: "pile", pips: "dice", won: "pile" } as const;
    const view = { row: [4, 6], deck: 12, pips: 5, won: [[1, 2], []] };
    const { table, players } = shapeOf(view, 2, look);
    expect(table.map(({ thing }) => thing)).toEqual([
      { kind: "cards", faces: [4, 6] },
      { kind: "pile", high: 12, top: undefined },
      { kind: "dice", faces: [5] },
    ]);
    expect(players.map(([won]) => won?.thing)).toEqual([
      { kind: "pile", high: 2, top: 2 },
      { kind: "pile", high: 0, top: undefined },
    ]);
  });

  it("makes one card of a thing with several marks, and a pile of many hidden ones", () => {
    expect(thingOf("plates", [["cheese", 5]])).toEqual({ kind: "cards", faces: ["cheese 5"] });
    expect(thingOf("deck", Array(20).fill(null))).toEqual({ kind: "pile", high: 20, top: null });
  });

  it("goes into things within things", () => {
    const { table } = shapeOf({ rows: { sushi: [1], bones: [] } }, 3);
    expect(table[0]?.thing).toEqual({
      kind: "group",
      fields: [
        { name: "sushi", thing: { kind: "cards", faces: [1] } },
        { name: "bones", thing: { kind: "cards", faces: [] } },
      ],
    });
  });
});

describe("moves", () => {
  it("of one kind stand together", () => {
    const legal = [{ do: "take", n: 1 }, { do: "pass" }, { do: "take", n: 2 }];
    expect(deeds(legal).map(({ name, moves }) => [name, moves.length])).toEqual([
      ["take", 2],
      ["pass", 1],
    ]);
  });

  it("are said in the game's words, or by name and fields", () => {
    const say = (move: { do: string } & Record<string, unknown>) => moveWords(frame, move);
    expect(say({ do: "take", what: "red_fox", from: 1 })).toBe("Take the fox from Bo");
    expect(say({ do: "pass" })).toBe("Pass");
    expect(say({ do: "pass", n: 2 })).toBe("Pass: 2");
    expect(say({ do: "roll_again", dice: [1, -6] })).toBe("Roll again: 1, −6");
    expect(deedWords("forest", "take")).toBe("Take");
    expect(deedWords("forest", "pass")).toBe("pass");
  });

  it("name things readably", () => {
    expect(wordOf("forest", "x", "green_frog")).toBe("Green frog");
    expect(wordOf("forest", "x", "A♠")).toBe("A♠");
    expect(wordOf("forest", "x", [])).toBe("–");
  });
});
