// What chance does here, drawn again; that time is up is no chance.

import type { Line, Redraw } from "../../lib/fair";
import { colours, symbols } from "./tiles";

export const redraw: Redraw = (move, fair, starter): Line | null => {
  if (move["do"] === "time") return null;
  if (move["do"] === "roll")
    return { symbol: symbols[fair.below(6) >> 1], colour: colours[fair.below(6) >> 1] };
  const tiles = symbols.flatMap((symbol) => colours.map((colour) => [symbol, colour]));
  return { circle: fair.shuffled(tiles), starter: starter() };
};
