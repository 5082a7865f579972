// The tables of this device as a file: what its house has written down, and the seats that go with it.

import { forgetSeat, keepSeat, load, seatsAt, tablesKept, type Seat } from "../lib/prefs.svelte";
import { isNear } from "../near/tables";
import { past } from "../lib/past.svelte";
import type { PastGame } from "../wire/frames";

const format = "tischlein-device/1";
/** So much a file may tell: bytes when it is unpacked, results, seats of a table, signs of a name. */
const most = { bytes: 64e6, games: 200, seats: 12, signs: 100 };

interface Head {
  format: string;
  seats: Record<string, Seat[]>;
  played: PastGame[];
}

const isOwn = (table: string) => /^0[2-9a-z]{12}$/.test(table) && !isNear(table);

/** Through one of the browser's packers, up to a size. */
async function through(data: Uint8Array, packer: GenericTransformStream): Promise<Uint8Array> {
  const stream = new Blob([data as BlobPart]).stream().pipeThrough(packer);
  const parts: Uint8Array[] = [];
  let size = 0;
  for (const reader = (stream as ReadableStream<Uint8Array>).getReader(); ;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > most.bytes) throw new RangeError("this file is too large");
    parts.push(value);
  }
  return new Uint8Array(await new Blob(parts as BlobPart[]).arrayBuffer());
}

/** Pack what the house tells of its tables, with the seats of this device. */
export async function packed(tables: string): Promise<Uint8Array> {
  const names = tablesKept().filter(isOwn);
  const seats = Object.fromEntries(names.map((table) => [table, seatsAt(table)]));
  const played = load<PastGame[]>("played", []).filter(({ table }) => isOwn(table));
  const head: Head = { format, seats, played };
  const text = `${JSON.stringify(head)}\n${tables}`;
  return through(new TextEncoder().encode(text), new CompressionStream("gzip"));
}

/** Read a file; throws what is no such file. */
export async function unpacked(data: Uint8Array): Promise<{ head: Head; tables: string }> {
  const found = await through(data, new DecompressionStream("gzip"));
  const text = new TextDecoder("utf-8", { fatal: true }).decode(found);
  const end = text.indexOf("\n");
  return { head: checked(JSON.parse(text.slice(0, end)) as unknown), tables: text.slice(end + 1) };
}

const isSeat = (it: unknown): it is Seat =>
  typeof it === "object" &&
  it !== null &&
  typeof (it as Seat).token === "string" &&
  /^[\w-]{1,100}$/.test((it as Seat).token) &&
  Number.isInteger((it as Seat).seat);

function checked(told: unknown): Head {
  const { format: found, seats, played } = told as Partial<Head>;
  if (found !== format || typeof seats !== "object" || !Array.isArray(played))
    throw new TypeError("this is not a file of tables");
  const own = Object.entries(seats).filter(([table]) => isOwn(table));
  for (const [, held] of own)
    if (!Array.isArray(held) || !held.every(isSeat)) throw new TypeError("these are no seats");
  return {
    format,
    seats: Object.fromEntries(own),
    played: played.slice(0, most.games).filter(isGame),
  };
}

const areFew = (it: unknown): it is unknown[] => Array.isArray(it) && it.length <= most.seats;
const areNumbers = (it: unknown): boolean =>
  areFew(it) && it.every((one) => typeof one === "number");
const isShort = (it: unknown): boolean => typeof it === "string" && it.length <= most.signs;

function isGame(it: unknown): it is PastGame {
  const { table, number, seat, game, names, bots, scores, winners, place, ended } = Object(
    it,
  ) as PastGame;
  return (
    typeof table === "string" &&
    isOwn(table) &&
    isShort(game) &&
    [number, seat, place, ended].every((one) => typeof one === "number") &&
    areFew(names) &&
    names.every(isShort) &&
    areFew(bots) &&
    bots.every((bot) => bot === null || isShort(bot)) &&
    areNumbers(scores) &&
    areNumbers(winners)
  );
}

/** Hold the seats of a file, too, and remember its results; some tables have a new name here. */
export function adopt(
  { seats, played }: Head,
  apart: Record<string, string>,
  here: Record<string, unknown>,
): void {
  for (const [table, name] of Object.entries(apart))
    for (const seat of seatsAt(table)) keepSeat(name, seat);
  for (const [table, held] of Object.entries(seats)) {
    if (!(table in here)) continue; // there is no such table
    const known = new Set(seatsAt(table).map(({ token }) => token));
    for (const seat of held.slice(0, most.seats)) if (!known.has(seat.token)) keepSeat(table, seat);
  }
  for (const game of played) past.add(game);
}

/** Hold no seat at a table of this device any more. */
export function letGo(): void {
  for (const table of tablesKept().filter(isOwn))
    for (const { token } of seatsAt(table)) forgetSeat(table, token);
}
