// The server's HTTP interface.

import type { News } from "./news";
import type { Rule } from "./options";
import { prefs } from "./prefs.svelte";
import { reach, reachHere } from "./reach";
import { asShown } from "./shown";
import { isHere, isSite } from "./site";
import type {
  Advice,
  Board,
  Carried,
  Held,
  Looked,
  Marked,
  MyCarried,
  OpenTable,
  OpenTables,
  OwnRatings,
  PlayAgain,
  Seek,
  TableInfo,
  ToldFigures,
  ToldGames,
  ToldLesson,
  ToldMine,
  ToldPrimer,
} from "../wire/frames";

/** One player after another; things that seats hide from each other; quick hands. */
export type Trait = "turns" | "secrets" | "race";
export type Look = "dice" | "cards" | "pile" | "numbers" | "players";
export interface GameInfo {
  game: string;
  seats: { fewest: number; most: number };
  options: Record<string, Rule>;
  bots: string[];
  has: Trait[];
  /** The house rule that takes the race away: then all decide in secret. */
  calm?: string | null;
  /** How the fields of a view are to be drawn, where the game says so. */
  look: Record<string, Look>;
  /** Whether it can be learnt by playing. */
  primer: boolean;
}

/** A finished game, position by position. */
export interface Replayed {
  game: string;
  seats: string[];
  bots: (string | null)[];
  options: Record<string, unknown>;
  positions: Position[];
}

/** A position of a finished game, as the referee sees it. */
export interface Position {
  move: ({ by: number | "nature"; do: string } & Record<string, unknown>) | null;
  view: unknown;
  to_move: (number | "nature")[];
  scores: number[];
  winners: number[];
  news: News[];
}

export class Problem extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    reason: string,
  ) {
    super(reason);
  }
}

export const call = <T>(path: string, body?: unknown, token?: string): Promise<T> =>
  ask<T>(reach, path, body, token);
const callHere = <T>(path: string, body: unknown): Promise<T> => ask<T>(reachHere, path, body);

async function ask<T>(way: typeof reach, path: string, body?: unknown, token?: string): Promise<T> {
  const headers: Record<string, string> = { "content-type": "application/json" };
  if (token !== undefined) headers["authorization"] = `Bearer ${token}`;
  if (prefs.login) headers["x-login"] = prefs.login;
  const init: RequestInit =
    body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
  let answer: Response;
  try {
    answer = await way(path, { ...init, headers });
  } catch (error) {
    const said = error instanceof Error ? error.message : "";
    throw new Problem(0, said.startsWith("here.") ? said : "no_server", "no server");
  }
  if (answer.ok) return (await answer.json()) as T;
  const told = (await answer.json().catch(() => ({}))) as { error?: string; reason?: string };
  if (told.error === "not_known" && headers["x-login"]) {
    if (prefs.login === headers["x-login"]) prefs.setLogin(""); // it was ended on another device
    if (!path.startsWith("/api/me")) return ask(way, path, body, token);
  }
  throw new Problem(answer.status, told.error ?? "trouble", told.reason ?? answer.statusText);
}

/** How tables stand, those of this device and those of the server. */
async function mine(seats: [table: string, token: string][]): Promise<ToldMine> {
  if (isSite || !seats.some(([table]) => isHere(table))) return call("/api/mine", { seats });
  const of = (here: boolean) =>
    seats.flatMap((seat, place) => (isHere(seat[0]) === here ? [{ seat, place }] : []));
  const [own, others] = [of(true), of(false)];
  const asked = await Promise.all([
    callHere<ToldMine>("/api/mine", { seats: own.map(({ seat }) => seat) }),
    others.length || prefs.login
      ? call<ToldMine>("/api/mine", { seats: others.map(({ seat }) => seat) }).catch(() => null)
      : null,
  ]);
  const gone = [own, others].flatMap((some, n) =>
    (asked[n]?.gone ?? []).flatMap((place) => some[place]?.place ?? []),
  );
  return { tables: asked.flatMap((told) => told?.tables ?? []), gone };
}

const of = (game: string, what: string) => `/api/games/${encodeURIComponent(game)}${what}`;
const own = (table: string) => `/api/me/tables/${encodeURIComponent(table)}`;
const at = (table: string, what: string) => `/api/tables/${encodeURIComponent(table)}${what}`;

