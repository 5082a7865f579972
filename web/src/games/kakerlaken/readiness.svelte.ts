// Whether a game waits for this player before the first roll.

import { untrack } from "svelte";
import type { Frame, Live } from "../../lib/live.svelte";
import { pace } from "../../lib/pace.svelte";
import { raceOf } from "../../lib/race.svelte";
import { isCalm } from "./telling";
import type { View } from "./wire";

export class Readiness {
  /** The game, by its number, for which one has said so. */
  private said = $state<number | null>(null);

  constructor(
    private readonly live: () => Live,
    private readonly frame: () => Frame,
  ) {}

  /** Whether nothing was rolled yet in a game that goes by the clock; a script is always ready. */
  readonly asks = $derived.by(() => {
    const frame = this.frame();
    const { seat, over } = frame;
    const { last, roll } = frame.view as View;
    const fresh = last === null && roll === null && raceOf(frame) === null;
    const waits = pace.factor > 0 && "hold" in this.live() && !isCalm(frame);
    return seat !== null && !over && fresh && waits;
  });
  readonly is = $derived.by(() => this.said === this.frame().table.games);

  say = (): void => {
    this.said = this.frame().table.games;
  };

  /** Hold the table up for as long as this player is asked and has not answered. */
  keep(): (() => void) | undefined {
    if (!this.asks || this.is) return undefined;
    const live = untrack(this.live);
    untrack(() => live.hold("ready", true));
    return () => untrack(() => live.hold("ready", false));
  }
}
