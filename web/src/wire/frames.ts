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
  Seek: Seek;
  Looked: Looked;
  OpenTables: OpenTables;
  OpenOffer: OpenOffer;
  OpenPlayer: OpenPlayer;
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
  WantNudges: WantNudges;
  PushKey: PushKey;
  Nudging: Nudging;
  OpenCup: OpenCup;
  CupHeld: CupHeld;
  CupSelf: CupSelf;
  CupInfo: CupInfo;
  CupMember: CupMember;
  CupTable: CupTable;
  CupStanding: CupStanding;
  Me: Me;
  MyDevice: MyDevice;
  Passkey: Passkey;
  LetIn: LetIn;
  Link: Link;
  PaperCode: PaperCode;
  MySettings: MySettings;
  MyCarried: MyCarried;
  Carrying: Carrying;
  Marked: Marked;
  Carried: Carried;
  Board: Board;
  Standing: Standing;
  OwnRatings: OwnRatings;
  OwnRating: OwnRating;
  AboutHouse: AboutHouse;
  ToldMine: ToldMine;
  MyTable: MyTable;
  ToldGames: ToldGames;
  PastGame: PastGame;
  ToldFigures: ToldFigures;
  CountedGame: CountedGame;
  SummedFigure: SummedFigure;
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
  speed?: "day" | "normal" | "quick" | "relaxed" | "three_days" | "week";
  hints?: boolean;
  lag_cap?: number | null;
  stand_in?: string | null;
  public?: boolean;
  lang?: ("de" | "en" | "fr" | "it") | null;
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
  speed: "day" | "normal" | "quick" | "relaxed" | "three_days" | "week";
  hints: boolean;
  commitment: string;
  games: number;
  watchers: number;
  lag_cap: number | null;
  opening: boolean;
  held_up: Hindrance[];
  wishes: number[];
  public: boolean;
  seek: boolean;
  closed: boolean;
  cup: string | null;
  bots_at: number | null;
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
  takes_bots: boolean;
  late: boolean;
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
 * Play with somebody: sit down with others who look for the same game.
 */
export interface Seek {
  game: string;
  /**
   * A nickname, 1 to 24 signs that can be seen.
   */
  name: string;
  lang?: ("de" | "en" | "fr" | "it") | null;
}
/**
 * Where somebody who waits for others goes; null: stay.
 */
export interface Looked {
  held: Held | null;
}
/**
 * Tables that wait for anybody, the newest first.
 */
export interface OpenTables {
  tables: OpenOffer[];
}
/**
 * A table that waits for anybody; `since` is the server's time in seconds.
 */
export interface OpenOffer {
  table: string;
  game: string;
  seats: number;
  free: number;
  players: OpenPlayer[];
  speed: "day" | "normal" | "quick" | "relaxed" | "three_days" | "week";
  options: {
    [k: string]: unknown;
  };
  hints: boolean;
  lang: ("de" | "en" | "fr" | "it") | null;
  since: number;
  seek: boolean;
}
/**
 * Who sits at an open table: a person's nickname, or a bot's level.
 */
