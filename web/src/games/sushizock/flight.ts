// Things that travel: where they lie before a change, and how they get from there to where they are.

import { isStill, pace } from "../../lib/pace.svelte";
import type { Trip } from "./travel";

export interface Flight {
  trip: Trip | null;
  /** Where the tile lay that is taken. */
  start: DOMRect | null;
  /** Where the tiles of the row lay that now move up. */
  row: DOMRect[];
  /** Where the dice lay, and what they showed. */
  dice: { face: string; lay: DOMRect }[];
}

const fly = 750; // ms at normal pace, as are all of these
const snatch = 950;
const close = 400;
const push = 400;

const spot = (board: HTMLElement, name: string) =>
  board.querySelector<HTMLElement>(`[data-spot="${name}"]`);
const rectOf = (one: Element) => one.getBoundingClientRect();
const shift = (from: DOMRect, to: DOMRect, by = 1) =>
  `translate(${(from.x - to.x) * by}px, ${(from.y - to.y) * by}px)`;

/** Remember where things lie, just before the table changes. */
export function lift(board: HTMLElement, trip: Trip | null): Flight | null {
  if (isStill() || !pace.factor) return null;
  const { kind, from, place } = trip ?? { kind: "", from: null, place: 0 };
  const start = trip && spot(board, from === null ? `${kind}-${place}` : `pile-${from}-${kind}`);
  const row = trip && from === null ? [...board.querySelectorAll(`[data-spot^="${kind}-"]`)] : [];
  const dice = [...board.querySelectorAll<HTMLElement>("[data-rolled]")];
  return {
    trip,
    start: start && rectOf(start),
    row: row.map(rectOf),
    dice: dice.map((die) => ({ face: die.dataset["rolled"] ?? "", lay: rectOf(die) })),
  };
}

/** Let everything get to where it now lies. */
export function land(board: HTMLElement, flight: Flight): void {
  const { trip, start } = flight;
  if (trip && start) {
    carry(board, trip, start);
    if (trip.from === null) closeGap(board, trip, flight.row);
  } else setAside(board, flight);
}

/** A tile flies to its pile; one that is stolen is carried by chopsticks. */
function carry(board: HTMLElement, trip: Trip, start: DOMRect): void {
  const tile = spot(board, `pile-${trip.to}-${trip.kind}`);
  if (!tile) return;
  const ends = rectOf(tile);
  const size = start.height / ends.height;
  const stolen = trip.from !== null;
  const steps = [
    { transform: `${shift(start, ends)} scale(${size})` },
    ...(stolen ? [{ transform: `${shift(start, ends)} scale(${size})`, offset: 0.3 }] : []),
    { transform: `${shift(start, ends, 0.45)} scale(${(size + 1) * 0.65})` },
    { transform: "none" },
  ].map((step) => ({ ...step, transformOrigin: "0 0", zIndex: 9 }));
  const duration = pace.ms(stolen ? snatch : fly);
  tile.animate(steps, { duration, easing: "ease-in-out" });
  const sticks = board.querySelector<HTMLElement>("[data-snatch]");
  if (stolen && sticks) reach(sticks, start, ends, duration);
}

/** Chopsticks come down on a pile, grab, and are gone with what they got. */
function reach(sticks: HTMLElement, start: DOMRect, ends: DOMRect, duration: number): void {
  const home = rectOf(sticks);
  const over = (at: DOMRect, up = 0) =>
    `translate(${at.x + at.width * 0.3 - home.x}px, ${at.y - home.height * (0.75 + up) - home.y + at.height * 0.5}px)`;
  const steps = [
    { transform: `${over(start, 1.4)} rotate(24deg)`, opacity: 0 },
    { transform: `${over(start)} rotate(0deg)`, opacity: 1, offset: 0.22 },
    { transform: `${over(start)} rotate(-8deg)`, opacity: 1, offset: 0.3 },
    { transform: `${over(ends)} rotate(-8deg)`, opacity: 1, offset: 0.92 },
    { transform: `${over(ends, 0.6)} rotate(12deg)`, opacity: 0 },
  ];
  sticks.animate(steps, { duration, easing: "ease-in-out" });
}

/** The tiles behind a gap move up. */
function closeGap(board: HTMLElement, { kind, place }: Trip, row: DOMRect[]): void {
  for (let at = place; at < row.length - 1; at++) {
    const [was, now] = [row[at + 1], spot(board, `${kind}-${at}`)];
    if (was && now)
      now.animate([{ transform: shift(was, rectOf(now)) }, { transform: "none" }], {
        duration: pace.ms(close),
        easing: "ease-in-out",
      });
  }
}

/** Dice that were just rolled and now lie aside are seen to move there. */
function setAside(board: HTMLElement, { dice }: Flight): void {
  if (!dice.length || board.querySelector("[data-rolled]")) return;
  const aside = [...board.querySelectorAll<HTMLElement>("[data-aside]")];
  const left = [...dice];
  for (const die of aside.reverse()) {
    const found = left.findLastIndex(({ face }) => face === die.dataset["aside"]);
    const [was] = found < 0 ? [] : left.splice(found, 1);
    if (was)
      die.animate([{ transform: shift(was.lay, rectOf(die)) }, { transform: "none" }], {
        duration: pace.ms(push),
        easing: "ease-in-out",
      });
  }
}
