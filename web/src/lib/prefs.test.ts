import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type * as Prefs from "./prefs.svelte";

/** What a browser keeps, as long as there is room. */
class Shelf {
  room = true;
  [key: `tischlein.${string}`]: string;
  getItem = (key: `tischlein.${string}`) => this[key] ?? null;
  setItem = (key: `tischlein.${string}`, text: string) => {
    if (!this.room) throw new Error("full");
    this[key] = text;
  };
  removeItem = (key: `tischlein.${string}`) => delete this[key];
}
const seat = (table: string) => ({ table, seat: 0, token: `of ${table}` });
let shelf: Shelf;
let kept: typeof Prefs;

async function withShelf(storage: object): Promise<void> {
  vi.resetModules();
  vi.stubGlobal("localStorage", storage);
  kept = await import("./prefs.svelte");
}
beforeEach(() => withShelf((shelf = new Shelf())));
afterEach(() => vi.unstubAllGlobals());

test("a browser that keeps nothing still sits down, plays and leaves", async () => {
  await withShelf(
    new Proxy(
      {},
      {
        get: () => {
          throw new Error("not allowed");
        },
        ownKeys: () => {
          throw new Error("not allowed");
        },
      },
    ),
  );
  kept.keepSeat("one", seat("one"));
  kept.keepSeat("two", seat("two"));
  expect(kept.seatsAt("one")).toMatchObject([{ token: "of one" }]);
  expect(kept.tablesKept().sort()).toEqual(["one", "two"]);
  kept.forgetSeat("one", "of one");
  expect([kept.seatsAt("one"), kept.tablesKept()]).toEqual([[], ["two"]]);
});

test("a browser that is full forgets neither the old nor the new", () => {
  kept.keepSeat("one", seat("one"));
  shelf.room = false;
  kept.keepSeat("two", seat("two"));
  kept.keepSeat("one", { seat: 1, token: "another" });
  expect(kept.seatsAt("one").map(({ token }) => token)).toEqual(["of one", "another"]);
  expect(kept.tablesKept().sort()).toEqual(["one", "two"]);
  shelf.room = true;
  kept.keepSeat("two", { seat: 1, token: "another" });
  expect(shelf["tischlein.seat.two"]).toContain("of two");
  kept.forgetTable("two");
  expect(kept.tablesKept()).toEqual(["one"]);
});
