// What is said in the player's language: texts of the catalogue, filled in.

import type house from "../../../src/tischlein/words/en.json";
import { Problem } from "./api";
import { catalogue } from "./catalogue.svelte";
import type { Refused } from "./live.svelte";
import type { Language } from "./prefs.svelte";

export type Key = keyof typeof house;
export type Fields = Record<string, string | number>;

export function fill(text: string, fields: Fields = {}): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) =>
    name in fields ? written(fields[name] ?? "") : whole,
  );
}

function written(value: string | number): string {
  return typeof value === "number" ? number(value) : value;
}

/** What formats in a language: made once, for it takes a while. */
const formats: Partial<
  Record<Language, { numbers: Intl.NumberFormat; plurals: Intl.PluralRules }>
> = {};
const format = () =>
  (formats[catalogue.language] ??= {
    numbers: new Intl.NumberFormat(catalogue.language),
    plurals: new Intl.PluralRules(catalogue.language),
  });

/** The first use of all would hold up the first frame of a game. */
globalThis.addEventListener?.("pointerdown", () => setTimeout(format), { once: true });

/** A number as people write it here, with a real minus sign. */
export function number(value: number): string {
  return format().numbers.format(value).replace("-", "−");
}

/** A share of the win in hundredths; a gain or a loss carries its sign. */
export function percent(share: number, signed = false): string {
  const signDisplay = signed ? "exceptZero" : "auto";
  return new Intl.NumberFormat(catalogue.language, { style: "percent", signDisplay })
    .format(share)
    .replace("-", "−");
}

const isOne = (n: string | number | undefined) =>
  typeof n === "number" && format().plurals.select(n) === "one";

/** The text of the first key that has one; one of a thing may have words of its own. */
function worded(keys: readonly string[], fields: Fields): string | undefined {
  const forms = isOne(fields["n"]) ? keys.flatMap((key) => [`${key}.one`, key]) : keys;
  const text = forms.map((key) => catalogue.find(key)).find((found) => found !== undefined);
  return text === undefined ? undefined : fill(text, fields);
}

/** Say something of the house's own. */
export const say = (key: Key, fields: Fields = {}) => worded([key], fields) ?? readable(key);

/** Say something in a game's words, or else in the house's; a key that nobody has words for is made readable. */
export const tell = (game: string, key: string, fields: Fields = {}) =>
  worded([`${game}.${key}`, key], fields) ?? readable(key);

/** What something is, after its name: every language sets its own colon. */
export const labelled = (name: string, deed: string) => say("did", { name, deed });

/** How one game says something. */
export const teller =
  <K extends string>(game: string) =>
  (key: K, fields: Fields = {}) =>
    tell(game, key, fields);

/** Whether a game, or the house for it, has words for something. */
export const hasWords = (game: string, key: string) =>
  catalogue.find(`${game}.${key}`) !== undefined || catalogue.find(key) !== undefined;

/** What a game is called. */
export const titleOf = (game: string) => worded([`${game}.title`], {}) ?? readable(game);

/** A name of something in a program, as people would write it. */
export function readable(key: string): string {
  const last = key.slice(key.lastIndexOf(".") + 1);
  const words = last
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .replaceAll("_", " ")
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The name of a bot's level; one that we do not know yet is shown as it is. */
export const level = (name: string) => worded([`level.${name}`], {}) ?? name;

/** What one of a level's bots is called, if we know that level. */
export const botName = (name: string, n: number) => worded([`bot_name.${name}.${n}`], {});

/** How a level plays a game, in a sentence or two; nothing of one that we do not know yet. */
export const botWay = (game: string, name: string) =>
  worded([`${game}.bot_way.${name}`, `level_about.${name}`], {}) ?? "";

export function list(names: string[], type: Intl.ListFormatType = "conjunction"): string {
  return new Intl.ListFormat(catalogue.language, { type }).format(names);
}

/** A day, as people write it here. */
export const dayOf = (ms: number) =>
  new Intl.DateTimeFormat(catalogue.language, { dateStyle: "medium" }).format(ms);

/** Word a refusal: with names in place of seat numbers where we can. */
export function whyNot(game: string, { code, reason, fields }: Refused, names: string[]): string {
  const seat = Number(fields["turn"] ?? fields["seat"] ?? -1);
  const known = { ...(fields as Fields), name: names[seat] ?? "?" };
  const keys = ["why", "reason"].flatMap((kind) => [`${game}.${kind}.${code}`, `${kind}.${code}`]);
  return sentence(worded(keys, known) ?? reason);
}

const sentence = (text: string) =>
  text.charAt(0).toUpperCase() + text.slice(1) + (/[.!?]$/.test(text) ? "" : ".");

/** Word why the server did not do it, kindly where we can. */
export function trouble(error: unknown): string {
  if (!(error instanceof Problem)) return say("failed", { reason: String(error) });
  if (error.code === "no_server") return say("serverGone");
  if (error.code.startsWith("here.")) return say(error.code as Key);
  return worded([`why.${error.code}`], {}) ?? say("failed", { reason: error.message });
}
