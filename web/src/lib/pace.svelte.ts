// How quickly things happen on this device: what takes a while takes more or less of it.

import { prefs } from "./prefs.svelte";

export const paces = ["slow", "normal", "quick", "tap"] as const;
/** `tap` is slow and waits for a tap after what is told; `none` shows no scenes at all and is for scripts. */
export type Pace = (typeof paces)[number] | "none";

const factors: Record<Pace, number> = { slow: 1.8, normal: 1, quick: 0.5, tap: 1.8, none: 0 };

class Pacing {
  /** By how much longer or shorter everything takes than usual. */
  get factor(): number {
    return factors[prefs.pace] ?? 1;
  }
  /** A time at normal pace, as long as it takes here. */
  ms(usual: number): number {
    return usual * this.factor;
  }
}

export const pace = new Pacing();

/** Whether somebody wants nothing to move. */
export const isStill = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
