// What a view that nobody has drawn a board for consists of: things on the table, and each player's own.

import type { Look } from "../lib/api";

export type Face = string | number | boolean | null;
export type Thing =
  | { kind: "dice"; faces: Face[] }
  | { kind: "cards"; faces: Face[] }
  | { kind: "pile"; high: number; top: Face | undefined }
  | { kind: "word"; word: Face }
  | { kind: "group"; fields: Field[] };
export interface Field {
  name: string;
  thing: Thing;
}
export interface Shape {
  table: Field[];
  players: Field[][];
}

/** What the head of the table tells already, or the lobby. */
const toldElsewhere = new Set(["turn", "options", "over"]);
/** A row of more hidden things than this is shown as a pile. */
const fewHidden = 7;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isFace = (value: unknown): value is Face => typeof value !== "object" || value === null;
const soundsLikeDice = (name: string) => /(^|_)(dice|die|rolls?|rolled)($|_)/i.test(name);

/** Sort a view into what lies on the table and what belongs to each seat. */
export function shapeOf(view: unknown, seats: number, look: Record<string, Look> = {}): Shape {
  const shape: Shape = { table: [], players: Array.from({ length: seats }, () => []) };
  for (const [name, value] of Object.entries(isObject(view) ? view : {})) {
    if (toldElsewhere.has(name)) continue;
    const own = isOfPlayers(name, value, seats, look[name]) ? bySeat(value) : null;
    if (!own) shape.table.push({ name, thing: thingOf(name, value, look[name]) });
    for (const [seat, part] of own ?? [])
      shape.players[seat]?.push({ name, thing: ofPlayer(name, part, look[name]) });
  }
  return shape;
}

/** A list as long as the number of seats belongs to the players, unless it is said or looks otherwise. */
function isOfPlayers(name: string, value: unknown, seats: number, look: Look | undefined): boolean {
  if (look === "players") return true;
  if (isObject(value)) {
    const keys = Object.keys(value);
    return keys.length > 0 && keys.every((key) => /^\d$/.test(key) && Number(key) < seats);
  }
  if (!Array.isArray(value) || value.length !== seats) return false;
  const nested = value.every((part) => !isFace(part));
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
  return { kind: "word", word: isFace(value) ? value : null };
}

function row(name: string, things: readonly unknown[]): Thing {
  if (things.some(isObject))
    return group(things.map((thing, at): [string, unknown] => [String(at + 1), thing]));
  if (things.length > fewHidden && things.every((thing) => thing === null)) return pile(things);
  const dice = soundsLikeDice(name) && things.every(isFace);
  return { kind: dice ? "dice" : "cards", faces: things.map(faceOf) };
}

const pile = (things: readonly unknown[]): Thing => ({
  kind: "pile",
  high: things.length,
  top: things.length ? faceOf(things.at(-1)) : undefined,
});

const group = (fields: readonly [string, unknown][]): Thing => ({
  kind: "group",
  fields: fields.map(([name, value]) => ({ name, thing: thingOf(name, value) })),
});

/** One thing's face; of a thing with several marks all of them. */
const faceOf = (value: unknown): Face =>
  isFace(value)
    ? value
    : Object.values(value as object)
        .flat()
        .join(" ");
