// What those are called with whom one has played, where no table is open.

import { calledAt, personAt } from "./cast.svelte";
import { isolated } from "./story";

/** What somebody at a table is called here: their name may be hidden, or taken away; a bot has its own. */
export function calledBy(
  name: string,
  bot: string | null | undefined,
  seat: number,
  table: string,
): string {
  if (bot) return calledAt(bot, seat);
  return personAt(table, seat, name) ?? isolated(name);
}
