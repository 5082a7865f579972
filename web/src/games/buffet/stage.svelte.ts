// What the table shows while something happens: cards turn one by one from the first player, each
// mouse runs by its card, whoever leaves carries the plate off; then it shows what is so now.

import type { View } from "./wire";

type Leaver = [number, [string, number] | null];

const turnMs = 320;
const stepMs = 75;
const carryMs = 1100;

const newsOf = ({ revealed, at, round, part }: View) => JSON.stringify([revealed, at, round, part]);
const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** Where the cards of the last reveal have led from here; null if they do not lead to this view. */
function runTo(from: View, to: View): number[] | null {
  const at = [...from.at];
  for (const [seat, card] of to.revealed?.cards ?? []) at[seat] = (at[seat] ?? 0) + card;
  const goesOn = to.round === from.round && at.every((run, seat) => run === to.at[seat]);
  const ends = to.round === from.round + 1 || (to.over && to.round === from.round);
  return goesOn || ends ? at : null;
}

export class Stage {
  /** The table as it is shown. */
  view = $state.raw() as View;
  /** Where the mice are, or run to. */
  at = $state.raw<readonly number[]>([]);
  /** How many of the revealed cards are turned. */
  turned = $state(0);
  carried = $state.raw<readonly Leaver[]>([]);
  busy = $state(false);
  readonly stepMs = stepMs;
  private now: View;
  private timers: ReturnType<typeof setTimeout>[] = [];

  constructor(view: View) {
    this.now = view;
    this.finish();
  }

  /** Hear what is so now. */
  hear(view: View): void {
    const before = this.now;
    this.now = view;
    const run = newsOf(view) === newsOf(before) || !view.revealed ? null : runTo(before, view);
    if (run && !still()) this.show(before, view, run);
    else if (!this.busy || newsOf(view) !== newsOf(before)) this.finish();
  }

  /** Show at once what is so now. */
  finish = (): void => {
    this.timers.forEach(clearTimeout);
    this.timers = [];
    this.view = this.now;
    this.at = this.now.at;
    this.turned = this.now.revealed?.cards.length ?? 0;
    this.carried = [];
    this.busy = false;
  };

  private show(before: View, view: View, run: readonly number[]): void {
    this.finish();
    this.busy = true;
    const cards = view.revealed?.cards ?? [];
    const left = view.revealed?.left ?? [];
    const buffet = before.buffet.slice(0, before.buffet.length - left.filter(([, p]) => p).length);
    this.view = { ...before, revealed: view.revealed };
    this.at = before.at;
    this.turned = 0;
    let ends = 0;
    cards.forEach(([seat, card], i) => {
      const turns = (i + 0.5) * turnMs;
      ends = Math.max(ends, turns + Math.abs(card) * stepMs + turnMs);
      this.later(turns, () => {
        this.turned = i + 1;
        this.at = this.at.map((at, other) => (other === seat ? (run[seat] ?? at) : at));
      });
    });
    if (left.length) {
      this.later(ends, () => {
        this.carried = left;
        this.view = { ...this.view, buffet };
      });
      ends += carryMs * (left.length > 1 ? 1.5 : 1);
    }
    this.later(ends, this.finish);
  }

  private later(wait: number, then: () => void): void {
    this.timers.push(setTimeout(then, wait));
  }
}
