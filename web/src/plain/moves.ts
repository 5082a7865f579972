// Legal moves of a game that nobody has drawn a board for, as buttons.

import type { Frame } from "../lib/live.svelte";
import { nameOf } from "../lib/story";
import { hasWords, number, readable, tell } from "../lib/words";

export type Move = { do: string } & Record<string, unknown>;
export interface Deed {
  name: string;
  moves: Move[];
}

/** Moves of one kind together, in the order in which they come. */
export function deeds(legal: readonly Move[]): Deed[] {
  const found = new Map<string, Move[]>();
  for (const move of legal) found.set(move.do, [...(found.get(move.do) ?? []), move]);
  return [...found].map(([name, moves]) => ({ name, moves }));
}

const aboutSeats = new Set(["seat", "from", "to", "of", "player", "target", "victim", "opponent"]);

/** A thing of a view or a move as people say it. */
export function wordOf(game: string, field: string, value: unknown): string {
  if (typeof value === "number") return number(value);
  if (typeof value === "boolean") return value ? "✓" : "–";
  if (value === null || value === undefined) return "–";
  if (Array.isArray(value)) return value.map((part) => wordOf(game, field, part)).join(", ") || "–";
  if (typeof value === "object") return wordOf(game, field, Object.values(value));
  const text = String(value);
  const key = [`${field}.${text}`, `face.${text}`].find((one) => hasWords(game, one));
  if (key) return tell(game, key);
  return /^[a-z]+(_[a-z]+)*$/.test(text) ? readable(text) : text;
}

function fieldsOf(frame: Frame, move: Move): Record<string, string> {
  const fields = Object.entries(move).filter(([name]) => name !== "do");
  return Object.fromEntries(
    fields.map(([name, value]) => [
      name,
      aboutSeats.has(name) && typeof value === "number" && value in frame.table.seats
        ? nameOf(frame, value)
        : wordOf(frame.table.game, name, value),
    ]),
  );
}

/** What a kind of move is called. */
export function deedWords(game: string, deed: string): string {
  const known = `deed.${deed}`;
  const text = hasWords(game, known) ? tell(game, known) : "";
  return text && !text.includes("{") ? text : readable(deed);
}

/** What is written on a move's button: the game's words with its fields, or its name and its fields. */
export function moveWords(frame: Frame, move: Move): string {
  const { game } = frame.table;
  const fields = fieldsOf(frame, move);
  const known = `deed.${move.do}`;
  const rest = Object.values(fields).join(" · ");
  if (!hasWords(game, known)) return [readable(move.do), rest].filter(Boolean).join(": ");
  const text = tell(game, known, fields);
  const said = text.charAt(0).toUpperCase() + text.slice(1);
  return rest && text === tell(game, known) ? `${said}: ${rest}` : said;
}
