// What this device remembers: nickname, language, light or dark, sound, letters on colours, and the seats it holds.

import type { Kept } from "./sealing";

export const languages = ["en", "de", "fr", "it"] as const;
export type Language = (typeof languages)[number];
export type Theme = "auto" | "light" | "dark";
export interface Seat {
  token: string;
  seat: number;
}

function load<T>(key: string, otherwise: T): T {
  try {
    const found = localStorage.getItem(`tischlein.${key}`);
    return found === null ? otherwise : (JSON.parse(found) as T);
  } catch {
    return otherwise;
  }
}

function keep(key: string, value: unknown): void {
  try {
    localStorage.setItem(`tischlein.${key}`, JSON.stringify(value));
  } catch {
    // a browser that keeps nothing still plays
  }
}

export function browserLanguage(wanted: readonly string[]): Language {
  for (const tag of wanted) {
    const found = languages.find((language) => tag.toLowerCase().startsWith(language));
    if (found) return found;
  }
  return "en";
}

const guests = ["Nori", "Wasabi", "Mochi", "Sesam", "Ingwer", "Tofu", "Miso", "Yuzu"];
const anyOf = (names: string[]) => names[Math.floor(Math.random() * names.length)] ?? "Nori";

class Prefs {
  name = $state(load("name", anyOf(guests)));
  language = $state<Language>(load("language", browserLanguage(navigator.languages)));
  theme = $state<Theme>(load<Theme>("theme", "auto"));
  sound = $state(load("sound", true));
  letters = $state(load("letters", false));
  explain = $state(load("explain", true));
  hints = $state<Record<string, boolean>>(load("hints", {}));

  setName(name: string): void {
    this.name = name;
    keep("name", name);
  }
  /** A guest who has chosen no name gets another one where somebody has it already. */
  giveWay(taken: readonly string[]): void {
    if (guests.includes(this.name) && taken.includes(this.name))
      this.setName(anyOf(guests.filter((guest) => !taken.includes(guest))));
  }
  setLanguage(language: Language): void {
    this.language = language;
    keep("language", language);
  }
  setTheme(theme: Theme): void {
    this.theme = theme;
    keep("theme", theme);
  }
  setSound(sound: boolean): void {
    this.sound = sound;
    keep("sound", sound);
  }
  setLetters(letters: boolean): void {
    this.letters = letters;
    keep("letters", letters);
  }
  /** Explain each game once, from now on or never. */
  setExplain(explain: boolean): void {
    this.explain = explain;
    keep("explain", explain);
    if (!explain) return;
    this.hints = {};
    keep("hints", this.hints);
  }
  seen(hint: string): void {
    this.hints = { ...this.hints, [hint]: true };
    keep("hints", this.hints);
  }
}

export const prefs = new Prefs();
prefs.setName(prefs.name); // a guest keeps the name that chance gave

/** The seats of this device at a table; several when it is passed round. */
export function seatsAt(table: string): Seat[] {
  return [load<Seat | Seat[]>(`seat.${table}`, [])].flat();
}
export function keepSeat(table: string, { seat, token }: Seat): void {
  keep(`seat.${table}`, [...seatsAt(table), { seat, token }]);
}
export function forgetSeat(table: string, token: string): void {
  const others = seatsAt(table).filter((seat) => seat.token !== token);
  if (others.length) keep(`seat.${table}`, others);
  else
    try {
      localStorage.removeItem(`tischlein.seat.${table}`);
    } catch {
      // nothing was kept
    }
}

const mostWords = 60;
/** Words of this page: a browser that keeps nothing must still open what it has sealed. */
let words = load<Kept[]>("words", []);

/** The words that this device has sealed, the newest last. */
export function wordsKept(): Kept[] {
  const others = load<Kept[]>("words", []).filter((kept) =>
    words.every((mine) => mine.seal !== kept.seal),
  );
  return [...others, ...words];
}
/** Keep a word, or what was noted with it, so that a reload can still open it. */
export function keepWord(word: Kept): void {
  words = [...wordsKept().filter((kept) => kept.seal !== word.seal), word].slice(-mostWords);
  keep("words", words);
}
