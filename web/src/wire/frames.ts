// Made from the server's types by scripts/wire-types. Do not edit.

export interface All {
  OpenTable: OpenTable;
  TakeSeat: TakeSeat;
  PlaceBot: PlaceBot;
  NameStarter: NameStarter;
  AddWord: AddWord;
  PlayOn: PlayOn;
  PlayAgain: PlayAgain;
  Held: Held;
  TableInfo: TableInfo;
  SeatInfo: SeatInfo;
  Hindrance: Hindrance;
  Hello: Hello;
  MoveFrame: MoveFrame;
  Ping: Ping;
  Ask: Ask;
  StateFrame: StateFrame;
  News: News;
  ToldFrame: ToldFrame;
  RefusedFrame: RefusedFrame;
  Pong: Pong;
  Advice: Advice;
  ToldLesson: ToldLesson;
  Account: Account;
  Mistake: Mistake;
}
/**
 * Open a table; the caller sits in seat 0 and is the host.
 */
export interface OpenTable {
  game: string;
  seats: number;
  /**
   * A nickname, 1 to 24 signs that can be seen.
   */
  name: string;
  options?: {
    [k: string]: unknown;
  };
  bots?: {
    [k: string]: string;
  };
  speed?: "normal" | "quick" | "relaxed";
  hints?: boolean;
  lag_cap?: number | null;
  stand_in?: string | null;
}
/**
 * Take a free seat.
 */
export interface TakeSeat {
  /**
   * A nickname, 1 to 24 signs that can be seen.
   */
  name: string;
}
/**
 * Put a bot in a seat, or with null take it away.
 */
export interface PlaceBot {
  seat: number;
  bot: string | null;
}
/**
 * Name the seat that begins; with null chance will.
 */
export interface NameStarter {
  seat: number | null;
}
/**
 * Seal a word for the dice (`seal`), or open it when the table opens them (`text`, `salt`).
 */
export interface AddWord {
  seal?: string | null;
  text?: string | null;
  salt?: string | null;
}
/**
 * Let a bot play for somebody who is away: the one that they chose.
 */
export interface PlayOn {
  seat: number;
}
/**
 * Set the table once more; who begins: the loser, or chance.
 */
export interface PlayAgain {
  starter?: "chance" | "loser";
}
/**
 * A seat, and the token that holds it.
 */
export interface Held {
  seat: number;
  token: string;
  table: string;
}
/**
 * A table as everybody may know it.
 */
export interface TableInfo {
  table: string;
  game: string;
  phase: "open" | "over" | "playing";
  seats: SeatInfo[];
  host: number;
  options: {
    [k: string]: unknown;
  };
  speed: "normal" | "quick" | "relaxed";
  hints: boolean;
  commitment: string;
  games: number;
  watchers: number;
  lag_cap: number | null;
  opening: boolean;
  held_up: Hindrance[];
}
/**
 * A seat as everybody may know it.
 */
export interface SeatInfo {
  name: string | null;
  bot: string | null;
  relief: string | null;
  here: boolean;
  can_be_relieved: boolean;
  handicap: number;
  lag: number | null;
  contribution: string | null;
  stand_in: string | null;
  sealed: string | null;
  opened: boolean;
}
/**
 * Somebody whose word did not come, so that a start began anew.
 */
export interface Hindrance {
  seat: number;
  name: string;
}
/**
 * The first frame; without a token one watches. `seq`: the last state seen, of game `game`.
 */
export interface Hello {
  type: "hello";
  token?: string | null;
  seq?: number;
  game?: number | null;
}
/**
 * A move; the same id twice is one move. `race`: the `show_at` of the race it is meant for.
 */
export interface MoveFrame {
  type: "move";
  id: string | number;
  move: unknown;
  race?: number | null;
}
/**
 * Asks for the server's time; `echo` is the `t1` of the last pong, to measure the line.
 */
export interface Ping {
  type: "ping";
  t0: number;
  echo?: number | null;
}
/**
 * May I make this move, and if not, why? Nothing is played.
 */
export interface Ask {
  type: "ask";
  id: string | number;
  move: unknown;
}
/**
 * The frame as it is sent; `now` is the server's time in ms, `log` the moves since the last.
 *
 *     `news` is what these moves tell; a `story` takes the place of all that was told before.
 */
export interface StateFrame {
  type: "state";
  view: unknown;
  to_move: unknown;
  scores: unknown;
  winners: unknown;
  ranking: number[][];
  over: boolean;
  table: TableInfo;
  clocks: {
    [k: string]: number;
  };
  race: {
    [k: string]: unknown;
  } | null;
  seq: number;
  seat: number | null;
  legal: {
    [k: string]: unknown;
  };
  log: {
    [k: string]: unknown;
  }[];
  news: News[];
  story: News[] | null;
  now: number;
}
/**
 * What a move tells somebody: a key of the game's words, and fields to fill in.
 *
 *     A field is a text, a number, a Seat, a Word, or a list of these.
 */
export interface News {
  key: string;
  fields?: {
    [k: string]: unknown;
  };
  place?: string;
  touches?: string[];
  faded?: News | null;
}
/**
 * The answer to `ask`: whether the move would be taken now, and if not, why.
 */
export interface ToldFrame {
  type: "told";
  id: string | number;
  legal: boolean;
  reason?: string;
  code?: string;
  fields?: {
    [k: string]: unknown;
  };
}
/**
 * A move or a frame that was refused, with the reason, to its sender alone.
 */
export interface RefusedFrame {
  type: "refused";
  id: string | number | null;
  reason: string;
  code: string;
  fields: {
    [k: string]: unknown;
  };
}
/**
 * The server's time, in milliseconds.
 */
export interface Pong {
  type: "pong";
  t0: number;
  t1: number;
}
/**
 * What the expert would do: the move, in words, why, and what each move is worth.
 */
export interface Advice {
  move: unknown;
  told: string;
  why: string;
  worth: [string, number][];
}
/**
 * What the coach says of a game: the luck ledger, the curve of chances, the mistakes.
 */
export interface ToldLesson {
  game: string;
  names: string[];
  ledger: Account[];
  curve: number[][];
  mistakes: Mistake[];
}
/**
 * Where a seat's share of the win comes from; `start`, `luck`, `own` and `others` sum to it.
 */
export interface Account {
  start: number;
  luck: number;
  own: number;
  others: number;
  share: number;
}
/**
 * A decision that gave something away.
 */
export interface Mistake {
  number: number;
  seat: number;
  told: string;
  better: string;
  why: string;
  lost: number;
}
