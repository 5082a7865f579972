// What happened, in words: the news that the server tells, filled in for the reader.

import type { TableInfo } from "../wire/frames";
import { calledAt, personAt } from "./cast.svelte";
import type { Frame } from "./live.svelte";
import type { Field, News } from "./news";
import { botName, number, say, tell } from "./words";

/** What somebody is called; a bot has a name of its own, by its level and seat. */
export function nameAt({ table, seats, cup }: TableInfo, seat: number): string {
  const found = seats[seat];
  if (found?.bot) return calledAt(found.bot, seat);
  if (!found?.name) return say("seat", { n: seat + 1 });
  return personAt(table, seat, found.name, cup) ?? isolated(found.name);
}
/** A name that is read from right to left keeps its direction to itself. */
export const isolated = (name: string) =>
  /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/.test(name) ? `\u2068${name}\u2069` : name;
/** The level and the seat of a bot that is called so over the wire and in records. */
export function botIn(name: string): { level: string; seat: number } | null {
  const [, called, n] = /^([A-Z][a-z]+) (\d)$/.exec(name) ?? [];
  const level = called?.toLowerCase() ?? "";
  return n && botName(level, 1) !== undefined ? { level, seat: Number(n) - 1 } : null;
}
export const nameOf = (frame: Frame, seat: number) => nameAt(frame.table, seat);
export const namesOf = (frame: Frame) => frame.table.seats.map((_, seat) => nameOf(frame, seat));

/** A piece of news as a sentence. */
export const worded = ({ table }: Frame, { key, fields = {} }: News) =>
  tell(table.game, key, filled(table, fields));

function filled(table: TableInfo, fields: Record<string, Field>): Record<string, string | number> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [
      name,
      typeof field === "number" ? field : said(table, field),
    ]),
  );
}

function said(table: TableInfo, field: Field): string {
  if (typeof field === "string") return field;
  if (typeof field === "number") return number(field);
  if ("seat" in field) return nameAt(table, field.seat);
  if ("word" in field) return tell(table.game, field.word, filled(table, field.fields ?? {}));
  return field.map((part) => said(table, part)).join(", ");
}
