// Made from the server's types by scripts/wire-types. Do not edit.

export interface All {
  View: View;
  TileView: TileView;
  Deed: Deed;
  Race: Race;
  Verdict: Verdict;
  Shown: Shown;
  Options: Options;
  Deal: Deal;
  Roll: Roll;
  Slap: Slap;
  Grab: Grab;
  Name: Name;
  Pass: Pass;
  Time: Time;
  Give: Give;
}
/**
 * What somebody may see of the table.
 */
export interface View {
  circle: TileView[];
  coins: number[];
  roller: number;
  roll: ["chopsticks" | "rice" | "sushi", "green" | "red" | "yellow"] | null;
  acted: number[];
  deeds: {
    [k: string]: Deed | null;
  };
  owing: number[];
  last: Race | null;
  options: Shown;
}
/**
 * A tile of the circle; its thief is null while it lies plate side up [K23].
 */
export interface TileView {
  /**
   * @minItems 2
   * @maxItems 2
   */
  tile: ["chopsticks" | "rice" | "sushi", "green" | "red" | "yellow"];
  side: "plate" | "thief";
  thief: ("ant" | "cockroach" | "rat") | null;
  owner: number | null;
}
/**
 * What a seat did in a race: a slap (with its tile) or a grab, and the name after it.
 *
 *     Without a clock all times are 0, and who `passed` did nothing [K24].
 */
export interface Deed {
  at: number;
  tile?: ["chopsticks" | "rice" | "sushi", "green" | "red" | "yellow"] | null;
  squeak?: boolean;
  thief?: ("ant" | "cockroach" | "rat") | null;
  named_at?: number | null;
  passed?: true;
}
/**
 * A race that is over: its roll, every deed by seat, what came of it and by whom.
 */
export interface Race {
  /**
   * @minItems 2
   * @maxItems 2
   */
  roll: ["chopsticks" | "rice" | "sushi", "green" | "red" | "yellow"];
  deeds: (Deed | null)[];
  outcome:
    | "coin_for_owner"
    | "nobody_grabbed"
    | "nobody_right"
    | "other_erred"
    | "owner_erred"
    | "sixth_tile"
    | "tile_won";
  seat: number | null;
  owner: number | null;
  owing?: number[];
  verdicts?: (Verdict | null)[] | null;
}
/**
 * Whether a deed brought what it was done for, and why or why not.
 */
export interface Verdict {
  good: boolean;
  why:
    | "after_the_decision"
    | "earned_coin"
    | "grab_cost_a_tile"
    | "grab_instead_of_slap"
    | "grab_later"
    | "named_late"
    | "no_squeak"
    | "not_named"
    | "right_first"
    | "right_later"
    | "sixth_tile"
    | "slap_instead_of_grab"
    | "squeaked"
    | "took_it"
    | "wrong_thief"
    | "wrong_tile";
}
/**
 * The house rules as a view shows them; `calm` only where it holds.
 */
export interface Shown {
  starter?: number | null;
  young?: boolean;
  /**
   * a number of milliseconds from 1000 to 60000
   */
  race_ms?: number;
  /**
   * a number of milliseconds from 1000 to 60000
   */
  naming_ms?: number;
  calm?: true;
}
/**
 * House rules; `calm` stops the clock [K24], so that the times play no part.
 */
export interface Options {
  starter?: number | null;
  young?: boolean;
  /**
   * a number of milliseconds from 1000 to 60000
   */
  race_ms?: number;
  /**
   * a number of milliseconds from 1000 to 60000
   */
  naming_ms?: number;
  calm?: boolean;
}
/**
 * Nature lays the circle and names who rolls first.
 */
export interface Deal {
  do: "deal";
  circle: ["chopsticks" | "rice" | "sushi", "green" | "red" | "yellow"][];
  starter: number;
}
/**
 * Nature rolls both dice: the race is open.
 */
export interface Roll {
  do: "roll";
  symbol: "chopsticks" | "rice" | "sushi";
  colour: "green" | "red" | "yellow";
}
/**
 * Slap a tile in the middle.
 */
export interface Slap {
  do: "slap";
  /**
   * @minItems 2
   * @maxItems 2
   */
  tile: ["chopsticks" | "rice" | "sushi", "green" | "red" | "yellow"];
  at?: number;
}
/**
 * Grab the sushi master, with a squeak or without.
 */
export interface Grab {
  do: "grab";
  squeak: boolean;
  at?: number;
}
/**
 * Name the thief after one's own grab.
 */
export interface Name {
  do: "name";
  thief: "ant" | "cockroach" | "rat";
  at?: number;
}
/**
 * Do nothing this time, where there is no clock [K24].
 */
export interface Pass {
  do: "pass";
}
/**
 * Nature closes the race.
 */
export interface Time {
  do: "time";
}
/**
 * Give a tile back for a wrong grab [K10].
 */
export interface Give {
  do: "give";
  /**
   * @minItems 2
   * @maxItems 2
   */
  tile: ["chopsticks" | "rice" | "sushi", "green" | "red" | "yellow"];
}
