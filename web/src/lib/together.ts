// What those are called with whom one has played, where no table is open.

import { calledAt } from "./cast.svelte";
import { hidden } from "./hidden.svelte";
import { isolated } from "./story";
import { say } from "./words";

/** The name of somebody at a table, if it is not hidden on this device, or the own name of a bot. */
export function calledBy(
  name: string,
  bot: string | null | undefined,
  seat: number,
  table: string,
): string {
  if (bot) return calledAt(bot, seat);
  return hidden.at(table, seat, name) ? say("care.player", { n: seat + 1 }) : isolated(name);
}
