// What chance does here, drawn again.

import type { Line, Redraw } from "../../lib/fair";
import { foods } from "./foods";

const cards = Array.from({ length: 110 }, (_, i) => Math.floor(i / 10) - 1);
const usual = [-1, 1, 2, 3, 4, 5];

export const redraw: Redraw = (move, fair, starter, options): Line => {
  if (move["do"] === "shuffle")
    return { cards: fair.shuffled((move["cards"] as number[]).toSorted((a, b) => a - b)) };
  const values = (options["plate_values"] ?? usual) as number[];
  const plates = foods.flatMap((food) => values.map((value) => [food, value]));
  return { cards: fair.shuffled(cards), plates: fair.shuffled(plates), starter: starter() };
};
