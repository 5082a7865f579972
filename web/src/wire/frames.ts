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
  Hold: Hold;
  React: React;
  StateFrame: StateFrame;
  News: News;
  Scene: Scene;
  ToldFrame: ToldFrame;
  RefusedFrame: RefusedFrame;
  Reaction: Reaction;
  Pong: Pong;
  Advice: Advice;
  ToldLesson: ToldLesson;
  Account: Account;
  Mistake: Mistake;
  Verdict: Verdict;
  ToldPrimer: ToldPrimer;
  Stand: Stand;
  ToldStep: ToldStep;
  Word: Word;
  Shown: Shown;
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
  wishes: number[];
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
  holds: boolean;
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
 *
 *     With `steps` every state tells the moves since the last one by one.
 *     `hold`: wait for me from the start. `pings`: who falls silent after that counts as away.
 *     `reactions`: let me see them.
 */
export interface Hello {
  type: "hello";
  token?: string | null;
  seq?: number;
  game?: number | null;
  steps?: boolean;
  hold?: boolean;
  pings?: boolean;
  reactions?: boolean;
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
 * Let bots and the next roll wait for me, or no longer.
 */
export interface Hold {
  type: "hold";
  on: boolean;
}
/**
 * Show everybody how one feels; `again`, when the game is over: I want to play once more.
 */
export interface React {
  type: "react";
  with: ("angry" | "clap" | "cry" | "heart" | "laugh" | "wow") | "again";
  id?: string | number | null;
}
/**
 * The frame as it is sent; `now` is the server's time in ms, `log` the moves since the last.
 *
 *     `news` is what these moves tell; a `story` takes the place of all that was told before. `steps`,
 *     for who asked for them, are those of the moves that tell something, each with what is seen then.
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
  steps?: Scene[];
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
 * One move as it is shown: the move, what is seen after it, who is to move, what it tells.
 */
export interface Scene {
  move: {
    [k: string]: unknown;
  };
  view: unknown;
  to_move: (number | "nature")[];
  news: News[];
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
 * How somebody at the table feels just now.
 */
export interface Reaction {
  type: "reaction";
  seat: number;
  with: "angry" | "clap" | "cry" | "heart" | "laugh" | "wow";
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
 *
 *     The move is the first in `worth`; `equal` are the places there of those about as good.
 */
export interface Advice {
  move: unknown;
  told: string;
  why: string;
  worth: [string, number][];
  equal: number[];
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
  verdicts: Verdict[];
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
/**
 * What the coach says to a seat first, and which of the mistakes it should look at.
 */
export interface Verdict {
  says: string[];
  lessons: number[];
}
/**
 * A primer as a client gets it: all that seat 0 will see, from the first step to the last.
 */
export interface ToldPrimer {
  game: string;
  others: string[];
  options: {
    [k: string]: unknown;
  };
  stand: Stand;
  steps: ToldStep[];
}
/**
 * How things stand for the learner, and what they may do.
 */
export interface Stand {
  view: unknown;
  to_move: (number | "nature")[];
  legal: {
    [k: string]: unknown;
  };
  scores: number[] | null;
  winners: number[];
  ranking: number[][];
  over: boolean;
  racing: boolean;
}
/**
 * A step as it is told: `do` is the move that is waited for, `shown` what happens after it.
 */
export interface ToldStep {
  say: string;
  do: {
    [k: string]: unknown;
  } | null;
  point: Word[];
  cross: Word[];
  counts: boolean;
  shown: Shown[];
  stand: Stand;
}
/**
 * A word of the catalogue, in a field of what is told: worded in the reader's language.
 */
export interface Word {
  word: string;
  fields?: {
    [k: string]: unknown;
  };
}
/**
 * A move as the learner sees it: the move, what is seen after it, and what it tells.
 */
export interface Shown {
  move: {
    [k: string]: unknown;
  };
  view: unknown;
  to_move: (number | "nature")[];
  news: News[];
}