export const api = {
  games: () => call<GameInfo[]>("/api/games"),
  /** The words and the rules of a game that this page was not built with. */
  words: (game: string, language: string) =>
    call<Record<string, string>>(of(game, `/words?lang=${language}`)),
  rules: (game: string, language: string) =>
    call<{ text: string }>(of(game, `/rules?lang=${language}`)),
  /** A first game to learn it by playing. */
  primer: (game: string) => call<ToldPrimer>(of(game, "/primer")),
  address: () => call<{ near: string[] }>("/api/address"),
  table: (table: string) => call<TableInfo>(at(table, "")),
  open: (wanted: OpenTable) => call<Held>("/api/tables", wanted),
  /** The tables that wait for anybody. */
  openTables: () => call<OpenTables>("/api/open"),
  /** Sit down with others who look for the same game. */
  seek: (wanted: Seek) => call<Held>("/api/seek", wanted),
  /** Ask for a table of strangers that is nearer to its start; null: stay. */
  look: (table: string, token: string) => call<Looked>(at(table, "/look"), {}, token),
  /** Take bots in the empty seats, at a table of strangers. */
  fill: (table: string, token: string) => call<TableInfo>(at(table, "/fill"), {}, token),
  /** Open one's table to everybody, or no longer. */
  publish: (table: string, token: string, on: boolean) =>
    call<TableInfo>(at(table, "/public"), { on }, token),
  sit: (table: string, name: string) => call<Held>(at(table, "/seats"), { name }),
  bot: (table: string, token: string, seat: number, bot: string | null) =>
    call<TableInfo>(at(table, "/bots"), { seat, bot }, token),
  handicap: (table: string, token: string, seat: number, handicap: number) =>
    call<TableInfo>(at(table, "/handicap"), { seat, handicap }, token),
  /** Name the seat that begins, or with null leave it to chance. */
  starter: (table: string, token: string, seat: number | null) =>
    call<TableInfo>(at(table, "/starter"), { seat }, token),
  start: (table: string, token: string) => call<TableInfo>(at(table, "/start"), {}, token),
  relieve: (table: string, token: string, seat: number) =>
    call<TableInfo>(at(table, "/relief"), { seat }, token),
  /** Choose who plays for oneself when one is away. */
  standIn: (table: string, token: string, bot: string) =>
    call<TableInfo>(at(table, "/stand-in"), { bot }, token),
  /** Give another player's seat back to the table. */
  remove: (table: string, token: string, seat: number) =>
    call<TableInfo>(at(table, "/remove"), { seat }, token),
  /** Show the seal of a word for the dice; open the word when the table opens all. */
  seal: (table: string, token: string, seal: string) =>
    call<TableInfo>(at(table, "/contribution"), { seal }, token),
  unseal: (table: string, token: string, text: string, salt: string) =>
    call<TableInfo>(at(table, "/contribution"), { text, salt }, token),
  again: (table: string, token: string, starter: NonNullable<PlayAgain["starter"]>) =>
    call<TableInfo>(at(table, "/rematch"), { starter }, token),
  leave: (table: string, token: string) => call<TableInfo>(at(table, "/leave"), {}, token),
  /** A finished game of a table, by its number there. */
  replay: (table: string, game: number) => call<Replayed>(at(table, `/replay?game=${game}`)),
  /** What the coach says, or how much of the game it has looked at so far. */
  coach: (table: string, game: number, language: string) =>
    call<ToldLesson | { done: number }>(at(table, `/coach?game=${game}&lang=${language}`)).then(
      asShown,
    ),
  /** How the tables stand at which this device has seats, or its profile. */
  mine,
  /** A token for one's own seat at a table where another device sat down. */
  key: (table: string) => call<Held>(at(table, "/key"), {}),
  myGames: (before: string | null) =>
    call<ToldGames>(`/api/me/games${before ? `?before=${encodeURIComponent(before)}` : ""}`),
  myFigures: () => call<ToldFigures>("/api/me/figures"),
  figures: (games: [table: string, game: number, seat: number][]) =>
    call<ToldFigures>("/api/figures", { games }),
  /** The tables of devices that the server keeps for us, and one of them. */
  carried: () => call<MyCarried>("/api/me/tables"),
  carriedTable: (table: string) => call<Carried>(own(table)),
  carry: (table: string, sent: { entries: string[]; seats: [number, string][]; was: string }) =>
    call<Marked>(own(table), sent),
  hint: (table: string, token: string, language: string) =>
    call<Advice>(at(table, `/hint?lang=${language}`), undefined, token).then(asShown),
  /** The best in a game, of all time or in a month, and one's own place. */
  board: (game: string, season: string) =>
    call<Board>(`/api/boards/${encodeURIComponent(game)}?season=${season}`),
  ratings: () => call<OwnRatings>("/api/me/ratings"),
  recordAddress: (table: string) => at(table, "/record"),
  qrAddress: (text: string) => `/api/qr?text=${encodeURIComponent(text)}`,
};
