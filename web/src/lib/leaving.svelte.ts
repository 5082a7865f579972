// Getting up in the middle of a game: for a while one may still think better of it.

import { api, Problem } from "./api";
import { forgetSeat, keep, load, seatsAt } from "./prefs.svelte";

/** So long it can be taken back, in ms. */
export const grace = 30_000;
/** So long after it could not be told it is tried again. */
const later = 3_000;

class Leaving {
  /** When each table is to be left, in ms since 1970. */
  private due = $state.raw<Record<string, number>>(load("leaving", {}));

  constructor() {
    for (const table of Object.keys(this.due)) this.plan(table);
  }
  /** The tables from which one gets up, and can still stay. */
  isUp = (table: string): boolean => table in this.due;
  left = (table: string): number => Math.max(0, (this.due[table] ?? 0) - Date.now());

  getUp(table: string): void {
    this.set({ ...this.due, [table]: Date.now() + grace });
    this.plan(table);
  }
  stay(table: string): void {
    if (!this.isUp(table)) return;
    const { [table]: _, ...others } = this.due;
    this.set(others);
  }
  private set(due: Record<string, number>): void {
    this.due = due;
    keep("leaving", due);
  }
  private plan(table: string, wait = this.left(table)): void {
    setTimeout(() => void this.leave(table), wait);
  }
  private async leave(table: string): Promise<void> {
    if (!(table in load<Record<string, number>>("leaving", this.due)) || !this.isUp(table)) return;
    if (this.left(table) > 0) return; // one came back, and got up once more
    for (const { token } of seatsAt(table)) {
      if (!(await hasLeft(table, token))) return this.plan(table, later);
      forgetSeat(table, token);
    }
    this.stay(table);
  }
}

/** Get up; false if the server did not hear it. Where it knows nobody with this seat, one is gone. */
async function hasLeft(table: string, token: string): Promise<boolean> {
  try {
    await api.leave(table, token);
    return true;
  } catch (error) {
    const status = error instanceof Problem ? error.status : 0;
    return status >= 400 && status < 500 && status !== 429;
  }
}

export const leaving = new Leaving();
