// The tables of this device, brought together with those that the server keeps for the same person: so
// that a game begun on a train goes on at home, on whichever device, and its result counts.

import { api, Problem } from "../lib/api";
import { mine } from "../lib/mine.svelte";
import { past } from "../lib/past.svelte";
import { keep, keepSeat, load, prefs, seatsAt } from "../lib/prefs.svelte";
import { isSite } from "../lib/site";
import { isNear } from "../near/tables";
import type { Carrying, MyCarried } from "../wire/frames";
import { here } from "./here.svelte";

/** How a table stood when it was last the same here and there, and for whom. */
interface Same {
  mark: string;
  profile: string;
}
type Known = Record<string, Same>;

let carrying = false;

/** Bring all tables together, where somebody is signed in and something has changed; tell if they are. */
export async function comeTogether(): Promise<boolean> {
  if (isSite || !prefs.login || carrying) return false;
  carrying = true;
  try {
    return await bring(await api.carried());
  } catch (error) {
    if (!(error instanceof Problem)) console.warn(error); // the next time, then
    return false;
  } finally {
    carrying = false;
  }
}

async function bring({ profile, tables }: MyCarried): Promise<boolean> {
  const known = load<Known>("carried", {});
  const isNew = (table: string) => tables[table]?.mark !== known[table]?.mark;
  const played = load("here.played", false);
  const concerns = ([table, { goes_on }]: [string, Carrying]) => goes_on || !!known[table];
  const news = Object.entries(tables).some((one) => isNew(one[0]) && concerns(one));
  if (!played && !news) return true;
  keep("here.played", false); // whatever is played from now on is for the next time
  let whole = true;
  const marks = await here.marks();
  for (const table of new Set([...Object.keys(marks), ...Object.keys(tables)])) {
    const [ours, theirs] = [marks[table], tables[table]];
    // Whoever says that they have a table of ours would hear the keys of our seats.
    if (isNear(table)) continue;
    const same = known[table];
    if (same && same.profile !== profile) continue; // somebody else's who used this device
    if (!ours && !theirs?.goes_on) continue; // it is over, and its result is there
    if (ours !== theirs?.mark && !(ours === same?.mark && !theirs))
      whole = (await one(table, profile, theirs?.mark)) && whole;
    else if (ours) note(table, { mark: ours, profile });
  }
  if (!whole) keep("here.played", true);
  await mine.again();
  return whole;
}

/** Bring a table together; false if that must wait. */
async function one(table: string, profile: string, theirs: string | undefined): Promise<boolean> {
  if (theirs === undefined) return send(table, profile, "");
  const { entries, seats } = await api.carriedTable(table);
  const { came, apart, games } = await here.merge(table, entries);
  if (came === "busy") return false;
  adopt(table, seats ?? []);
  if (apart !== undefined) {
    for (const seat of seatsAt(table)) keepSeat(apart, seat);
    past.move(table, games ?? [], apart);
    await send(apart, profile, "");
  }
  if (came === "ours") return send(table, profile, theirs);
  note(table, { mark: theirs, profile });
  return true;
}

/** Let the server keep a table as it is here; false if another device was quicker. */
async function send(table: string, profile: string, was: string): Promise<boolean> {
  const entries = await here.entries(table);
  const seats = seatsAt(table).map(({ seat, token }): [number, string] => [seat, token]);
  if (!seats.length && !was) return true; // nobody of this device sits there
  try {
    note(table, { mark: (await api.carry(table, { entries, seats, was })).mark, profile });
    return true;
  } catch (error) {
    if (!(error instanceof Problem) || error.status !== 409) throw error;
    return error.code !== "changed"; // what the server will never keep stays here
  }
}

function adopt(table: string, seats: readonly (readonly [number, string])[]): void {
  const held = new Set(seatsAt(table).map(({ token }) => token));
  for (const [seat, token] of seats) if (!held.has(token)) keepSeat(table, { seat, token });
}

const note = (table: string, same: Same) =>
  keep("carried", { ...load<Known>("carried", {}), [table]: same });
