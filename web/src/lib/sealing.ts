// A word for the dice for every seat of this device: sealed without a tap, opened when the table opens all.

import type { TableInfo } from "../wire/frames";
import { api, Problem } from "./api";
import type { Frame, Live } from "./live.svelte";
import { keepWord, wordsKept } from "./prefs.svelte";
import { hex, sha256 } from "./sha256";

/** What was shown to this device before it opened its word: nobody can change it afterwards. */
export interface Noted {
  commitment: string;
  seals: (string | null)[];
}
/** A word that this device has sealed, for a seat in a game of a table. */
export interface Kept {
  table: string;
  game: number;
  seat: number;
  seal: string;
  word: string;
  salt: string;
  typed: boolean;
  noted?: Noted;
}

const LONGEST = 100;
const unseen = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/gu;

/** Whether a text can be a word: short, and of signs that everybody can see. */
export const isWord = (text: string) =>
  [...text].length <= LONGEST && !/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]|(?! )\p{Zs}/u.test(text);

export const sealOf = (word: string, salt: string) => hex(sha256(`${salt}\n${word}`));

/** What somebody typed, as a word. */
export function wordFrom(typed: string): string {
  const plain = typed
    .normalize("NFC")
    .replace(/[\s\p{Zs}]+/gu, " ")
    .replace(unseen, "")
    .trim();
  return [...plain].slice(0, LONGEST).join("");
}

const consonants = "bdfghjklmnprstwz";
const vowels = "aeiu";

/** A word that nobody guesses: sixteen syllables of 64, 96 bits. */
export function randomWord(): string {
  const syllables = Array.from(
    crypto.getRandomValues(new Uint8Array(16)),
    (n) => (consonants[n & 15] ?? "") + (vowels[(n >> 4) & 3] ?? ""),
  );
  return [0, 4, 8, 12].map((at) => syllables.slice(at, at + 4).join("")).join(" ");
}

/** One that says nothing at all: where everybody may come, strangers write each other no words. */
const blankWord = () => hex(crypto.getRandomValues(new Uint8Array(16)));

/** The last word that each seat of this device opened in a game: it should be in its dice. */
export function openedFor(table: string, game: number): Kept[] {
  const found = wordsKept().filter(
    (kept) => kept.table === table && kept.game === game && kept.noted,
  );
  return [...new Map(found.map((kept) => [kept.seat, kept])).values()];
}

/** How often a start began anew after this device had opened a word for it, whatever the table says. */
export function begunAnew(table: string, game: number): number {
  const opened = wordsKept().filter(
    (kept) => kept.table === table && kept.game === game && kept.noted,
  );
  const often = opened.map(({ seat }) => opened.filter((other) => other.seat === seat).length - 1);
  return Math.max(0, ...often);
}

/** The word behind the seal that a seat shows, if this device knows it. */
export const keptAs = (seal: string | null | undefined) =>
  seal ? wordsKept().findLast((kept) => kept.seal === seal) : undefined;

/** The word that this device has sealed for the next game: one that was told before is no secret. */
const keptFor = (table: TableInfo, seal: string | null | undefined) => {
  const kept = keptAs(seal);
  return kept?.table === table.table && kept.game === table.games + 1 ? kept : undefined;
};

/** Seal a word for a seat: what somebody typed, or one by chance. */
export async function seal(table: TableInfo, seat: number, token: string, typed = "") {
  const chosen = table.public ? "" : wordFrom(typed);
  const word = table.public ? blankWord() : chosen || randomWord();
  const salt = hex(crypto.getRandomValues(new Uint8Array(16)));
  const kept = { seal: sealOf(word, salt), word, salt, typed: !!chosen };
  keepWord({ table: table.table, game: table.games + 1, seat, ...kept });
  return api.seal(table.table, token, kept.seal);
}

/** Open the word of a seat, if the table opens all; before that, note what it has promised. */
export async function unseal(table: TableInfo, seat: number, token: string) {
  const mine = keptFor(table, table.seats[seat]?.sealed);
  if (!table.opening || table.seats[seat]?.opened || !mine) return;
  const seals = table.seats.map((other) => other.sealed);
  // What was noted first stays: by the second time the table may know the word.
  keepWord({ noted: { commitment: table.commitment, seals }, ...mine });
  await api.unseal(table.table, token, mine.word, mine.salt);
}

type Line = Pick<Live, "token" | "frame">;
const busy = new WeakSet<Line>();
/** Lines that have put their seal in place of another device's: once, lest two go on for ever. */
const replaced = new WeakSet<Line>();
const sleep = (ms: number) => new Promise((done) => setTimeout(done, ms));

const patience = 700;
/** Some minutes: who is out of reach for longer comes back with a frame. */
const mostTries = 300;
/** Seals whose words have been opened: the same word is not told twice. */
const opened = new Set<string>();

/** Do what the seat's word needs now; what fails for want of a line is tried again. */
export async function tend(live: Line): Promise<void> {
  if (busy.has(live)) return;
  busy.add(live);
  try {
    for (let tries = 0; tries < mostTries; tries++) if (!(await step(live))) return;
  } finally {
    busy.delete(live);
  }
}

/** Seal or open; true if there may be more to do. */
async function step(live: Line): Promise<boolean> {
  const frame = live.frame;
  if (!frame || frame.seat === null || !live.token || frame.table.phase !== "open") return false;
  const shown = frame.table.seats[frame.seat]?.sealed;
  try {
    if (frame.table.opening) {
      if (!shown || opened.has(shown)) return false;
      await unseal(frame.table, frame.seat, live.token);
      opened.add(shown);
      return false;
    }
    if (shown && (keptFor(frame.table, shown) || replaced.has(live))) return false;
    if (shown) replaced.add(live);
    await seal(frame.table, frame.seat, live.token);
    return await isTold(live, frame);
  } catch (error) {
    if (!(error instanceof Problem) || ![0, 429, 503].includes(error.status)) return false;
    await sleep(patience);
    return true;
  }
}

/** Wait a moment for the frame that shows our seal: one that is older would ask for another. */
async function isTold(live: Line, before: Frame): Promise<boolean> {
  for (let waits = 0; waits < 15; waits++) {
    const frame = live.frame;
    if (frame !== before && (frame?.table.opening || frame?.table.seats[frame.seat ?? 0]?.sealed))
      return true;
    await sleep(20);
  }
  return live.frame !== before;
}

/** Wait until everybody who is here has sealed a word; not for long: some clients never do. */
export async function allSealed(live: Line, longest = 1500): Promise<void> {
  for (const end = performance.now() + longest; performance.now() < end; await sleep(40)) {
    const table = live.frame?.table;
    const missing = table?.seats.some((seat) => seat.here && !seat.bot && !seat.sealed);
    if (table?.phase === "open" && !missing) return;
  }
}
