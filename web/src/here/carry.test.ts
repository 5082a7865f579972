import { expect, test, vi } from "vitest";
import { keep, prefs, seatsAt } from "../lib/prefs.svelte";
import { noteNear } from "../near/tables";

const [ours, claimed] = ["0aaaaaaaaaaaa", "0bbbbbbbbbbbb"];
const kept = { mark: "m", goes_on: true };

vi.mock("../lib/mine.svelte", () => ({ mine: { again: () => Promise.resolve() } }));
vi.mock("../lib/api", () => ({
  Problem: class extends Error {},
  api: {
    carried: () => Promise.resolve({ profile: "me", tables: { [ours]: kept, [claimed]: kept } }),
    carriedTable: () => Promise.resolve({ entries: ["{}"], seats: [[0, "key"]] }),
  },
}));
vi.mock("./here.svelte", () => ({
  here: {
    marks: () => Promise.resolve({}),
    merge: () => Promise.resolve({ came: "theirs" }),
  },
}));

test("no seat is held at a table that another phone says it has", async () => {
  const { comeTogether } = await import("./carry");
  prefs.login = "login";
  keep("here.played", true);
  noteNear(claimed, "a rival's print");
  expect(await comeTogether()).toBe(true);
  expect(seatsAt(ours).map(({ token }) => token)).toEqual(["key"]);
  expect(seatsAt(claimed)).toEqual([]);
});
