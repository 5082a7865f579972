// What happened, in words: the news that the server tells, filled in for the reader.

import type { TableInfo } from "../wire/frames";
import type { Frame } from "./live.svelte";
import { stillTold, type Field, type News } from "./news";
import { level, number, say, tell } from "./words";

/** What somebody is called; bots are called by their level, in the reader's language. */
export function nameAt({ seats }: TableInfo, seat: number): string {
  const found = seats[seat];
  if (found?.bot) return `${level(found.bot)} ${seat + 1}`;
  return found?.name ? isolated(found.name) : say("seat", { n: seat + 1 });
}
/** A name that is read from right to left keeps its direction to itself. */
const isolated = (name: string) =>
  /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/.test(name) ? `\u2068${name}\u2069` : name;
export const nameOf = (frame: Frame, seat: number) => nameAt(frame.table, seat);
export const namesOf = (frame: Frame) => frame.table.seats.map((_, seat) => nameOf(frame, seat));

/** Go on with a story, or begin it anew where the frame tells all of it; after the end nothing fades. */
export function goOn(told: readonly News[], { news, story, over }: Frame): News[] {
  if (story) return story;
  return over ? [...told, ...news] : stillTold([...told, ...news]);
}

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
