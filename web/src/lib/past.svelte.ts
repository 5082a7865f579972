// The finished games that this device remembers: their results stay when the tables are long gone.

import type { MyTable, PastGame } from "../wire/frames";
import type { Frame } from "./live.svelte";
import { keep, load } from "./prefs.svelte";

const most = 200;
const mostHidden = 60;

/** Which game of which table: `abc/2`. */
export const nameOf = ({ table, number }: Pick<PastGame, "table" | "number">) =>
  `${table}/${number}`;
const sameSeat = (one: PastGame) => (other: PastGame) =>
  nameOf(one) === nameOf(other) && one.seat === other.seat;

class Past {
  /** The newest first. */
  games = $state.raw<PastGame[]>(load("played", []));
  /** Those that nobody wants to see on the first page any more. */
  private hidden = $state.raw<string[]>(load("hidden", []));

  /** Keep a result; one that is known stays as it is. */
  add(told: PastGame): void {
    // Another phone or a file may tell of a day that no calendar has.
    const game = { ...told, ended: Math.max(0, Math.min(told.ended, Date.now() / 1000)) };
    const known = load<PastGame[]>("played", this.games);
    if (known.some(sameSeat(game))) return;
    this.games = [game, ...known].sort((a, b) => b.ended - a.ended).slice(0, most);
    keep("played", this.games);
  }
  /** Some games of a table are another table's now. */
  move(table: string, numbers: readonly number[], to: string): void {
    const moves = (one: PastGame) => one.table === table && numbers.includes(one.number);
    this.games = load<PastGame[]>("played", this.games).map((one) =>
      moves(one) ? { ...one, table: to } : one,
    );
    keep("played", this.games);
  }
  hide(game: string): void {
    this.hidden = [game, ...this.hidden].slice(0, mostHidden);
    keep("hidden", this.hidden);
  }
  isHidden = (game: string): boolean => this.hidden.includes(game);
}

export const past = new Past();

/** The place of a seat, as the table ranks it; who is level shares one. */
export function placeIn(ranking: readonly (readonly number[])[], seat: number): number {
  let before = 0;
  for (const level of ranking) {
    if (level.includes(seat)) return before + 1;
    before += level.length;
  }
  return before;
}

/** The place of a seat, where only points and winners are known. */
export function placeBy(
  scores: readonly number[],
  winners: readonly number[],
  seat: number,
): number {
  if (winners.includes(seat)) return 1;
  const better = scores.filter((score) => score > (scores[seat] ?? 0)).length;
  return 1 + Math.max(better, winners.length);
}

/** A game that has just ended, to be remembered by who played it. */
export function ended(frame: Frame, seat: number): PastGame {
  const { table, game, games, seats } = frame.table;
  const shown = { names: seats.map(({ name }) => name ?? ""), bots: seats.map(({ bot }) => bot) };
  const result = { scores: frame.scores as number[], winners: frame.winners as number[] };
  const place = placeIn(frame.ranking, seat);
  return { table, number: games, seat, game, ...shown, ...result, place, ended: frame.now / 1000 };
}

/** A game that ended while this device was away. */
export function endedAt(told: MyTable, seat: number): PastGame {
  const { table, number, game, names, bots, scores, winners } = told;
  const place = placeBy(scores, winners, seat);
  const when = told.ended ?? Date.now() / 1000;
  const called = names.map((name) => name ?? "");
  return { table, number, seat, game, names: called, bots, scores, winners, place, ended: when };
}

/** Everybody, best first, equal ones together, where only points and winners are known. */
export function rankedBy(scores: readonly number[], winners: readonly number[]): number[][] {
  const places = scores.map((_, seat) => placeBy(scores, winners, seat));
  return [...new Set(places)]
    .sort((a, b) => a - b)
    .map((place) => places.flatMap((one, seat) => (one === place ? [seat] : [])));
}
