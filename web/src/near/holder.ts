// The phones that keep tables at which we are guests: they are asked as servers are.

import { Calls, type Line, type Told } from "../here/calls";
import type { Peer } from "./peer";
import { noteNear } from "./tables";

const away = "here.near";
const holders = new Map<string, { calls: Calls; peer: Peer }>();

/** From now on a table is reached this way, by a phone that shows this of itself. */
export function reachedBy(table: string, print: string, holder: Peer): void {
  holders.get(table)?.peer.end(); // else we would be there twice
  const calls = new Calls((said) => holder.send(JSON.stringify(said)), false);
  holder.heard = (text) => {
    try {
      calls.hear(JSON.parse(text) as Told);
    } catch {
      holder.end(); // no Tischlein says such a thing
    }
  };
  holder.ended = () => calls.end(away);
  holders.set(table, { calls, peer: holder });
  noteNear(table, print);
}

/** Whether the phone with the table is there. */
export const isThere = (table: string) => holders.get(table)?.calls.over === "";

const nobody = () => {
  const calls = new Calls(() => {}, false);
  calls.end(away);
  return calls;
};
const holder = (table: string) => holders.get(table)?.calls ?? nobody();

export const fetchNear = (table: string, path: string, init?: RequestInit): Promise<Response> =>
  holder(table).fetch(path, init);
export const lineNear = (table: string, path: string): Line => holder(table).line(path);
