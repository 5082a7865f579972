// Words in the player's language: the client's own catalogue, and the one it shares with the server.

import serverDe from "../../../src/tischlein/words/de.json";
import serverEn from "../../../src/tischlein/words/en.json";
import serverFr from "../../../src/tischlein/words/fr.json";
import serverIt from "../../../src/tischlein/words/it.json";
import type { RefusedFrame } from "../wire/frames";
import { de } from "../words/de";
import { en, type Catalogue } from "../words/en";
import { fr } from "../words/fr";
import { it } from "../words/it";
import { Problem } from "./api";
import { prefs, type Language } from "./prefs.svelte";
import { typeset } from "./typeset";

export type Key = keyof Catalogue;
type ServerWords = Record<keyof typeof serverEn, string>;
export type ServerKey = keyof ServerWords;
export type Fields = Record<string, string | number>;

const own: Record<Language, Catalogue> = { en, de, fr, it };
const shared: Record<Language, ServerWords> = {
  en: serverEn,
  de: serverDe,
  fr: serverFr,
  it: serverIt,
};

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
  (formats[prefs.language] ??= {
    numbers: new Intl.NumberFormat(prefs.language),
    plurals: new Intl.PluralRules(prefs.language),
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
  return new Intl.NumberFormat(prefs.language, { style: "percent", signDisplay })
    .format(share)
    .replace("-", "−");
}

const isOne = (n: string | number | undefined) =>
  typeof n === "number" && format().plurals.select(n) === "one";

/** Say something of the client's own; one of a thing may have words of its own. */
export function say(key: Key, fields: Fields = {}): string {
  const one = `${key}.one`;
  const form = isOne(fields["n"]) && one in en ? (one as Key) : key;
  return fill(typeset(own[prefs.language][form], prefs.language), fields);
}

/** Say something that terminal and browser word alike: foods, faces, what was done. */
export function tell(key: ServerKey, fields: Fields = {}): string {
  return fill(typeset(shared[prefs.language][key], prefs.language), fields);
}

/** The name of a bot's level; one that we do not know yet is shown as it is. */
export function level(name: string): string {
  const key = `level.${name}`;
  return key in en ? say(key as Key) : name;
}

/** What a level is like, in a sentence; nothing of one that we do not know yet. */
export function levelAbout(name: string): string {
  const key = `levelAbout.${name}`;
  return key in en ? say(key as Key) : "";
}

export function list(names: string[], type: Intl.ListFormatType = "conjunction"): string {
  return new Intl.ListFormat(prefs.language, { type }).format(names);
}

/** Word a refusal: with names in place of seat numbers where we can. */
export function whyNot(refused: Pick<RefusedFrame, "code" | "reason" | "fields">, names: string[]) {
  const fields = refused.fields as Fields;
  const mine = `why.${refused.code}`;
  if (mine in en) {
    const seat = Number(fields["turn"] ?? fields["seat"] ?? -1);
    return say(mine as Key, { ...fields, name: names[seat] ?? "?" });
  }
  const words = shared[prefs.language] as Record<string, string>;
  const sentence = words[`reason.${refused.code}`];
  const text = sentence === undefined ? refused.reason : fill(sentence, fields);
  return text.charAt(0).toUpperCase() + text.slice(1) + (/[.!?]$/.test(text) ? "" : ".");
}

/** Word why the server did not do it, kindly where we can. */
export function trouble(error: unknown): string {
  if (!(error instanceof Problem)) return say("failed", { reason: String(error) });
  const mine = `why.${error.code}`;
  if (error.code === "no_server") return say("serverGone");
  return mine in en ? say(mine as Key) : say("failed", { reason: error.message });
}
