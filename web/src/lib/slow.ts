// Tables where people play when they have time: a day or more for each move.

import { catalogue } from "./catalogue.svelte";

export const slowSpeeds = ["day", "three_days", "week"] as const;

/** Whether people at a table of this speed need not be there at one time. */
export const isSlow = (speed: string) => (slowSpeeds as readonly string[]).includes(speed);

const WEEKDAY_IS_ENOUGH = 6 * 86_400_000;

/** A moment of the server's clock, as people here say it: with its date where a weekday may mean two. */
export function momentOf(due: number, now: number = Date.now(), short = false): string {
  const far = due - now > WEEKDAY_IS_ENOUGH;
  return new Intl.DateTimeFormat(catalogue.language, {
    weekday: short ? "short" : "long",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23", // with `hour12` some say 24:05 after midnight, as if it were a day later
    ...(far && { day: "numeric", month: short ? "numeric" : "long" }),
  }).format(due);
}
