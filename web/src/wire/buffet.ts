// Made from the server's types by scripts/wire-types. Do not edit.

export interface All {
  View: View;
  Reveal: Reveal;
  Options: Options;
  Deal: Deal;
  Shuffle: Shuffle;
  Play: Play;
  Exchange: Exchange;
}
/**
 * What somebody may see of the table; null is a card that they may not see.
 */
export interface View {
  buffet: ["cheese" | "chicken" | "pizza" | "potatoes" | "salad" | "sausage", number][];
  plates_left: number;
  round: number;
  part: number;
  token: number | null;
  at: number[];
  inside: number[];
  hands: (number | null)[][];
  played: {
    [k: string]: number | null;
  };
  stacks: {
    [k: string]: number[];
  }[];
  stock: number;
  discard: (number | null)[];
  exchanging: number | null;
  exchanged: (number | null)[];
  drawing: [number, number][];
  revealed: Reveal | null;
  over: boolean;
  options: Options;
}
/**
 * What the last reveal showed: the cards in their order, and who left with which plates.
 */
export interface Reveal {
  cards: [number, number][];
  left?: [
    number,
    ["cheese" | "chicken" | "pizza" | "potatoes" | "salad" | "sausage", number] | null
  ][];
}
/**
 * House rules; `plate_values` are the six values of each food [B2].
 */
export interface Options {
  starter?: number | null;
  /**
   * a list of six whole numbers from -99 to 99
   *
   * @minItems 6
   * @maxItems 6
   */
  plate_values?: [number, number, number, number, number, number];
}
/**
 * Nature shuffles cards and plates and gives somebody the token.
 */
export interface Deal {
  do: "deal";
  cards: number[];
  plates: ["cheese" | "chicken" | "pizza" | "potatoes" | "salad" | "sausage", number][];
  starter: number;
}
/**
 * Nature makes the discard pile the new stock.
 */
export interface Shuffle {
  do: "shuffle";
  cards: number[];
}
/**
 * Lay a card, face down until all have.
 */
export interface Play {
  do: "play";
  card: number;
}
/**
 * Give any cards away for as many from the stock [B10].
 */
export interface Exchange {
  do: "exchange";
  cards: number[];
}
