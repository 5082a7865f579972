// The check of the dice, as docs/fair-dice.md tells it: every chance is drawn again from the seed.

import type { Frame } from "./live.svelte";
import { isWord, sealOf, type Kept } from "./sealing";
import { hex, sha256 } from "./sha256";

/** What speaks against chosen dice: sealed words, words told openly, or none at all. */
export type Proof = "sealed" | "open" | "none";
export type Verdict = { ok: true; agreed: number; proof: Proof } | { ok: false; line: number };
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
  const promised = /^[0-9a-f]{64}$/i.test(seed) && hex(sha256(seed)) === header["commitment"];
  const proof = promised && proofOf(header);
  if (!proof) return { ok: false, line: 0 };
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
  return { ok: true, agreed, proof };
}

interface Seal {
  seal: string;
  salt: string;
}
const wordsOf = (header: Line) => (header["contributions"] ?? []) as string[];
const sealsOf = (header: Line) =>
  (header["seals"] ?? wordsOf(header).map(() => null)) as (Seal | null)[];

/** What the words prove; null if they are not one a seat, or a seal does not fit its word. */
function proofOf(header: Line): Proof | null {
  const [words, seals] = [wordsOf(header), sealsOf(header)];
  const seats = (header["seats"] as unknown[]).length;
  if (words.length !== seats || seals.length !== seats || !words.every(isWord)) return null;
  const fits = seals.every((found, seat) => !found || isSealOf(found, words[seat] ?? ""));
  if (!fits) return null;
  if (words.every((word) => !word)) return "none";
  return words.every((word, seat) => !word || seals[seat]) ? "sealed" : "open";
}

const isSealOf = ({ seal, salt }: Seal, word: string) =>
  /^[0-9a-f]{32,64}$/.test(salt) && sealOf(word, salt) === seal;

/** Compare a record with what this device noted before the game: null if it noted nothing. */
export function isAsNoted(record: string, kept: readonly Kept[]): boolean | null {
  const noted = kept.flatMap(({ seat, word, noted }) => (noted ? [{ seat, word, ...noted }] : []));
  if (!noted.length) return null;
  const header = JSON.parse(record.split("\n")[0] ?? "{}") as Line;
  const seals = sealsOf(header).map((found) => found?.seal ?? null);
  return noted.every(
    (mine) =>
      header["commitment"] === mine.commitment &&
      wordsOf(header)[mine.seat] === mine.word &&
      JSON.stringify(seals) === JSON.stringify(mine.seals),
  );
}

/** Whether a record ends as the game did that was seen here: another may have dice that are fair. */
export function endsAsSeen(record: string, seen: Pick<Frame, "scores" | "winners">): boolean {
  const end = JSON.parse(record.trim().split("\n").at(-1) ?? "{}") as Line;
  const { scores, winners } = (end["result"] ?? {}) as Line;
  return same(scores, seen.scores) && same(winners, seen.winners);
}

const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

function drawnAgain(header: Line, seed: string, move: Line, number: number, redraw: Redraw) {
  const words = wordsOf(header);
  const joined = words.some(Boolean) ? words : []; // where nobody adds a word, none is joined
  const fair = new Fair([seed, ...joined, header["game"], String(number), ""].join("\n"));
  const options = (header["options"] ?? {}) as Line;
  const seats = (header["seats"] as unknown[]).length;
  return redraw(move, fair, () => options["starter"] ?? fair.below(seats), options);
}
