// The server's HTTP interface.

import type { News } from "./news";
import type { Rule } from "./options";
import { asShown } from "./shown";
import type {
  Advice,
  Held,
  OpenTable,
  PlayAgain,
  TableInfo,
  ToldLesson,
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

async function call<T>(path: string, body?: unknown, token?: string): Promise<T> {
  const headers: Record<string, string> = { "content-type": "application/json" };
  if (token !== undefined) headers["authorization"] = `Bearer ${token}`;
  const init: RequestInit =
    body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
  let answer: Response;
  try {
    answer = await fetch(path, { ...init, headers });
  } catch {
    throw new Problem(0, "no_server", "no server");
  }
  if (answer.ok) return (await answer.json()) as T;
  const told = (await answer.json().catch(() => ({}))) as { error?: string; reason?: string };
  throw new Problem(answer.status, told.error ?? "trouble", told.reason ?? answer.statusText);
}

const of = (game: string, what: string) => `/api/games/${encodeURIComponent(game)}${what}`;
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
  replay: (table: string) => call<{ positions: Position[] }>(at(table, "/replay")),
  /** What the coach says, or how much of the game it has looked at so far. */
  coach: (table: string, language: string) =>
    call<ToldLesson | { done: number }>(at(table, `/coach?lang=${language}`)).then(asShown),
  hint: (table: string, token: string, language: string) =>
    call<Advice>(at(table, `/hint?lang=${language}`), undefined, token).then(asShown),
  recordAddress: (table: string) => at(table, "/record"),
  qrAddress: (text: string) => `/api/qr?text=${encodeURIComponent(text)}`,
};
