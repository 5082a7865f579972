import { expect, it } from "vitest";
import { fitOf } from "./fit";
import { wishOf } from "./keys";

it("understands arrows, digits and the two deeds", () => {
  expect(["ArrowLeft", "ArrowRight"].map(wishOf)).toEqual([{ step: -1 }, { step: 1 }]);
  expect(["0", "9", "-", "−"].map(wishOf)).toEqual([
    { value: 0 },
    { value: 9 },
    { value: -1 },
    { value: -1 },
  ]);
  expect(["Enter", "x", "X"].map(wishOf)).toEqual([{ do: "lay" }, { do: "swap" }, { do: "swap" }]);
  expect(["a", "Tab", "F5", "10"].map(wishOf)).toEqual([null, null, null, null]);
});

it.each([
  [304, 440, 6, "short"],
  [374, 540, 6, "short"],
  [374, 715, 6, "tall"],
  [374, 580, 3, "tall"],
  [650, 255, 6, "flat"],
  [828, 270, 3, "flat"],
  [1260, 670, 6, "wide"],
  [800, 1050, 6, "tall"],
] as const)("lies in a room of %i × %i with %i players: %s", (width, height, seats, fit) => {
  expect(fitOf(width, height, seats)).toBe(fit);
});
