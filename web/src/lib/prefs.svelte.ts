// What this device remembers: nickname, language, light or dark, pace, sound, and the seats it holds.

import type { Pace } from "./pace.svelte";
import type { Kept } from "./sealing";

export const languages = ["en", "de", "fr", "it"] as const;
export type Language = (typeof languages)[number];
export type Theme = "auto" | "light" | "dark";
export interface Seat {
  token: string;
  seat: number;
  /** When it was taken, in ms since 1970. */
  at?: number;
}
/** How many bots, and of which level. */
export interface Alone {
  others: number;
  level: string;
}

/** What somebody has chosen, and wants to find on every device. */
export type Settings = Pick<
  Prefs,
  | "language"
  | "theme"
  | "sound"
  | "letters"
  | "pace"
  | "sure"
  | "reactions"
  | "speak"
  | "explain"
  | "alone"
  | "learnt"
>;

const ours = "tischlein.";
/** What the browser would not keep: this page still knows it, so that one can sit down and play. */
const unkept = new Map<string, string>();

/** What this device knows under a name. */
export function load<T>(key: string, otherwise: T): T {
  try {
    const found = unkept.get(key) ?? localStorage.getItem(ours + key);
    return found === null ? otherwise : (JSON.parse(found) as T);
  } catch {
    return otherwise;
  }
}

export function keep(key: string, value: unknown): void {
  const text = JSON.stringify(value);
  try {
    localStorage.setItem(ours + key, text);
    unkept.delete(key);
  } catch {
    unkept.set(key, text);
  }
}

function forget(key: string): void {
  unkept.delete(key);
  try {
    localStorage.removeItem(ours + key);
  } catch {
    // nothing was kept
  }
}

/** The names of all that is known and begins so. */
function known(before: string): string[] {
  let kept: string[] = [];
  try {
    kept = Object.keys(localStorage);
  } catch {
    // nothing was kept
  }
  const names = kept.filter((key) => key.startsWith(ours)).map((key) => key.slice(ours.length));
  return [...new Set([...names, ...unkept.keys()])].filter((key) => key.startsWith(before));
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
  pace = $state<Pace>(load<Pace>("pace", "normal"));
  /** Whether a tap that cannot be taken back wants a second one. */
  sure = $state(load("sure", false));
  /** Whether what others feel floats over the table. */
  reactions = $state(load("reactions", true));
  /** Whether dice are read aloud. */
  speak = $state(load("speak", false));
  explain = $state(load("explain", true));
  hints = $state<Record<string, boolean>>(load("hints", {}));
  /** Whom one plays with alone, by game. */
  alone = $state<Record<string, Alone>>(load("alone", {}));
  /** The games that somebody has learnt here by playing. */
  learnt = $state<Record<string, boolean>>(load("learnt", {}));

  /** What this device says whose profile it speaks for; empty: nobody's. */
  login = $state(load("login", ""));

  /** What one is called: whoever wants no name gets one. */
  get called(): string {
    return this.name.trim() || "Nori";
  }
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
  setPace(pace: Pace): void {
    this.pace = pace;
    keep("pace", pace);
  }
  setSure(sure: boolean): void {
    this.sure = sure;
    keep("sure", sure);
  }
  setReactions(reactions: boolean): void {
    this.reactions = reactions;
    keep("reactions", reactions);
  }
  setSpeak(speak: boolean): void {
    this.speak = speak;
    keep("speak", speak);
  }
  /** Explain each game once, from now on or never. */
  setExplain(explain: boolean): void {
    this.explain = explain;
    keep("explain", explain);
    if (!explain) return;
    this.hints = {};
    keep("hints", this.hints);
  }
  setAlone(game: string, alone: Alone): void {
    this.alone = { ...this.alone, [game]: alone };
    keep("alone", this.alone);
  }
  setLogin(login: string): void {
    this.login = login;
    if (login) keep("login", login);
    else forget("login");
  }
  /** What follows somebody to all their devices. */
  get settings(): Settings {
    const { language, theme, sound, letters, pace, sure, reactions, speak, explain } = this;
    const { alone, learnt } = this;
    return $state.snapshot({
      ...{ language, theme, sound, letters, pace, sure, reactions, speak, explain },
      ...{ alone, learnt },
    });
  }
  /** Take over what was set on another device. */
  adopt(settings: Partial<Settings>): void {
    for (const [key, value] of Object.entries(settings)) {
      if (!(key in this.settings) || typeof value !== typeof this.settings[key as keyof Settings])
        continue;
      Object.assign(this, { [key]: value });
      keep(key, value);
    }
  }
  /** When the settings of a profile were chosen that this device has, in ms since 1970. */
  settingsAt = load("settingsAt", 0);
  setSettingsAt(at: number): void {
    this.settingsAt = at;
    keep("settingsAt", at);
  }
  learn(game: string): void {
    this.learnt = { ...this.learnt, [game]: true };
    keep("learnt", this.learnt);
  }
  seen(hint: string): void {
    this.hints = { ...this.hints, [hint]: true };
    keep("hints", this.hints);
  }
}

