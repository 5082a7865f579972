// Made from the server's types by scripts/wire-types. Do not edit.

export interface All {
  View: View;
  Reveal: Reveal;
  Options: Options;
  Tie: Tie;
  Deal: Deal;
  Shuffle: Shuffle;
  Play: Play;
  Exchange: Exchange;
}
/**
 * What somebody may see; null is a hidden card. `ties` come with the end, if there are any.
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
  ties?: Tie[];
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
 * Two seats with equal points: the first food whose top plates differ decides [B18].
 */
export interface Tie {
  better: number;
  worse: number;
  food: "cheese" | "chicken" | "pizza" | "potatoes" | "salad" | "sausage";
  /**
   * @minItems 2
   * @maxItems 2
   */
  plates: [number, number];
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
