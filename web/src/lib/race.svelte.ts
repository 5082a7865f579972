// When the dice of a race are seen: in the next picture that the screen draws after they have come.

import { deedTime } from "./clock";
import type { Frame } from "./live.svelte";

/** The name of the race that is open, which is when its dice are shown. */
export const raceOf = (frame: Pick<Frame, "race"> | null | undefined) =>
  (frame?.race?.["show_at"] ?? null) as number | null;

/** Who looks away for longer than this, or comes late to a race, is timed from its beginning; in ms. */
const late = 250;

export class Race {
  /** The race whose dice are drawn. */
  seen = $state<number | null>(null);
  private drawnAt = Infinity;
  private from = 0;

  /** Draw the dice of a race that has come so many ms after its beginning; gives back how to stop. */
  show(name: number, behind = 0): () => void {
    const came = performance.now();
    const drawing = requestAnimationFrame((now) => {
      const waited = Math.max(0, now - came) + Math.max(0, behind);
      this.drawnAt = now;
      this.from = waited > late ? now - waited : now;
      this.seen = name;
    });
    return () => cancelAnimationFrame(drawing);
  }

  /** Whether a touch or a key began only when the dice were to be seen. */
  sees(event: Event): boolean {
    return event.timeStamp >= this.drawnAt;
  }

  /** When a deed was done, in ms after the dice were drawn, by this device's own clock. */
  at(event: Pick<Event, "timeStamp">): number {
    return deedTime(event.timeStamp, performance.now(), this.from);
  }
}
