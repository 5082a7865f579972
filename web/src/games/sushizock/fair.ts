// What chance does here, drawn again.

import type { Line, Redraw } from "../../lib/fair";

const sushi = [1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6];
const bones = [-4, -3, -3, -2, -2, -2, -2, -1, -1, -1, -1, -1];
const faces = ["sushi", "sushi", "bones", "bones", "blue", "red"];

export const redraw: Redraw = (move, fair, starter): Line => {
  if (move["do"] === "roll")
    return { dice: (move["dice"] as unknown[]).map(() => faces[fair.below(6)]) };
  return { sushi: fair.shuffled(sushi), bones: fair.shuffled(bones), starter: starter() };
};
