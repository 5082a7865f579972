// Made from the server's types by scripts/wire-types. Do not edit.

export interface All {
  View: View;
  Rows: Rows;
  PileView: PileView;
  Dice: Dice;
  Options: Options;
  Deal: Deal;
  Roll: Roll;
  Keep: Keep;
  Take: Take;
  Steal: Steal;
  Forced: Forced;
}
/**
 * What somebody may see of the table.
 */
export interface View {
  rows: Rows;
  piles: PileView[];
  dice: Dice;
  turn: number | null;
  options: Options;
}
/**
 * The portions on the table, left to right.
 */
export interface Rows {
  sushi: number[];
  bones: number[];
}
/**
 * A player's piles, bottom to top; null is a covered tile.
 */
export interface PileView {
  sushi: (number | null)[];
  bones: (number | null)[];
}
/**
 * The dice of this turn.
 */
export interface Dice {
  aside: ("blue" | "bones" | "red" | "sushi")[];
  rolled: ("blue" | "bones" | "red" | "sushi")[];
  rolls_left: number;
}
/**
 * House rules; `open_piles` lets everybody look at covered tiles [S19].
 */
export interface Options {
  starter?: number | null;
  open_piles?: boolean;
}
/**
 * Nature lays out the two rows and names the starter.
 */
export interface Deal {
  do: "deal";
  sushi: number[];
  bones: number[];
  starter: number;
}
/**
 * Nature rolls the dice that are not set aside.
 */
export interface Roll {
  do: "roll";
  dice: ("blue" | "bones" | "red" | "sushi")[];
}
/**
 * Set some of the dice just rolled aside; the rest is rolled again.
 */
export interface Keep {
  do: "keep";
  dice: ("blue" | "bones" | "red" | "sushi")[];
}
/**
 * Take the portion of a row that the dice point at.
 */
export interface Take {
  do: "take";
  row: "bones" | "sushi";
}
/**
 * Take a tile from an opponent's pile; depth 1 is its top.
 */
export interface Steal {
  do: "steal";
  pile: "bones" | "sushi";
  from: number;
  depth?: number;
}
/**
 * Take what must be taken when nothing can be claimed [S17].
 */
export interface Forced {
  do: "forced";
}
