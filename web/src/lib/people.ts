// Who is at the table, as the frame tells it.

import type { TableInfo } from "../wire/frames";

type At = { table: Pick<TableInfo, "seats"> };

/** Whether a person who plays at this seat is away just now. */
export function isAway({ table }: At, seat: number): boolean {
  const found = table.seats[seat];
  return !!found && found.name !== null && found.bot === null && !found.here;
}

/** The seats of people who are away. */
export const awayAt = (at: At) => at.table.seats.map((_, n) => n).filter((n) => isAway(at, n));

/** Whether somebody else sees this table: a person at none of these seats, or a watcher. */
export const hasCompany = (
  { table }: { table: Pick<TableInfo, "seats" | "watchers"> },
  mine: readonly (number | null)[],
) => table.watchers > 0 || table.seats.some(({ bot }, n) => bot === null && !mine.includes(n));

/** The seats for which bots and the next roll wait; none while one is not ready oneself. */
export function awaitedAt({ table, seat }: At & { seat: number | null }): number[] {
  if (seat !== null && table.seats[seat]?.holds) return [];
  return table.seats.flatMap(({ holds }, n) => (holds ? [n] : []));
}
