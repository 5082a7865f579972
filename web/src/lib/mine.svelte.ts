// The tables of this device, as the server tells how they stand: those that wait for us first.

import type { MyTable } from "../wire/frames";
import { standing } from "../here/standing.svelte";
import { isNear } from "../near/tables";
import { api } from "./api";
import type { Frame } from "./live.svelte";
import { endedAt, past } from "./past.svelte";
import { forgetSeat, keep, keepSeat, load, prefs, seatsAt, tablesKept } from "./prefs.svelte";
import { isHere, isSite } from "./site";
import { isSlow } from "./slow";

const most = 30;
/** Who looks again so soon is told what is known, in ms. */
const calm = 5000;

/** Whether a table can be asked how it stands: nobody wakes this device's, or another phone, only to look. */
const isAsleep = (table: string) =>
  isNear(table) || (isHere(table) && !isSite && standing.now.kind !== "ready");

/** Whether it is known of a table that it is gone: a browser may have failed to open what it keeps. */
function knows(table: string): boolean {
  const { now } = standing;
  return !isHere(table) || (now.kind === "ready" && now.keeps);
}

export const isMine = ({ phase, seats, to_move }: MyTable) =>
  phase === "playing" && seats.some((seat) => to_move.includes(seat));

/** Everybody has sat down: only the start is missing. */
export const isFull = ({ phase, names }: MyTable) =>
  phase === "open" && names.every((name) => name !== null);

/** Nothing goes on there without us: a move is missing, or the start. */
export const needsUs = (one: MyTable) =>
  isMine(one) || (isFull(one) && one.seats.includes(one.host));

/** Whose turn it is comes first, what is over last; the sooner one must move the higher it stands. */
export function inOrder(tables: readonly MyTable[]): MyTable[] {
  const rank = (one: MyTable) =>
    one.phase === "over" ? 3 : needsUs(one) ? 0 : one.phase === "open" ? 2 : 1;
  const when = (one: MyTable) => one.due ?? Infinity;
  return tables.toSorted(
    (a, b) =>
      rank(a) - rank(b) ||
      Math.sign(when(a) - when(b) || 0) ||
      (b.ended ?? Infinity) - (a.ended ?? Infinity) ||
      0,
  );
}

class Mine {
  /** As they stood when we last heard of them: so the first page is drawn before the answer comes. */
  tables = $state.raw<MyTable[]>(
    inOrder(load<MyTable[]>("tables", []).filter((one) => !one.held || seatsAt(one.table).length)),
  );
  /** Whether the server has told it just now. */
  fresh = $state(false);
  private asked = -Infinity;

  /** Ask how they stand; without an answer what is known must do. */
  async ask(): Promise<void> {
    const asks = tablesKept().filter((table) => !isAsleep(table));
    const kept = asks.flatMap((table) => seatsAt(table).map(({ token }) => ({ table, token })));
    const seats = kept.slice(0, most).map(({ table, token }): [string, string] => [table, token]);
    if (Date.now() < this.asked + calm) return;
    const asleep = this.tables.filter(({ table }) => isAsleep(table));
    if (!seats.length && !prefs.login) return this.take(asleep);
    this.asked = Date.now();
    try {
      const { tables, gone } = await api.mine(seats);
      for (const place of gone) {
        const seat = seats[place];
        if (seat && knows(seat[0])) forgetSeat(...seat);
      }
      for (const one of tables)
        if (one.phase === "over" && one.held && one.seats[0] !== undefined)
          past.add(endedAt(one, one.seats[0]));
      this.take([...tables, ...asleep]);
      this.sign();
    } catch {
      this.asked = -Infinity;
    }
  }
  /** Ask at once: something is known to have changed. */
  again(): Promise<void> {
    this.asked = -Infinity;
    return this.ask();
  }
  /** The number on the app's sign: tables for when one has time that wait for this device. */
  private sign(): void {
    const waiting = this.tables.filter((one) => isSlow(one.speed) && isMine(one));
    if (waiting.length || load<string[]>("turns", []).length)
      void import("./badge").then(({ setTurns }) => setTurns(waiting.map(({ table }) => table)));
  }
  private take(tables: MyTable[]): void {
    this.tables = inOrder(tables);
    this.fresh = true;
    keep("tables", this.tables);
  }

  /** Remember a table as it is seen from a seat of this device. */
  note({ table: info, to_move, scores, winners, over, now }: Frame, seats: number[]): void {
    const { table, game, phase, speed } = info;
    const known = load<MyTable[]>("tables", this.tables).filter((one) => one.table !== table);
    const noted: MyTable = {
      ...{ table, game, phase, speed, seats, due: null, number: info.games, held: true },
      host: info.host,
      ...{ names: info.seats.map(({ name }) => name), bots: info.seats.map(({ bot }) => bot) },
      to_move: (to_move as (number | "nature")[]).filter((by) => by !== "nature"),
      scores: over ? (scores as number[]) : [],
      winners: over ? (winners as number[]) : [],
      ended: over ? now / 1000 : null,
    };
    this.tables = inOrder([noted, ...known]).slice(0, most);
    this.fresh = false;
    this.asked = -Infinity;
    keep("tables", this.tables);
  }

  /** Get a token for a seat that another device of the same person has taken. */
  async fetchKey({ table, held }: MyTable): Promise<void> {
    if (held || seatsAt(table).length) return;
    await api.key(table).then(
      (got) => keepSeat(table, got),
      () => {}, // then one may watch
    );
  }
}

export const mine = new Mine();
