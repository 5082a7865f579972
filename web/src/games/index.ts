// What each game brings to the page, found by its place; a plain board serves a game without a folder.

import type { Component } from "svelte";
import type { Clock } from "../lib/clock";
import type { Redraw } from "../lib/fair";
import type { Frame, Live, Seen } from "../lib/live.svelte";
import type { News } from "../lib/news";
import type { Sound } from "../lib/sound";
import PlainCover from "../plain/Cover.svelte";

/** How a move is told: for how long, in ms at normal pace, and how loudly. */
export interface Telling {
  /** For so long the table still shows what was before, and lights what counts. */
  lead?: number;
  ms: number;
  /** A moment that nobody must miss. */
  big?: boolean;
  /** The board tells it alone, without a banner. */
  quiet?: boolean;
  /** What the banner words, where the board tells the rest better. */
  words?: readonly News[];
  /** It is about everybody: who likes to tap does so even after a move of their own. */
  shared?: boolean;
  /** It waits, still as it was before, until the player lets it happen. */
  asks?: boolean;
}

/** What is drawn and heard at a table; it is loaded when somebody sits down. */
export interface Table {
  Board: Component<{ live: Live; frame: Frame }>;
  /** What a seat's points are made of. */
  Score: Component<{ frame: Frame; seat: number }>;
  /** How long the points are counted up before it is told who has won, in ms at normal pace. */
  counting?: (frame: Frame) => number;
  /** Something to eat that rains on the winner, the n-th of many. */
  Bite?: Component<{ n: number }>;
  /** The sound of a piece of news, by its key. */
  sounds: Record<string, Sound>;
  /** How a move is told that brings these news; a plain telling serves where there is none. */
  scenes?: (news: readonly News[], move: Seen, after: Frame, before: Frame) => Telling;
  /** Something to try one's hand at before the game. */
  WarmUp?: Component<{ clock: Clock; onclose: () => void }>;
  /** The key of how it goes, with these house rules. */
  hint?: (options: Record<string, unknown>) => string;
  /** What put players with equal points in order, in words. */
  ties?: (frame: Frame) => string[];
  /** The keys that one may press here, for whoever asks. */
  keys?: () => { key: string; text: string }[];
  /** Draws a move of chance again; without it this page cannot check the dice. */
  redraw?: Redraw;
}

/** What is seen of a game before anybody sits down. */
export interface GameFolder {
  /** Where it stands among the games. */
  order: number;
  Cover: Component;
  /** What its drawings are painted with. */
  Patterns?: Component;
  /** Draws a piece of the game by its name, for the rules. */
  pieces?: () => Promise<{ default: Component<{ name: string }> }>;
  table: () => Promise<{ default: Table }>;
}

const folders = Object.fromEntries(
  Object.entries(
    import.meta.glob<GameFolder>("./*/index.ts", { eager: true, import: "default" }),
  ).map(([path, folder]) => [path.split("/")[1] ?? "", folder]),
);

/** The games that this page can draw. */
export const drawn: readonly string[] = Object.keys(folders).sort(inOrder);

/** Those that stand in an order first, then the others by their names. */
export function inOrder(a: string, b: string): number {
  const place = (game: string) => folders[game]?.order ?? Infinity;
  return place(a) < place(b) ? -1 : place(a) > place(b) ? 1 : a.localeCompare(b);
}

export const patterns = Object.values(folders).flatMap(({ Patterns }) => Patterns ?? []);

export const coverOf = (game: string): Component<{ game: string }> =>
  (folders[game]?.Cover as Component<{ game: string }> | undefined) ?? PlainCover;

/** What draws the pieces of a game, if something does. */
export async function piecesOf(game: string): Promise<Component<{ name: string }> | null> {
  return (await folders[game]?.pieces?.())?.default ?? null;
}

export async function tableOf(game: string): Promise<Table> {
  const found = await (folders[game]?.table ?? (() => import("../plain/table")))();
  return found.default;
}
