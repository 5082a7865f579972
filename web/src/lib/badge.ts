// The number on the sign of the installed app: at how many tables it is my turn.

import { keep, load, seatsAt } from "./prefs.svelte";

const most = 99;

/** Set it from all tables that are known to wait for this device. */
export async function setTurns(tables: readonly string[]): Promise<void> {
  const waiting = [...new Set(tables)].filter((table) => seatsAt(table).length).slice(0, most);
  keep("turns", waiting);
  try {
    if (waiting.length) await navigator.setAppBadge?.(waiting.length);
    else await navigator.clearAppBadge?.();
  } catch {
    // this app has no sign
  }
}

/** The tables of which this device was told and that nobody has looked at since. */
async function told(): Promise<string[]> {
  const here = await navigator.serviceWorker?.getRegistration("/");
  return ((await here?.getNotifications()) ?? []).map(({ tag }) => tag);
}

/** Note of one table whether it waits for this device. */
export async function setTurn(table: string, mine: boolean): Promise<void> {
  const known = [...load<string[]>("turns", []), ...(await told().catch(() => []))];
  const others = known.filter((other) => other !== table);
  await setTurns(mine ? [table, ...others] : others);
}