export const prefs = new Prefs();

/** What is chosen in one tab is so in all of them. */
globalThis.addEventListener?.("storage", ({ key }: StorageEvent) => {
  if (key === "tischlein.language") prefs.language = load("language", prefs.language);
  if (key === "tischlein.theme") prefs.theme = load("theme", prefs.theme);
  if (key === "tischlein.pace") prefs.pace = load("pace", prefs.pace);
  if (key === "tischlein.login") prefs.login = load("login", "");
  if (key === "tischlein.sound") prefs.sound = load("sound", prefs.sound);
});
prefs.setName(prefs.name); // a guest keeps the name that chance gave

/** The seats of this device at a table; several when it is passed round. */
export function seatsAt(table: string): Seat[] {
  return [load<Seat | Seat[]>(`seat.${table}`, [])].flat();
}
export function keepSeat(table: string, { seat, token }: Seat): void {
  keep(`seat.${table}`, [...seatsAt(table), { seat, token, at: Date.now() }]);
}
/** The tables at which this device has seats, the newest first. */
export function tablesKept(): string[] {
  const tables = known("seat.").map((key) => key.slice("seat.".length));
  const age = (table: string) => Math.max(0, ...seatsAt(table).map(({ at }) => at ?? 0));
  return tables.sort((a, b) => age(b) - age(a));
}
export function forgetTable(table: string): void {
  for (const { token } of seatsAt(table)) forgetSeat(table, token);
}
export function forgetSeat(table: string, token: string): void {
  const others = seatsAt(table).filter((seat) => seat.token !== token);
  if (others.length) keep(`seat.${table}`, others);
  else forget(`seat.${table}`);
}

/** A place in a tournament that this device holds. */
export interface CupPlace {
  name: string;
  token: string;
}
/** The places of this device in a tournament; several when it is passed round. */
export const placesIn = (cup: string): CupPlace[] => load<CupPlace[]>(`cup.${cup}`, []);
export function keepPlace(cup: string, { name, token }: CupPlace): void {
  keep(`cup.${cup}`, [...placesIn(cup), { name, token }]);
}
/** What somebody of this device is called there now. */
export function renamePlace(cup: string, token: string, name: string): void {
  const places = placesIn(cup);
  keep(
    `cup.${cup}`,
    places.map((place) => (place.token === token ? { ...place, name } : place)),
  );
}
/** The tournaments in which this device takes part. */
export const cupsKept = () => known("cup.").map((key) => key.slice("cup.".length));
export function forgetPlace(cup: string, token: string): void {
  const others = placesIn(cup).filter((place) => place.token !== token);
  if (others.length) keep(`cup.${cup}`, others);
  else forget(`cup.${cup}`);
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
