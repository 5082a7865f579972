// The tables that another phone keeps: known without loading what it takes to reach one.

import { keep, load } from "../lib/prefs.svelte";

const most = 50;
const known = () => load<string[]>("near", []);

/** Whether a table is on another phone. */
export const isNear = (table: string) => known().includes(table);

export function noteNear(table: string): void {
  keep("near", [table, ...known().filter((one) => one !== table)].slice(0, most));
}
