// House rules as the server describes them: what may be chosen, and how it is said.

import type { TableInfo } from "../wire/frames";
import { nameAt } from "./story";
import { number, say, tell } from "./words";

export type Value = boolean | number | number[];

/** What the server tells of a house rule, as JSON Schema. */
export interface Rule {
  type?: string;
  default?: unknown;
  examples?: Value[];
  prefixItems?: { minimum: number; maximum: number }[];
}

/** Up to how many ms of a far player's line are made up for; null is as much as the server does. */

export const lagCaps = [
  { value: null, word: "far.full" },
  { value: 150, word: "far.little" },
  { value: 0, word: "far.none" },
] as const;

const isSeat = (name: string) => name === "starter"; // chosen where everybody sees who sits down
export const label = (game: string, name: string) => tell(game, `option.${name}`);

/** The house rules that can be chosen: on or off, one of some values, or numbers of one's own. */
export const offered = (rules: Record<string, Rule>) =>
  Object.entries(rules).filter(
    ([name, { type, examples, prefixItems }]) =>
      !isSeat(name) && (type === "boolean" || examples || prefixItems),
  );

/** A value as people say it; times are in seconds. */
export function inWords(name: string, value: Value): string {
  if (Array.isArray(value)) return value.map(number).join(", ");
  return name.endsWith("_ms") ? say("secondsLeft", { n: Number(value) / 1000 }) : String(value);
}

type Ruled = Pick<TableInfo, "game" | "options" | "hints"> & { lag_cap?: number | null };

/** What the host has chosen for a table, each rule in words. */
export function houseRules(table: Ruled): string[] {
  const { game, options, hints, lag_cap: cap = null } = table;
  const chosen = Object.entries(options).flatMap(([name, value]) => {
    if (isSeat(name) || value === false) return [];
    if (value === true) return label(game, name);
    return say("optionIs", { name: label(game, name), value: inWords(name, value as Value) });
  });
  const helped = say(cap ? "far.little" : "far.none");
  const far = cap === null ? [] : [say("optionIs", { name: say("farFriends"), value: helped })];
  return [...chosen, ...far, ...(hints ? [say("mayAsk")] : [])];
}

/** Who begins at a table. */
export function whoBegins(table: TableInfo): string {
  const seat = table.options["starter"];
  return typeof seat === "number"
    ? say("begins", { name: nameAt(table, seat) })
    : say("chanceBegins");
}

/** Read whole numbers with spaces or commas between them; null if they do not fit the rule. */
export function readNumbers(text: string, places: NonNullable<Rule["prefixItems"]>) {
  const found = text
    .replaceAll("−", "-")
    .split(/[\s,;]+/)
    .filter(Boolean);
  const fit = places.every(({ minimum, maximum }, i) => {
    const value = found[i] ?? "";
    return /^[+-]?\d+$/.test(value) && Number(value) >= minimum && Number(value) <= maximum;
  });
  return fit && found.length === places.length ? found.map(Number) : null;
}
