// The keys of somebody who plays without a pointer.

import { tell } from "./words";

/** What a key asks for: to go to the next card, to take one by its value, to lay or to swap. */
export type Wish = { step: number } | { value: number } | { do: "lay" | "swap" } | null;

const steps: Record<string, number> = {
  ArrowLeft: -1,
  ArrowUp: -1,
  ArrowRight: 1,
  ArrowDown: 1,
};

export function wishOf(key: string): Wish {
  if (key in steps) return { step: steps[key] ?? 0 };
  if (/^\d$/.test(key)) return { value: Number(key) };
  if (key === "-" || key === "−") return { value: -1 };
  if (key === "Enter") return { do: "lay" };
  return key.toLowerCase() === "x" ? { do: "swap" } : null;
}

export const keys = () => [
  { key: "← →", text: tell("key.arrows") },
  { key: "− 0 … 9", text: tell("key.digits") },
  { key: "Enter", text: tell("key.enter") },
  { key: "X", text: tell("key.swap") },
];
