// What is shown when a game is over: the result, the coach, the game once more.

import { untrack } from "svelte";
import { isStill, pace } from "./pace.svelte";

/** How long the last scene stays before the result covers it, in ms. */
const lastScene = { here: 1500, bigScreen: 4000 };

/** The figures of the coach, the lesson whose board is shown, and whom a shared device asks for. */
export interface Opened {
  figures: boolean;
  shown: number;
  seat: number | null;
}

export class Ending {
  result = $state(false);
  /** The big screen shows the result itself, and all about it on request. */
  more = $state(false);
  coach = $state(false);
  /** What of the coach was opened: who watches a move meanwhile comes back to it. */
  lesson = $state<Opened>({ figures: false, shown: 0, seat: null });
  /** The move from which the game is watched again. */
  again = $state<number | null>(null);
  /** Whether all is counted: only then it is told who has won. */
  counted = $state(false);
  private counting: () => number = () => 0;
  private running = false;
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** Hear whether the game is over; who was not there to see its last scene sees the result at once. */
  hear(over: boolean, watching: boolean, counting: () => number): () => void {
    this.counting = counting;
    if (over) {
      // Whoever chooses another pace later has seen the result.
      const wait = untrack(() => pace.ms(watching ? lastScene.bigScreen : lastScene.here));
      this.timer = setTimeout(this.show, this.running ? wait : 0);
    } else {
      this.running = true;
      this.result = this.coach = this.counted = false;
      this.again = null;
      this.lesson = { figures: false, shown: 0, seat: null };
    }
    return () => clearTimeout(this.timer);
  }

  /** Show the result, once: who did not wait has seen it. */
  show = (): void => {
    clearTimeout(this.timer);
    this.result = true;
    const ms = this.counted || isStill() ? 0 : pace.ms(this.counting());
    if (ms) this.timer = setTimeout(() => (this.counted = true), ms);
    else this.counted = true;
  };
  close(watching: boolean): void {
    this.result = watching;
    this.more = false;
  }
}
