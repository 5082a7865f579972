// When the dice are seen: at one moment of the server's clock, the same for everybody.

import { deedTime, type Clock } from "../../lib/clock";

export class Race {
  /** The race whose dice are to be seen now. */
  seen = $state<number | null>(null);
  private shownAt = 0;

  /** Show the dice of a race when its moment has come; gives back how to stop waiting. */
  wait(showAt: number, clock: Clock): () => void {
    let stopped = false;
    const look = (now: number) => {
      if (stopped) return;
      if (now < clock.here(showAt)) requestAnimationFrame(look);
      else {
        this.shownAt = now;
        this.seen = showAt;
      }
    };
    requestAnimationFrame(look);
    return () => (stopped = true);
  }

  /** Whether a touch or a key began only when the dice were to be seen. */
  sees(event: Event): boolean {
    return event.timeStamp >= this.shownAt;
  }

  /** When a deed was done, in ms after the dice were seen. */
  at(event: Event): number {
    return deedTime(event.timeStamp, performance.now(), this.shownAt);
  }
}
