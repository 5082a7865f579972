// What the page and the worker say to each other; a call, a line and its frames travel as JSON text.

/** What keeps the tables of this device from coming up. */
export type Hindrance =
  /** There is no room to keep the tables. */
  | "full"
  /** Python has never been here, and cannot be had now. */
  | "absent"
  /** What was kept of the tables cannot be read. */
  | "broken"
  /** A newer version of this page has written it. */
  | "newer"
  | "trouble";

/** How far Python has come: bytes of it that are here, then what is being done. */
export type State =
  | { kind: "loading"; done: number; all: number }
  | { kind: "starting" }
  /** `keeps`: whether the browser keeps what is played; `full`: whether there is no room for it just now. */
  | { kind: "ready"; keeps: boolean; full: boolean }
  /** Another tab has the tables of this device; it may be asked for them. */
  | { kind: "elsewhere" }
  /** Another tab has taken them. */
  | { kind: "taken" }
  | { kind: "failed"; why: Hindrance; reason: string };

/** What came of a file: how many tables are new here or went on, and new names of ours that went on apart. */
export interface Brought {
  tables?: number;
  apart?: Record<string, string>;
  /** Tables that stay in the file: somebody plays there just now, or their game is not here. */
  left?: number;
}

/** What came of a table that is here and elsewhere. */
export interface Merged {
  came: "same" | "ours" | "theirs" | "busy";
  /** Its new name as it went on here, and its games that ended since. */
  apart?: string;
  games?: number[];
}

/** The worker says how it is, or passes on what the core told. */
export type FromWorker =
  | State
  | { kind: "told"; text: string }
  | { kind: "answered"; id: number; text: string }
  | { kind: "raw"; data: Uint8Array }
  | { kind: "forgotten" };
export type ToWorker =
  /** `steals`: another tab loses the tables of this device, if it has them. */
  | { kind: "begin"; base: string; games: string[]; patient: boolean; steals: boolean }
  | { kind: "take" }
  | { kind: "hear"; text: string }
  /** Do something with all tables of the device. */
  | { kind: "ask"; id: number; what: string; words: string[] }
  /** Give what is kept as it is, also where it cannot be read. */
  | { kind: "raw" }
  | { kind: "forget" };
