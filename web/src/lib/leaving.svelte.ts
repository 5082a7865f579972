// Getting up in the middle of a game: for a while one may still think better of it.

import { api } from "./api";
import { forgetSeat, keep, load, seatsAt } from "./prefs.svelte";

/** So long it can be taken back, in ms. */
export const grace = 30_000;

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
  private plan(table: string): void {
    setTimeout(() => void this.leave(table), this.left(table));
  }
  private async leave(table: string): Promise<void> {
    if (!(table in load<Record<string, number>>("leaving", this.due)) || !this.isUp(table)) return;
    if (this.left(table) > 0) return; // one came back, and got up once more
    for (const { token } of seatsAt(table)) {
      await api.leave(table, token).catch(() => {});
      forgetSeat(table, token);
    }
    this.stay(table);
  }
}

export const leaving = new Leaving();
