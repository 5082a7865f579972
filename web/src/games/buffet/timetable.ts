// When what happens in a reveal: cards turn one by one, each mouse runs by its card, then whoever
// leaves carries a plate off. The queue waits as long as this says, and the stage plays by it.

import type { News, Word } from "../../lib/news";
import type { Reveal } from "./wire";

export type Turned = readonly [seat: number, card: number];
export type Leaver = NonNullable<Reveal["left"]>[number];

/** From one space of the track to the next, in ms at normal pace like all that follows. */
export const stepMs = 85;
const breathMs = 300; // before the first card
const flipMs = 240;
const nextCardMs = 340;
const halfWay = 0.5; // the next card turns when a mouse has run so far
const arrivedMs = 350; // when all have run one looks where they stand
export const carryMs = 1300;
const nextCarryMs = 900;
const readMs = 1200;

/** When each card turns, when its mouse starts, and when all have run. */
export function turning(cards: readonly Turned[]): { at: number[]; runs: number[]; ms: number } {
  const at: number[] = [];
  let next = breathMs;
  let ends = 0;
  for (const [, card] of cards) {
    const run = Math.abs(card) * stepMs;
    at.push(next);
    ends = Math.max(ends, next + flipMs + run + arrivedMs);
    next += nextCardMs + run * halfWay;
  }
  return { at, runs: at.map((turns) => turns + flipMs), ms: ends };
}

/** When each leaver sets off and arrives, and when what happened is read. */
export function leaving(left: readonly Leaver[]): { at: number[]; there: number[]; ms: number } {
  const at = left.map((_, i) => i * nextCarryMs);
  const there = at.map((off) => off + carryMs);
  return { at, there, ms: (there.at(-1) ?? readMs / 2) + readMs };
}

/** The cards that news reveal, in their order. */
export function cardsOf(news: readonly News[]): Turned[] {
  const told = news.find(({ key }) => key === "told_reveal")?.fields?.["cards"];
  return ((told ?? []) as Word[]).map(({ fields }) => [
    (fields?.["name"] as { seat: number }).seat,
    fields?.["card"] as number,
  ]);
}
