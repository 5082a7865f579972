// What the table shows while something is told: cards turn one by one from the first player, each
// mouse runs by its card, whoever leaves carries the plate off; then it shows what is so now.

import type { Frame } from "../../lib/live.svelte";
import { pace } from "../../lib/pace.svelte";
import { play } from "../../lib/sound";
import { cardsOf, carryMs, leaving, stepMs, turning, type Leaver, type Turned } from "./timetable";
import type { View } from "./wire";

/** A card on the table: whose it is; undefined where none lies yet. */
export interface Laid {
  seat: number;
  card: number | null | undefined;
  down: boolean;
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
  /** How long a mouse takes for a space, and for carrying a plate, in ms. */
  stepMs = $state(stepMs);
  carryMs = $state(carryMs);
  private revealed = $state.raw<readonly Turned[]>([]);
  private timers: ReturnType<typeof setTimeout>[] = [];

  constructor(frame: Frame) {
    this.settle(frame.view as View);
  }

  /** Hear what is to be shown now. */
  hear(frame: Frame): void {
    const { scene, news } = frame;
    const view = frame.view as View;
    const cards = cardsOf(news);
    this.stop();
    if (scene?.lead && cards.length) this.turn(hidden(view, scene.move), cards, scene.ms);
    else if (scene && view.revealed && this.follows(cards))
      this.leave(view, view.revealed.left ?? [], scene.ms);
    else this.rest(view);
  }

  /** Show nothing more. */
  stop = (): void => {
    this.timers.forEach(clearTimeout);
    this.timers = [];
  };

  /** The cards in the middle: face down while they are laid, then turned one by one. */
  get cards(): Laid[] {
    const { view, revealed, turned } = this;
    if (revealed.length)
      return revealed.map(([seat, card], i) =>
        i < turned
          ? { seat, card, down: false }
          : { seat, card: view.played[String(seat)] ?? null, down: true },
      );
    const from = (seat: number) => (seat - (view.token ?? 0) + view.at.length) % view.at.length;
    return view.inside
      .toSorted((a, b) => from(a) - from(b))
      .map((seat) => ({ seat, card: view.played[String(seat)], down: true }));
  }

  /** Whether what is told now are the cards that have just been turned. */
  private follows(cards: readonly Turned[]): boolean {
    return cards.length > 0 && this.busy && String(cards) === String(this.revealed);
  }

  private turn(view: View, cards: readonly Turned[], ms: number | undefined): void {
    const plan = turning(cards);
    const factor = (ms ?? pace.ms(plan.ms)) / plan.ms;
    this.busy = true;
    this.stepMs = stepMs * factor;
    this.view = view;
    this.at = view.at;
    this.revealed = cards;
    this.turned = 0;
    this.carried = [];
    cards.forEach(([seat, card], i) => {
      this.later((plan.at[i] ?? 0) * factor, () => {
        this.turned = i + 1;
        play("card");
      });
      if (card) this.later((plan.runs[i] ?? 0) * factor, () => this.run(seat, card));
    });
  }

  private run(seat: number, card: number): void {
    this.at = this.at.map((at, other) => (other === seat ? at + card : at));
    play("feet");
  }

  private leave(after: View, left: readonly Leaver[], ms: number | undefined): void {
    const plan = leaving(left);
    const factor = (ms ?? pace.ms(plan.ms)) / plan.ms;
    this.carryMs = carryMs * factor;
    this.turned = this.revealed.length;
    this.at = this.view.at.map(
      (at, seat) => at + (this.revealed.find(([whose]) => whose === seat)?.[1] ?? 0),
    );
    left.forEach(([seat, plate], i) => {
      this.later((plan.at[i] ?? 0) * factor, () => this.carry([seat, plate]));
      this.later((plan.there[i] ?? 0) * factor, () => this.arrive(seat, after));
    });
  }

  private carry(leaver: Leaver): void {
    const [seat, plate] = leaver;
    const { view } = this;
    const buffet = plate ? view.buffet.slice(0, -1) : view.buffet;
    this.view = { ...view, buffet, inside: view.inside.filter((other) => other !== seat) };
    this.carried = [...this.carried, leaver];
  }

  /** The plate is there: now it lies on its stack. */
  private arrive(seat: number, after: View): void {
    const stacks = this.view.stacks.map((own, other) =>
      other === seat ? (after.stacks[seat] ?? own) : own,
    );
    this.view = { ...this.view, stacks };
    this.carried = this.carried.filter(([other]) => other !== seat);
  }

  /** Show how things stand; a card that was laid since is heard. */
  private rest(view: View): void {
    const laid = Object.keys(view.played).length;
    if (laid > Object.keys(this.view.played).length) play("card");
    this.settle(view);
  }

  private settle(view: View): void {
    this.view = view;
    this.at = view.at;
    this.revealed = Object.keys(view.played).length ? [] : (view.revealed?.cards ?? []);
    this.turned = this.revealed.length;
    this.carried = [];
    this.busy = false;
  }

  private later(wait: number, then: () => void): void {
    this.timers.push(setTimeout(then, wait));
  }
}

/** The table when the last card is laid, before any is turned. */
function hidden(view: View, move: { by: number | "nature"; [field: string]: unknown }): View {
  const { by } = move;
  if (by === "nature" || String(by) in view.played) return view;
  const card = (move["card"] ?? null) as number | null;
  const hands = view.hands.map((hand, seat) => {
    const at = seat === by ? hand.indexOf(hand.includes(card) ? card : null) : -1;
    return at < 0 ? hand : hand.toSpliced(at, 1);
  });
  return { ...view, hands, played: { ...view.played, [by]: card } };
}
