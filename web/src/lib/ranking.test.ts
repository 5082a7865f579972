import { expect, test } from "vitest";
import { onSteps } from "./ranking";

test("the best three places stand on steps", () => {
  expect(onSteps([[2], [0], [1], [3]])).toEqual([
    { place: 1, seats: [2] },
    { place: 2, seats: [0] },
    { place: 3, seats: [1] },
  ]);
});

test("who is level shares a step, and the next place is left out", () => {
  expect(onSteps([[0, 1], [2], [3]])).toEqual([
    { place: 1, seats: [0, 1] },
    { place: 3, seats: [2] },
  ]);
  expect(onSteps([[0], [1, 2], [3]])).toEqual([
    { place: 1, seats: [0] },
    { place: 2, seats: [1, 2] },
  ]);
  expect(onSteps([[0, 1, 2, 3]])).toHaveLength(1);
});
