// The check of the dice, as docs/fair-dice.md tells it: every chance is drawn again from the seed.

import { hex, sha256 } from "./sha256";

export type Verdict = { ok: true; agreed: number } | { ok: false; line: number };
type Line = Record<string, unknown>;

const sushi = [1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6];
const bones = [-4, -3, -3, -2, -2, -2, -2, -1, -1, -1, -1, -1];
const cards = Array.from({ length: 110 }, (_, i) => Math.floor(i / 10) - 1);
const foods = ["cheese", "potatoes", "sausage", "pizza", "chicken", "salad"];
const faces = ["sushi", "sushi", "bones", "bones", "blue", "red"];
const symbols = ["chopsticks", "rice", "sushi"];
const colours = ["red", "green", "yellow"];

export class Fair {
  private page = 0;
  private bytes: number[] = [];
  constructor(private readonly start: string) {}

  private next(): number {
    if (!this.bytes.length) this.bytes = [...sha256(this.start + String(this.page++))];
    return this.bytes.shift() ?? 0;
  }
  below(n: number): number {
    const size = n > 256 ? 2 : 1;
    const limit = Math.floor(256 ** size / n) * n;
    for (;;) {
      let number = 0;
      for (let i = 0; i < size; i++) number = number * 256 + this.next();
      if (number < limit) return number % n;
    }
  }
  shuffled<T>(things: readonly T[]): T[] {
    const pile = [...things];
    for (let last = pile.length - 1; last > 0; last--) {
      const chosen = this.below(last + 1);
      [pile[last], pile[chosen]] = [pile[chosen]!, pile[last]!];
    }
    return pile;
  }
}

/** Draw again what a move of chance says, from the header and the shape of the move alone. */
function redraw(game: string, header: Line, move: Line, fair: Fair): Line {
  const options = header["options"] as Line;
  const seats = (header["seats"] as unknown[]).length;
  const starter = () => options["starter"] ?? fair.below(seats);
  if (move["do"] === "roll") {
    if (game === "sushizock")
      return { dice: (move["dice"] as unknown[]).map(() => faces[fair.below(6)]) };
    const symbol = symbols[fair.below(6) >> 1];
    return { symbol, colour: colours[fair.below(6) >> 1] };
  }
  if (move["do"] === "shuffle")
    return { cards: fair.shuffled([...(move["cards"] as number[])].sort((a, b) => a - b)) };
  if (game === "sushizock") {
    const row = fair.shuffled(sushi);
    return { sushi: row, bones: fair.shuffled(bones), starter: starter() };
  }
  if (game === "buffet") {
    const values = (options["plate_values"] ?? [-1, 1, 2, 3, 4, 5]) as number[];
    const plates = foods.flatMap((food) => values.map((value) => [food, value]));
    return { cards: fair.shuffled(cards), plates: fair.shuffled(plates), starter: starter() };
  }
  const tiles = symbols.flatMap((symbol) => colours.map((colour) => [symbol, colour]));
  return { circle: fair.shuffled(tiles), starter: starter() };
}

export function verify(record: string): Verdict {
  const lines = record
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Line);
  const header = lines[0] ?? {};
  const seed = String(lines.at(-1)?.["seed"] ?? "");
  if (hex(sha256(seed)) !== header["commitment"]) return { ok: false, line: 0 };
  const game = String(header["game"]);
  const words = (header["contributions"] ?? []) as string[];
  let agreed = 0;
  for (const [index, move] of lines.slice(1, -1).entries()) {
    if (move["by"] !== "nature" || move["do"] === "time") continue;
    const fair = new Fair([seed, ...words, game, String(index + 1), ""].join("\n"));
    const wanted = redraw(game, header, move, fair);
    const same = Object.entries(wanted).every(
      ([key, value]) => JSON.stringify(value) === JSON.stringify(move[key]),
    );
    if (!same) return { ok: false, line: index + 1 };
    agreed += 1;
  }
  return { ok: true, agreed };
}
