import type { View } from "./wire";

export type Mood = "happy" | "worried" | "proud" | "sulking" | null;

/** How a mouse feels: by what it has left with, or by where it runs. */
export function moodOf(view: View, at: readonly number[], seat: number): Mood {
  const resting = !Object.keys(view.played).length;
  const left = resting ? view.revealed?.left?.find(([other]) => other === seat) : undefined;
  if (left) return left[1] && left[1][1] > 0 ? "proud" : "sulking";
  if (!view.inside.includes(seat)) return "proud";
  const runs = view.inside.map((other) => at[other] ?? 0);
  const [first, last, own] = [Math.max(...runs), Math.min(...runs), at[seat]];
  if (first === last) return null;
  return own === first ? "happy" : own === last ? "worried" : null;
}
