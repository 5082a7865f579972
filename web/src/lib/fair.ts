// The check of the dice, as docs/fair-dice.md tells it: every chance is drawn again from the seed.

import { hex, sha256 } from "./sha256";

export type Verdict = { ok: true; agreed: number } | { ok: false; line: number };
export type Line = Record<string, unknown>;

/** Draws a move of chance again, from the shape of the move and the house rules alone; null if it is no chance. */
export type Redraw = (move: Line, fair: Fair, starter: () => unknown, options: Line) => Line | null;

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

export function verify(record: string, redraw: Redraw): Verdict {
  const lines = record
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Line);
  const header = lines[0] ?? {};
  const seed = String(lines.at(-1)?.["seed"] ?? "");
  if (hex(sha256(seed)) !== header["commitment"]) return { ok: false, line: 0 };
  let agreed = 0;
  for (const [index, move] of lines.slice(1, -1).entries()) {
    if (move["by"] !== "nature") continue;
    const wanted = drawnAgain(header, seed, move, index + 1, redraw);
    if (!wanted) continue;
    const same = Object.entries(wanted).every(
      ([key, value]) => JSON.stringify(value) === JSON.stringify(move[key]),
    );
    if (!same) return { ok: false, line: index + 1 };
    agreed += 1;
  }
  return { ok: true, agreed };
}

function drawnAgain(header: Line, seed: string, move: Line, number: number, redraw: Redraw) {
  const words = (header["contributions"] ?? []) as string[];
  const fair = new Fair([seed, ...words, header["game"], String(number), ""].join("\n"));
  const options = (header["options"] ?? {}) as Line;
  const seats = (header["seats"] as unknown[]).length;
  return redraw(move, fair, () => options["starter"] ?? fair.below(seats), options);
}
