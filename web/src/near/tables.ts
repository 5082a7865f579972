// The tables that another phone keeps: known without loading what it takes to reach one.

import { keep, load } from "../lib/prefs.svelte";

const most = 50;
/** Each table with what its phone shows of itself. */
type Known = [table: string, print: string][];
const known = () => load<Known>("near", []);

/** Whether a table is on another phone. */
export const isNear = (table: string) => known().some(([one]) => one === table);

/** Whether a phone may have a table, by what it shows of itself: not if another one had it. */
export const isSame = (table: string, print: string) =>
  known().every(([one, shown]) => one !== table || shown === print);

export function noteNear(table: string, print: string): void {
  const others = known().filter(([one]) => one !== table);
  keep("near", [[table, print], ...others].slice(0, most));
}
