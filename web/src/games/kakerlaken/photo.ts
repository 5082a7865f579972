// What the photo finish tells of a deed, in words.

import type { Frame } from "../../lib/live.svelte";
import { nameOf } from "../../lib/story";
import { say } from "../../lib/words";
import { tile } from "./telling";
import type { Grab, Name, Slap, Verdict } from "./wire";
import { tell, type Key } from "./words";

const odds = ["clamped", "echoes", "far"] as const;
export type Odd = (typeof odds)[number];
/** What is told of every deed, in ms. */
export const facts = ["claimed", "at", "window", "lag", "uncertainty", "handicap"] as const;
/** A deed as the table timed it. */
export type Timed = (Slap | Grab | Name) & {
  seat: number;
  odd: readonly Odd[];
} & Record<(typeof facts)[number], number>;

/** All deeds of the race that was closed last, by time. */
export function timed(frame: Frame): Timed[] {
  const photo = (frame.race?.["photo"] ?? []) as Timed[];
  const whole = photo.map((deed) => ({ ...deed, window: deed.window ?? 0, odd: known(deed.odd) }));
  return whole.sort((a, b) => a.at - b.at);
}

/** What is odd, in our order; a sort that we do not know yet is passed over. */
const known = (found: readonly string[] = []) => odds.filter((odd) => found.includes(odd));

export const time = (ms: number) => say("ms", { n: Math.round(ms) });

export function did(deed: Slap | Grab | Name): string {
  if (deed.do === "name") return tell("photoName", { thief: tell(`thief.${deed.thief}`) });
  if (deed.do === "grab") return tell(deed.squeak ? "photoSqueak" : "photoGrab");
  return tell("photoSlap", tile(...deed.tile));
}

export const sign = (verdict: Verdict) => (verdict.good ? "✓" : "✗");

/** Without a clock nobody was quicker: the order round the table decides. */
const unhurried: Partial<Record<Verdict["why"], Key>> = {
  after_the_decision: "verdict.calm_later",
  grab_later: "verdict.calm_later",
  right_later: "verdict.calm_right_later",
};
export const why = (verdict: Verdict, calm = false) =>
  tell((calm && unhurried[verdict.why]) || `verdict.${verdict.why}`);

/** What is odd about the deeds of a seat. */
export const oddOf = (deeds: readonly Timed[], seat: number) =>
  known(deeds.filter((deed) => deed.seat === seat).flatMap((deed) => deed.odd));

export const inWords = (odd: readonly Odd[]) => odd.map((one) => tell(`odd.${one}`)).join(", ");

/** Whose deeds are odd, and why, in one line. */
export function oddities(frame: Frame, deeds: readonly Timed[]): string {
  const told = frame.table.seats.flatMap((_, seat) => {
    const odd = oddOf(deeds, seat);
    return odd.length ? `${nameOf(frame, seat)}: ${inWords(odd)}` : [];
  });
  return told.join(" · ");
}
