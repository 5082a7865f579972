// The coach's numbers as pictures: steps of the luck ledger, the curve of chances.

import type { Account, Advice, Mistake, ToldLesson } from "../wire/frames";

export const columns = ["start", "luck", "own", "others", "share"] as const;
export type Column = (typeof columns)[number];

/** A bar of the ledger in hundredths of the win: it reaches from where the last one ended. */
export interface Step {
  what: Column;
  from: number;
  to: number;
}

/** The steps from nothing to what was won; rounded so that they still sum up. */
export function steps(account: Account): Step[] {
  let [sum, from] = [0, 0];
  const parts = columns.slice(0, -1).map((what) => {
    sum += account[what];
    const step = { what, from, to: Math.round(100 * sum) };
    from = step.to;
    return step;
  });
  return [...parts, { what: "share", from: 0, to: Math.round(100 * account.share) }];
}

/** The smallest and the largest number of all bars; the whole win is always in sight. */
export function range(all: readonly Step[]): [number, number] {
  const ends = all.flatMap(({ from, to }) => [from, to]);
  return [Math.min(0, ...ends), Math.max(100, ...ends)];
}

/** What somebody should look at: their own dearest mistakes, in that order. */
export function lessonsOf({ verdicts, mistakes }: ToldLesson, seat: number): Mistake[] {
  const wanted = verdicts[seat]?.lessons ?? [];
  return wanted.flatMap((number) => mistakes.find((found) => found.number === number) ?? []);
}

export interface Way {
  told: string;
  share: number;
}

/** What was weighed, parted: what is advised with all that is about as good, and the rest. */
export function parted({ worth, equal }: Advice): { best: Way[]; rest: Way[] } {
  const alike = new Set([0, ...equal]);
  const ways = worth.map(([told, share], at) => ({ told, share, alike: alike.has(at) }));
  return { best: ways.filter((way) => way.alike), rest: ways.filter((way) => !way.alike) };
}

/** One's own mistakes first, then the others', the costliest on top. */
export function sorted(mistakes: readonly Mistake[], seat: number | null): Mistake[] {
  return mistakes.toSorted(
    (a, b) => Number(b.seat === seat) - Number(a.seat === seat) || b.lost - a.lost,
  );
}

/** Move points apart until none hides another, in their order and within 0 to `most`. */
export function apart(at: readonly number[], gap: number, most: number): number[] {
  const order = at.map((_, i) => i).sort((a, b) => (at[a] ?? 0) - (at[b] ?? 0));
  const found = [...at];
  let least = 0;
  for (const i of order) {
    found[i] = Math.max(at[i] ?? 0, least);
    least = found[i] + gap;
  }
  let largest = most;
  for (const i of order.reverse()) {
    found[i] = Math.min(found[i] ?? 0, largest);
    largest = found[i] - gap;
  }
  return found;
}
