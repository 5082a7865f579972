// The phones that keep tables at which we are guests: they are asked as servers are.

import { Calls, type Line, type Told } from "../here/calls";
import type { Frame } from "../lib/live.svelte";
import type { Peer } from "./peer";
import { noteNear } from "./tables";

const away = "here.near";
const holders = new Map<string, { calls: Calls; peer: Peer }>();

const isText = (it: unknown) => it === null || typeof it === "string";
const areNumbers = (it: unknown) => Array.isArray(it) && it.every((one) => typeof one === "number");

/** Whether a frame tells of a table what this device may remember of it when the phone is gone. */
export function isOf(table: string, frame: unknown): boolean {
  const { type, table: at, seat, to_move, over, scores, winners, now } = Object(frame) as Frame;
  if (type !== "state") return true;
  return (
    at.table === table &&
    [at.game, at.phase, at.speed].every((it) => typeof it === "string") &&
    at.seats.every(({ name, bot }) => isText(name) && isText(bot)) &&
    [at.games, at.host, seat ?? 0, now].every((it) => typeof it === "number") &&
    areNumbers((to_move as unknown[]).filter((by) => by !== "nature")) &&
    (!over || (areNumbers(scores) && areNumbers(winners)))
  );
}

/** From now on a table is reached this way, by a phone that shows this of itself. */
export function reachedBy(table: string, print: string, holder: Peer): void {
  holders.get(table)?.peer.end(); // else we would be there twice
  const calls = new Calls((said) => holder.send(JSON.stringify(said)), false);
  holder.heard = (text) => {
    try {
      const told = JSON.parse(text) as Told;
      if (told.text !== undefined && !isOf(table, JSON.parse(told.text)))
        throw new TypeError("this is of another table");
      calls.hear(told);
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
