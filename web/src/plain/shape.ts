// What a view that nobody has drawn a board for consists of: things on the table, and each player's own.

import type { Look } from "../lib/api";

export type Mark = string | number | boolean | null;
/** What a thing shows: a mark, or several; null is its back. */
export type Face = Mark | Mark[];
export type Thing =
  | { kind: "dice"; faces: Face[] }
  | { kind: "cards"; faces: Face[] }
  | { kind: "grid"; rows: Face[][] }
  | { kind: "pile"; high: number; top: Face | undefined }
  | { kind: "word"; word: Mark }
  | { kind: "group"; fields: Field[] };
export interface Field {
  name: string;
  thing: Thing;
}
export interface Shape {
  table: Field[];
  players: Field[][];
}

/** What the head of the table tells already, or the menu. */
const toldElsewhere = new Set(["turn", "options", "over"]);
/** A row of more hidden things than this is shown as a pile. */
const fewHidden = 7;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isMark = (value: unknown): value is Mark => typeof value !== "object" || value === null;
const soundsLikeDice = (name: string) => /(^|_)(dice|die|rolls?|rolled)($|_)/i.test(name);

/** Sort a view into what lies on the table and what belongs to each seat. */
export function shapeOf(
  view: unknown,
  seats: number,
  look: Record<string, Look> = {},
  scores: unknown = null,
): Shape {
  const shape: Shape = { table: [], players: Array.from({ length: seats }, () => []) };
  for (const [name, value] of Object.entries(isObject(view) ? view : {})) {
    if (toldElsewhere.has(name) || sameAs(value, scores)) continue;
    const own = isOfPlayers(name, value, seats, look[name]) ? bySeat(value) : null;
    if (!own) shape.table.push({ name, thing: thingOf(name, value, look[name]) });
    for (const [seat, part] of own ?? [])
      shape.players[seat]?.push({ name, thing: ofPlayer(name, part, look[name]) });
  }
  return shape;
}

const sameAs = (value: unknown, scores: unknown) =>
  scores !== null && JSON.stringify(value) === JSON.stringify(scores);

/** A list as long as the number of seats belongs to the players, unless it is said or looks otherwise. */
function isOfPlayers(name: string, value: unknown, seats: number, look: Look | undefined): boolean {
  if (look === "players") return true;
  if (isObject(value)) {
    const keys = Object.keys(value);
    return keys.length > 0 && keys.every((key) => /^\d$/.test(key) && Number(key) < seats);
  }
  if (!Array.isArray(value) || value.length !== seats) return false;
  const nested = value.every((part) => !isMark(part));
  return nested || look === "numbers" || (look === undefined && !soundsLikeDice(name));
}

function bySeat(value: unknown): [number, unknown][] {
  const found = Array.isArray(value) || isObject(value) ? Object.entries(value) : [];
  return found.map(([seat, part]) => [Number(seat), part]);
}

/** What a player has; of what is hidden one sees the back. */
function ofPlayer(name: string, part: unknown, look: Look | undefined): Thing {
  if (part === null) return { kind: "cards", faces: [null] };
  return thingOf(name, part, look === "players" ? undefined : look);
}

export function thingOf(name: string, value: unknown, look?: Look): Thing {
  if (look === "pile" && typeof value === "number")
    return { kind: "pile", high: value, top: undefined };
  if (look === "pile" && Array.isArray(value)) return pile(value);
  if (look === "dice" || look === "cards") return { kind: look, faces: [value].flat().map(faceOf) };
  if (Array.isArray(value)) return row(name, value);
  if (isObject(value)) return group(Object.entries(value));
  return { kind: "word", word: isMark(value) ? value : null };
}

function row(name: string, things: readonly unknown[]): Thing {
  if (things.some(isObject))
    return group(things.map((thing, at): [string, unknown] => [String(at + 1), thing]));
  if (things.length > fewHidden && things.every((thing) => thing === null)) return pile(things);
  if (isGrid(things)) return { kind: "grid", rows: things.map((line) => line.map(faceOf)) };
  const dice = soundsLikeDice(name) && things.every(isMark);
  return { kind: dice ? "dice" : "cards", faces: things.map(faceOf) };
}

/** Several lines of the same length, longer than a thing has marks. */
const isGrid = (things: readonly unknown[]): things is unknown[][] =>
  things.length > 1 &&
  things.every((line, _, [first]) => {
    const length = Array.isArray(first) ? first.length : 0;
    return Array.isArray(line) && line.length === length && length > 2;
  });

const pile = (things: readonly unknown[]): Thing => ({
  kind: "pile",
  high: things.length,
  top: things.length ? faceOf(things.at(-1)) : undefined,
});

const group = (fields: readonly [string, unknown][]): Thing => ({
  kind: "group",
  fields: fields.map(([name, value]) => ({ name, thing: thingOf(name, value) })),
});

const faceOf = (value: unknown): Face =>
  isMark(value) ? value : (Object.values(value as object).flat(9) as unknown[]).filter(isMark);
