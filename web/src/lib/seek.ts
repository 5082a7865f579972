// Playing with somebody: a seat among strangers who look for the same game.

import type { Held } from "../wire/frames";
import { api } from "./api";
import { forgetSeat, keep, keepSeat, load, prefs, seatsAt } from "./prefs.svelte";
import { route } from "./route.svelte";

/** Sit down with others who look for a game, or be the first. */
export async function playWithSomebody(game: string): Promise<void> {
  const before = waiting()[game];
  if (before && (await isMine(before))) return route.go(`/t/${before}`);
  const held = await api.seek({ game, name: prefs.called, lang: prefs.language });
  keepSeat(held.table, held);
  keep("seeking", { ...waiting(), [game]: held.table });
  route.go(`/t/${held.table}`);
}

/** Where this device looked for somebody last, by game: nobody sits down twice among strangers. */
const waiting = () => load<Record<string, string>>("seeking", {});

async function isMine(table: string): Promise<boolean> {
  const seats = seatsAt(table).map(({ token }): [string, string] => [table, token]);
  if (!seats.length) return false;
  const found = await api.mine(seats).catch(() => null);
  return !!found?.tables.some((one) => one.table === table && one.phase === "open");
}

/** Sit down at a table that is open to everybody. */
export async function sitDown(table: string): Promise<void> {
  keepSeat(table, await api.sit(table, prefs.called));
  route.go(`/t/${table}`);
}

/** Go on to the table to which one was brought from another. */
export function goOnTo(held: Held, table: string, token: string): void {
  forgetSeat(table, token);
  keepSeat(held.table, held);
  const moved = Object.entries(waiting()).map(([game, at]) => [
    game,
    at === table ? held.table : at,
  ]);
  keep("seeking", Object.fromEntries(moved));
  route.replace(`/t/${held.table}`);
}