export interface OpenPlayer {
  seat: number;
  name: string | null;
  bot: string | null;
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
/**
 * Tell me that it is my turn, on this browser: its push address and keys, as it gives them.
 */
export interface WantNudges {
  /**
   * Where a push service takes messages.
   */
  endpoint: string;
  p256dh: string;
  auth: string;
  lang?: "de" | "en" | "fr" | "it";
}
/**
 * The key that browsers subscribe to nudges with, in base64url.
 */
export interface PushKey {
  key: string;
}
/**
 * Whether this browser is told.
 */
export interface Nudging {
  on: boolean;
}
/**
 * Open a tournament; the caller is its host. `seats`: at each table.
 */
export interface OpenCup {
  /**
   * 1 to 40 signs.
   */
  name: string;
  game: string;
  seats: number;
  /**
   * A nickname, 1 to 24 signs that can be seen.
   */
  nickname: string;
  mode?: "at_once" | "one_by_one";
  options?: {
    [k: string]: unknown;
  };
}
/**
 * Somebody's place in a tournament: what they are called there, and the token that holds it.
 */
export interface CupHeld {
  cup: string;
  member: number;
  name: string;
  token: string;
}
/**
 * A member's number, and what they are called: whoever runs the house may take a name away.
 */
export interface CupSelf {
  member: number;
  name: string;
}
/**
 * A tournament as everybody may know it; `round` counts from 0.
 */
export interface CupInfo {
  cup: string;
  title: string;
  game: string;
  seats: number;
  options: {
    [k: string]: unknown;
  };
  mode: "at_once" | "one_by_one";
  phase: "open" | "over" | "playing";
  host: number;
  members: CupMember[];
  most: number;
  planned: number;
  round: number;
  rounds: CupTable[][];
  standings: CupStanding[];
  may_begin_at: number;
}
/**
 * Somebody in a tournament; who has left is played for by bots.
 */
export interface CupMember {
  name: string;
  left: boolean;
}
/**
 * A table of a round: who meets there, in the order of seats; bots have the other seats.
 */
export interface CupTable {
  people: number[];
  table: string | null;
  phase: "left_out" | "open" | "over" | "planned" | "playing";
  places: number[];
  scores: number[];
  points: number[];
}
/**
 * How somebody stands; `by` says what puts them ahead of the next with as many points.
 */
export interface CupStanding {
  member: number;
  place: number;
  points: number;
  wins: number;
  played: number;
  by: ("direct" | "level" | "share" | "wins") | null;
}
/**
 * What somebody sees of themselves.
 */
export interface Me {
  profile: string;
  name: string;
  made: number;
  settings: {
    [k: string]: unknown;
  };
  settings_at: number;
  devices: MyDevice[];
  passkeys: Passkey[];
  code: boolean;
}
/**
 * A device that is signed in.
 */
export interface MyDevice {
  id: string;
  device: string;
  made: number;
  seen: number;
  here: boolean;
}
/**
 * A passkey as its owner sees it.
 */
export interface Passkey {
  id: string;
  name: string;
  made: number;
  used: number;
}
/**
 * The login of a device, and for whom it speaks.
 */
export interface LetIn {
  login: string;
  profile: string;
  name: string;
}
/**
 * A code for a second device, and for how many seconds it is good.
 */
export interface Link {
  code: string;
  seconds: number;
}
/**
 * A code to be printed: it is shown once.
 */
export interface PaperCode {
  code: string;
}
/**
 * The settings that are kept, which may be newer than those that were sent.
 */
export interface MySettings {
  settings: {
    [k: string]: unknown;
  };
  settings_at: number;
}
/**
 * The tables of devices that are kept for somebody, whose profile that is.
 */
export interface MyCarried {
  profile: string;
  tables: {
    [k: string]: Carrying;
  };
}
/**
 * Which version of a table is kept, and whether its game still goes on.
 */
export interface Carrying {
  mark: string;
  goes_on: boolean;
}
/**
 * The version of a table that is kept now.
 */
export interface Marked {
  mark: string;
}
/**
 * A table that is carried along: its entries, and the seats that its device holds.
 */
export interface Carried {
  entries: string[];
  seats?: [number, string][];
}
/**
 * The best in a game; `mine`: the caller's own row, wherever it stands.
 */
export interface Board {
  game: string;
  season: string;
  seasons: string[];
  rows: Standing[];
  mine: Standing | null;
}
/**
 * Somebody on a board; who is provisional has no place.
 */
export interface Standing {
  rating: number;
  doubt: number;
  provisional: boolean;
  games: number;
  place: number | null;
  name: string;
  me: boolean;
}
/**
 * One's own ratings, by game.
 */
export interface OwnRatings {
  ratings: OwnRating[];
}
/**
 * One's own rating in a game, and what the last game (`last`: TABLE/NUMBER) has changed.
 */
export interface OwnRating {
  rating: number;
  doubt: number;
  provisional: boolean;
  games: number;
  game: string;
  gained: number;
  last: string;
}
/**
 * Whom to ask here, and for how many seconds what nobody touches is kept.
 */
export interface AboutHouse {
  contact: string;
  tidy_after: number;
  tidy_unplayed_after: number;
  tidy_cups_after: number;
}
/**
 * How one's tables stand, and the places of those seats asked for that are no more.
 */
export interface ToldMine {
  tables: MyTable[];
  gone: number[];
}
/**
 * One of the caller's tables, as they may know it from their seats.
 */
export interface MyTable {
  table: string;
  game: string;
  phase: "open" | "over" | "playing";
  names: (string | null)[];
  bots: (string | null)[];
  seats: number[];
  to_move: number[];
  speed: "day" | "normal" | "quick" | "relaxed" | "three_days" | "week";
  due: number | null;
  number: number;
  scores: number[];
  winners: number[];
  ended: number | null;
  held: boolean;
  host: number;
}
/**
 * Finished games, the newest first; `next` asks for those before them, null: there are none.
 */
export interface ToldGames {
  games: PastGame[];
  next: string | null;
}
/**
 * A finished game of somebody's; `number`: which one of its table, from 1.
 */
export interface PastGame {
  table: string;
  number: number;
  seat: number;
  game: string;
  names: string[];
  bots: (string | null)[];
  scores: number[];
  winners: number[];
  place: number;
  ended: number;
}
/**
 * What there is to look at; `waits`: so many games are still to be counted, ask again.
 */
export interface ToldFigures {
  games: CountedGame[];
  figures: SummedFigure[];
  waits: number;
}
/**
 * A game of somebody's: how many played, what share of the win was theirs, and their luck.
 */
export interface CountedGame {
  table: string;
  number: number;
  seat: number;
  game: string;
  seats: number;
  won: number;
  luck: number | null;
}
/**
 * A figure of all games together; people are counted by their names.
 */
export interface SummedFigure {
  game: string;
  key: string;
  people: boolean;
  counts: {
    [k: string]: number;
  };
  times: number[];
}
