import { beforeEach, expect, it, vi } from "vitest";
import type { TableInfo } from "../wire/frames";
import { isAsNoted } from "./fair";
import type { Frame } from "./live.svelte";
import {
  begunAnew,
  isWord,
  keptAs,
  openedFor,
  randomWord,
  seal as sealWord,
  sealOf,
  tend,
  unseal,
  wordFrom,
} from "./sealing";

type Sent = { seal?: string; text?: string; salt?: string };
const sent: Sent[] = [];
let table: TableInfo;

/** A table of two, at which a line holds the first seat. */
const line = () => ({ token: "t", frame: { seat: 0, table } as unknown as Frame });
const seat = (more: object = {}) => ({
  name: "x",
  bot: null,
  sealed: null,
  opened: false,
  ...more,
});
const tableWith = (...seats: object[]) =>
  ({ table: "apple", games: 0, phase: "open", opening: false, commitment: "c", seats }) as never;

beforeEach(() => {
  sent.length = 0;
  table = tableWith(seat(), seat({ sealed: "b" }));
  vi.stubGlobal("fetch", (_: string, init: RequestInit) => {
    sent.push(JSON.parse(String(init.body)) as Sent);
    return Promise.resolve(new Response("{}"));
  });
});

it("seals a random word without a tap, and opens it when the table opens all", async () => {
  const live = line();
  await Promise.all([tend(live), tend(live)]);
  expect(sent).toHaveLength(1);
  const seal = sent[0]?.seal ?? "";
  expect(Object.keys(sent[0] ?? {})).toEqual(["seal"]);
  table = tableWith(seat({ sealed: seal }), seat({ sealed: "b" }));
  await tend({ ...live, ...line() });
  expect(sent).toHaveLength(1);
  table = { ...table, opening: true };
  await tend(line());
  const { text = "", salt = "" } = sent[1] ?? {};
  expect(sealOf(text, salt)).toBe(seal);
  expect(keptAs(seal)?.noted).toEqual({ commitment: "c", seals: [seal, "b"] });
});

// A table that had heard the word would show another promise when the page is loaded again.
it("keeps what it noted first, whatever the table shows later", async () => {
  await tend(line());
  const seal = sent[0]?.seal ?? "";
  table = { ...(tableWith(seat({ sealed: seal }), seat({ sealed: "b" })) as TableInfo) };
  table.opening = true;
  await unseal(table, 0, "t");
  await unseal({ ...table, commitment: "another" }, 0, "t");
  expect(keptAs(seal)?.noted).toEqual({ commitment: "c", seals: [seal, "b"] });
});

// A table that showed an old seal in a rematch would have had a word that it knew already.
it("opens no word of an earlier game, and seals a new one in its place", async () => {
  await tend(line());
  const seal = sent[0]?.seal ?? "";
  table = { ...(tableWith(seat({ sealed: seal }), seat()) as TableInfo), games: 1 };
  await tend(line());
  expect(sent).toHaveLength(2);
  expect(sent[1]?.seal).not.toBe(seal);
  await unseal({ ...table, opening: true }, 0, "t");
  expect(sent).toHaveLength(2);
});

// A table could begin a start anew until it liked the dice, and name nobody who held it up.
it("counts how often a start began anew after it had told a word", async () => {
  for (let times = 0; times < 3; times++) {
    expect(begunAnew("plum", 1)).toBe(Math.max(0, times - 1));
    const open = { ...(tableWith(seat(), seat()) as TableInfo), table: "plum" };
    await sealWord(open, 0, "t");
    const sealed = sent.at(-1)?.seal ?? "";
    const opening = { ...open, opening: true, seats: [seat({ sealed }), seat()] as never };
    await unseal(opening, 0, "t");
    await unseal(opening, 0, "t");
  }
  expect(begunAnew("plum", 1)).toBe(2);
  expect(begunAnew("plum", 2)).toBe(0);
});

it("seals anew when the start begins anew", async () => {
  await tend(line());
  await tend(line());
  expect(new Set(sent.map(({ seal }) => seal)).size).toBe(2);
});

it("replaces another device's seal once, not for ever", async () => {
  table = tableWith(seat({ sealed: "other" }), seat());
  const live = line();
  await tend(live);
  await tend(live);
  expect(sent).toHaveLength(1);
});

it("compares a record with what it noted", async () => {
  await tend(line());
  const seal = sent[0]?.seal ?? "";
  table = tableWith(seat({ sealed: seal }), seat({ sealed: "b" }));
  table = { ...table, opening: true, table: "apple" };
  await tend(line());
  const { text = "", salt = "" } = sent[1] ?? {};
  const good = {
    commitment: "c",
    seats: ["x", "y"],
    contributions: [text, "w"],
    seals: [
      { seal, salt },
      { seal: "b", salt: "s" },
    ],
  };
  const check = (header: object) => isAsNoted(JSON.stringify(header), openedFor("apple", 1));
  expect(check(good)).toBe(true);
  expect(check({ ...good, commitment: "d" })).toBe(false);
  expect(check({ ...good, contributions: ["w", "w"] })).toBe(false);
  expect(check({ ...good, seals: [good.seals[0], { seal: "z", salt: "s" }] })).toBe(false);
  expect(check({ ...good, seals: [null, good.seals[1]] })).toBe(false);
  expect(isAsNoted(JSON.stringify(good), openedFor("pear", 1))).toBeNull();
});

it("makes a word of what somebody typed, without what nobody sees", () => {
  expect(wordFrom("  pan\u200b\u00a0cake\n ")).toBe("pan cake");
  expect([...wordFrom("🍣".repeat(200))]).toHaveLength(100);
  for (const word of ["", "pancake ☂", "一二三", "🍣", randomWord()])
    expect(isWord(word)).toBe(true);
  for (const text of ["a\nb", "a\u2028b", "a\u0085", "\u202e", "\u00a0", "\ud800", "x".repeat(101)])
    expect(isWord(text), text).toBe(false);
  expect(randomWord()).not.toBe(randomWord());
});
