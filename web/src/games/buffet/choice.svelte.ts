// What a player holds, has chosen of it, and may do with it.

import type { Frame, Live } from "../../lib/live.svelte";
import type { Exchange, Play, View } from "./wire";

export interface Holding {
  live: Live;
  frame: Frame;
  /** The table as it is shown. */
  view: View;
  me: number;
}

// A tap that was meant as a question must not become a move because the turn has just come.
const graceMs = 300;

export class Choice {
  private chosen = $state.raw<{ key: string; at: readonly number[] }>({ key: "", at: [] });
  private early = $state(""); // the hand whose owner would lay a card before choosing one
  private since = -Infinity;
  private could: string | undefined;
  private readonly held: () => Holding;

  constructor(held: () => Holding) {
    this.held = held;
    this.could = this.deed;
  }

  private get legal(): (Play | Exchange)[] {
    const { frame, me } = this.held();
    return (frame.legal[String(me)] ?? []) as (Play | Exchange)[];
  }
  get deed(): "play" | "exchange" | undefined {
    return this.legal[0]?.do;
  }
  get swaps(): boolean {
    return this.deed === "exchange";
  }
  /** The cards in hand, from the lowest to the highest. */
  get hand(): number[] {
    const { view, me } = this.held();
    const cards = (view.hands[me] ?? []).flatMap((card) => (card === null ? [] : [card]));
    return cards.sort((a, b) => a - b);
  }
  private get key(): string {
    const { view } = this.held();
    return `${view.round}/${view.part}/${this.hand.join()}/${this.swaps}`;
  }
  /** Which of the cards are chosen. */
  get picked(): readonly number[] {
    return this.chosen.key === this.key ? this.chosen.at : [];
  }
  get cards(): number[] {
    return this.picked.flatMap((at) => this.hand[at] ?? []);
  }
  get ready(): boolean {
    return !!this.deed && (this.swaps || this.picked.length > 0);
  }
  get tooEarly(): boolean {
    return this.early === this.key && !this.picked.length;
  }

  /** Note when one's turn has come. */
  hear(): void {
    const { deed } = this;
    if (deed && deed !== this.could) this.since = performance.now();
    this.could = deed;
  }
  /** Whether a tap that began then was meant for what may be done now. */
  meant(begun: number): boolean {
    return begun >= this.since + graceMs;
  }

  /** Choose one card, or one more to swap; a chosen one is put back. */
  pick(at: number): void {
    const { picked, swaps } = this;
    const others = picked.filter((other) => other !== at);
    if (picked.includes(at)) this.chosen = { key: this.key, at: others };
    else this.chosen = { key: this.key, at: swaps ? [...picked, at] : [at] };
  }
  /** Choose a card by its value; of equal ones to swap, one after another. */
  pickValue(card: number): number {
    const all = this.hand.flatMap((value, at) => (value === card ? [at] : []));
    const at = all.find((one) => !this.picked.includes(one)) ?? all[0] ?? -1;
    if (at >= 0 && (this.swaps || !this.picked.includes(at))) this.pick(at);
    return at;
  }
  /** Lay the chosen card, or swap the chosen ones; a second tap while that is on its way says nothing new. */
  lay(): void {
    const { live } = this.held();
    const { cards } = this;
    if (live.waits) return;
    if (this.swaps) live.move({ do: "exchange", cards });
    else if (cards.length) live.move({ do: "play", card: cards[0] });
    else this.early = this.key;
  }
  /** Ask why nothing can be laid now; while something is told, that is the answer. */
  ask(card: number | undefined): void {
    const { live, frame } = this.held();
    if (!frame.scene) live.ask({ do: "play", card });
  }
}
