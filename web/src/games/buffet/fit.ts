/** How the board lies in its room: wide or tall with everything, flat or short with the others small. */
export type Fit = "wide" | "tall" | "flat" | "short";

const wideFrom = { width: 600, height: 470 };
/** What hand, button and table need, and each row of players with all their plates. */
const tallFrom = 430;
const rowHigh = 66;

export function fitOf(width: number, height: number, seats: number): Fit {
  if (width > height && width >= wideFrom.width) return height >= wideFrom.height ? "wide" : "flat";
  if (width > 1.2 * height) return "flat";
  return height >= tallFrom + rowHigh * Math.max(2, Math.ceil(seats / 2)) ? "tall" : "short";
}
