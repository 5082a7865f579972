import { expect, it } from "vitest";
import { Fair } from "../../lib/fair";

it("rolls the dice of the worked example", () => {
  const seed = "7f83b1657ff1fc53b92dc18148a1d65dfc2d4b1fa3d677284addd200126d9069";
  const fair = new Fair([seed, "blue elephant", "pancake", "sushizock", "2", ""].join("\n"));
  expect([0, 1, 2, 3, 4].map(() => fair.below(6))).toEqual([4, 4, 2, 0, 5]);
});
