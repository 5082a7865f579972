import { expect, test } from "vitest";
import type { PileView, View } from "./wire";
import { tripOf } from "./travel";

const bare: PileView[] = [
  { sushi: [null, 3], bones: [] },
  { sushi: [5], bones: [-1] },
];
const look = (sushi: number[], piles: PileView[] = bare): View => ({
  rows: { sushi, bones: [-2] },
  piles,
  dice: { aside: [], rolled: [], rolls_left: 2 },
  turn: 0,
  options: {},
});
const with0 = (sushi: (number | null)[]): PileView => ({ sushi, bones: [] });
const with1 = (sushi: (number | null)[]): PileView => ({ sushi, bones: [-1] });

test("a tile of the row goes to the pile that grew [S10]", () => {
  const after = look([1, 6], [bare[0]!, with1([null, 4])]);
  expect(tripOf(look([1, 4, 6]), after)).toEqual({ kind: "sushi", from: null, place: 1, to: 1 });
});

test("a stolen tile goes from pile to pile [S13]", () => {
  const after = look([1, 4], [with0([null, null, 5]), with1([])]);
  expect(tripOf(look([1, 4]), after)).toMatchObject({ kind: "sushi", from: 1, to: 0 });
});

test("a roll, a step back and two tiles at once travel nowhere", () => {
  const taken = look([1], [bare[0]!, with1([null, 4])]);
  expect(tripOf(look([1, 4]), look([1, 4]))).toBeNull();
  expect(tripOf(taken, look([1, 4]))).toBeNull();
  const both = look([], [with0([null, null, 1]), with1([null, 4])]);
  expect(tripOf(look([1, 4]), both)).toBeNull();
});
