import { afterEach, expect, test } from "vitest";
import type { Frame, Seen } from "../../lib/live.svelte";
import { prefs } from "../../lib/prefs.svelte";
import { ahead } from "./arrows";
import { lit, moodOf, scenes, worst } from "./scenes";
import type { View } from "./wire";

const view: View = {
  rows: { sushi: [1, 4, 6], bones: [-1, -3, -3] },
  piles: [],
  dice: { aside: ["sushi"], rolled: ["sushi", "blue", "bones"], rolls_left: 1 },
  turn: 1,
  options: {},
};
const about = (move: object, lead = true) =>
  ({ view, seat: 0, scene: { move: { by: 1, ...move } as unknown as Seen, lead } }) as Frame;

afterEach(() => prefs.setPace("normal"));

test("before a tile is taken, the dice that count and the tile that they point at light up [S10]", () => {
  const { face, tile } = lit(about({ do: "take", row: "sushi" }));
  expect([face, tile]).toEqual(["sushi", { kind: "sushi", place: 1 }]);
  expect(lit(about({ do: "take", row: "sushi" }, false)).face).toBeNull();
});

test("before a steal the chopsticks and the victim's pile light up, and the cock crows [S13]", () => {
  const steal = about({ do: "steal", pile: "bones", from: 2 });
  expect(lit(steal)).toEqual({ face: "red", tile: null, pile: { kind: "bones", seat: 2 } });
  expect([moodOf(steal.scene), moodOf(null)]).toEqual(["crows", "calm"]);
});

test("who must take gets the worst bone, else the poorest sushi, the leftmost of equals [S17]", () => {
  expect(lit(about({ do: "forced" })).tile).toEqual({ kind: "bones", place: 1 });
  expect(worst({ sushi: [4, 2, 2], bones: [] })).toEqual({ kind: "sushi", place: 1 });
  expect(worst({ sushi: [], bones: [] })).toBeNull();
  expect(moodOf(about({ do: "forced" }).scene)).toBe("shivers");
});

test("one's own first roll asks to be shaken, no other does, and none in a hurry", () => {
  const roll = { by: "nature", do: "roll" } as Seen;
  const first = { aside: [], rolled: ["sushi" as const], rolls_left: 2 };
  const asks = (seat: number | null, dice = first) =>
    scenes([], roll, { seat, view: { ...view, dice } } as unknown as Frame).asks;
  expect([asks(1), asks(0), asks(null)]).toEqual([true, false, false]);
  expect(asks(1, view.dice as typeof first)).toBe(false);
  prefs.setPace("quick");
  expect(asks(1)).toBe(false);
});

test("an arrow finds what lies straight ahead before what lies aside", () => {
  const far = (to: [number, number]) => ahead([0, 0], to, [1, 0]);
  expect(far([50, 0])).toBeLessThan(far([50, 30]));
  expect([far([-10, 0]), far([5, 90])]).toEqual([Infinity, Infinity]);
});
