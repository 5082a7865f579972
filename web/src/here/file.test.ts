import { afterEach, expect, test } from "vitest";
import { forgetTable, keepSeat, seatsAt, tablesKept } from "../lib/prefs.svelte";
import { past } from "../lib/past.svelte";
import { adopt, packed, unpacked } from "./file";

const own = "0abcdefghjkmn";
const other = "0mnkjhgfedcba";
const game = {
  ...{
    table: own,
    number: 1,
    seat: 0,
    game: "some",
    names: ["Ada", "Fips"],
    bots: [null, "easy"],
  },
  ...{ scores: [3, 2], winners: [0], place: 1, ended: 5 },
};

afterEach(() => tablesKept().forEach(forgetTable));

async function gzip(text: string): Promise<Uint8Array> {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
const file = (head: unknown, tables = "") => gzip(`${JSON.stringify(head)}\n${tables}`);
const head = { format: "tischlein-device/1", seats: {}, played: [] };

test("a file has the seats of this device's own tables, and all that its house has told", async () => {
  keepSeat(own, { seat: 0, token: "a" });
  keepSeat(own, { seat: 1, token: "b" });
  keepSeat("kabcdefghjkmn", { seat: 0, token: "of a server" });
  const found = await unpacked(await packed("the tables"));
  expect(found.tables).toBe("the tables");
  expect(Object.keys(found.head.seats)).toEqual([own]);
  forgetTable(own);
  adopt(found.head, {}, { [own]: "" });
  adopt(found.head, {}, { [own]: "" });
  expect(seatsAt(own).map(({ token }) => token)).toEqual(["a", "b"]);
});

test("who had a seat at a table that goes on in two ways has one at both", async () => {
  keepSeat(own, { seat: 0, token: "a" });
  adopt({ ...head, seats: {}, played: [] }, { [own]: other }, { [own]: "", [other]: "" });
  expect(seatsAt(other)).toMatchObject([{ seat: 0, token: "a" }]);
});

test("seats at tables that did not come, and more than a table has, are left", async () => {
  const many = Array.from({ length: 5000 }, (_, seat) => ({ seat, token: `t${seat}` }));
  const found = await unpacked(await file({ ...head, seats: { [own]: many, [other]: many } }));
  adopt(found.head, {}, { [own]: "" });
  expect(seatsAt(own).length).toBeLessThan(20);
  expect(seatsAt(other)).toEqual([]);
});

test("only results that can be shown are taken", async () => {
  const wrong = [
    ...[null, 7, "x", [], {}, { ...game, table: "kabcdefghjkmn" }, { ...game, number: "1" }],
    ...[
      { ...game, names: ["A".repeat(1e5)] },
      { ...game, scores: Array(1e4).fill(1) },
    ],
    ...[
      { ...game, bots: [{}] },
      { ...game, winners: [null] },
      { ...game, game: 7 },
    ],
  ];
  const found = await unpacked(await file({ ...head, played: [...wrong, game] }));
  expect(found.head.played).toEqual([game]);
  adopt(found.head, {}, {});
  expect(past.games).toContainEqual(game);
});

test.each([
  ["nothing", gzip("")],
  ["no file of ours", file({ format: "tischlein-store/1" })],
  ["nobody", file(null)],
  ["a list", file([])],
  ["no seats", file({ ...head, seats: null })],
  ["wrong seats", file({ ...head, seats: { [own]: "me" } })],
  ["seats of nobody", file({ ...head, seats: { [own]: [null] } })],
  ["a token that is none", file({ ...head, seats: { [own]: [{ seat: 0, token: "a b" }] } })],
  ["no results", file({ ...head, played: {} })],
  ["not packed", Promise.resolve(new TextEncoder().encode(JSON.stringify(head)))],
  ["cut off", file(head, "tables").then((data) => data.slice(0, -9))],
  ["a bomb", gzip(" ".repeat(65e6))],
])("a file is refused that holds %s", async (_, data) => {
  await expect(unpacked(await data)).rejects.toThrow();
});
