import { expect, test } from "vitest";
import type { Frame } from "../../lib/live.svelte";
import { letters, keys } from "./keys";
import { annoyed, marks, paid, telling } from "./telling";
import type { Race, TileView, Verdict } from "./wire";

const rice: TileView["tile"] = ["rice", "red"];
const sushi: TileView["tile"] = ["sushi", "green"];
const race = (changes: Partial<Race> = {}): Race => ({
  roll: rice,
  deeds: [{ at: 500, tile: rice }, { at: 400, tile: sushi }, null],
  outcome: "tile_won",
  seat: 0,
  owner: null,
  verdicts: [{ good: true, why: "right_first" }, { good: false, why: "wrong_tile" }, null],
  ...changes,
});
const shown = (tile: TileView["tile"]): TileView => ({
  tile,
  side: "plate",
  thief: null,
  owner: null,
});
const frameOf = (last: Race | null, calm = false) =>
  ({ view: { last, options: { calm } } }) as unknown as Frame;
const news = (key: string) => [{ key, fields: {} }] as never;

test("each slap is marked where it fell, right or wrong", () => {
  expect(marks(race(), shown(rice))).toEqual([{ seat: 0, good: true }]);
  expect(marks(race(), shown(sushi))).toEqual([{ seat: 1, good: false }]);
  expect(marks(race({ verdicts: null }), shown(sushi))).toEqual([{ seat: 1, good: false }]);
  expect(marks(null, shown(rice))).toEqual([]);
});

test("a coin goes to the owner who squeaked, or whose tile was grabbed wrongly", () => {
  expect(paid(race({ outcome: "coin_for_owner", seat: 2 }))).toBe(2);
  expect(paid(race({ outcome: "other_erred", seat: 2, owner: 1 }))).toBe(1);
  expect(paid(race())).toBeNull();
});

test("the master frowns at a grab for nothing, not at a slap or at who was only late", () => {
  const verdicts = (why: Verdict["why"]) => race({ verdicts: [{ good: false, why }] });
  expect(annoyed(verdicts("grab_instead_of_slap"))).toBe(true);
  expect(annoyed(verdicts("wrong_thief"))).toBe(true);
  expect(annoyed(verdicts("grab_later"))).toBe(false);
  expect(annoyed(race())).toBe(false);
  expect(annoyed(null)).toBe(false);
});

test("the photo finish tells a race without a banner, longest where no clock runs", () => {
  const long = (key: string, frame: Frame) => telling(news(key), null, frame).ms;
  expect(telling(news("tile_won"), null, frameOf(race()))).toMatchObject({
    quiet: true,
    lead: 500,
  });
  const coin = frameOf(race({ outcome: "coin_for_owner" }));
  expect(long("coin_for_owner", coin)).toBeGreaterThan(long("tile_won", frameOf(race())));
  expect(long("all_did", frameOf(race(), true))).toBeGreaterThan(long("coin_for_owner", coin));
  expect(telling(news("told_give"), null, frameOf(race())).quiet).toBeFalsy();
  expect(telling([], null, frameOf(null))).toEqual({ ms: 0, quiet: true });
});

test("whoever asks for keys is told all of them", () => {
  const told = keys().map(({ key }) => key);
  expect(told).toHaveLength(8);
  for (const letter of letters()) expect(told).toContain(letter);
  expect(keys().every(({ text }) => text)).toBe(true);
});
