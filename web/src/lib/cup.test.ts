import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { CupInfo } from "../wire/frames";
import { Cup, titled } from "./cup.svelte";
import { hidden } from "./hidden.svelte";
import { inCup } from "./hiding";
import { forgetPlace, keepPlace, placesIn, prefs } from "./prefs.svelte";

vi.mock("./route.svelte", () => ({ route: { go() {} } }));

/** What the server says of the tournament, and of who holds a token. */
let info: CupInfo;
let me: { status: number; name?: string };
let asked: string[];

function told(...names: string[]): CupInfo {
  const rounds = [[{ people: [1, 0], table: "abc" }], [{ people: [2, 0], table: "def" }]];
  const members = names.map((name) => ({ name, left: false }));
  return { cup: "cup1", title: "Friday", host: 0, members, round: 0, rounds } as unknown as CupInfo;
}

beforeEach(() => {
  asked = [];
  me = { status: 200, name: "somebody" };
  vi.useFakeTimers();
  vi.stubGlobal("document", { hidden: false, addEventListener() {}, removeEventListener() {} });
  vi.stubGlobal("fetch", (path: string) => {
    asked.push(path);
    const answer = path.endsWith("/me") ? { member: 1, name: me.name } : info;
    return Promise.resolve(
      Response.json(answer, { status: path.endsWith("/me") ? me.status : 200 }),
    );
  });
  keepPlace("cup1", { name: "Bo", token: "t" });
});
afterEach(() => {
  forgetPlace("cup1", "t");
  inCup("cup1", 2, "Rude").show();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

async function seen(): Promise<Cup> {
  const cup = new Cup("cup1");
  await cup.look();
  cup.close();
  return cup;
}

it("calls whom one has hidden by their number, and knows whose table it is all the same", async () => {
  info = told("Ada", "Bo", "Rude");
  const cup = await seen();
  cup.who(2).hide();
  expect([0, 1, 2].map(cup.nameOf)).toEqual(["Ada", "Bo", "Player 3"]);
  cup.who(0).hide();
  expect(cup.nameOf(0)).toBe("Player 1");
  expect(cup.isHost).toBe(false);
  expect(cup.mine.map(({ table }) => table.table)).toEqual(["abc"]);
  cup.who(0).show();
  expect(cup.nameOf(0)).toBe("Ada");
  expect(hidden.at("abc", 1, "Rude")).toBe(true);
  expect(hidden.at("def", 1, "Rude"), "not one of ours: no list tells of it").toBe(false);
});

it("finds its people again whose name was taken away", async () => {
  info = told("Ada", "somebody", "Rude");
  const cup = await seen();
  expect(cup.isMine(1)).toBe(true);
  expect(placesIn("cup1")).toEqual([{ name: "somebody", token: "t" }]);
  expect(cup.places.map(cup.nameAt)).toEqual(["somebody"]);
  expect(cup.mine).toHaveLength(1);
});

it("asks of nobody who is there, and forgets who is no longer a member", async () => {
  info = told("Ada", "Bo");
  await seen();
  expect(asked.filter((path) => path.endsWith("/me"))).toEqual([]);
  info = told("Ada");
  me = { status: 403 };
  const cup = await seen();
  expect(cup.places).toEqual([]);
  expect(placesIn("cup1")).toEqual([]);
});

it("keeps a place that cannot be asked for now", async () => {
  info = told("Ada");
  me = { status: 503 };
  expect((await seen()).places).toHaveLength(1);
});

it("says in one's own words what is called nothing any more", () => {
  const untitled = { ...told(), title: "Tournament" };
  expect(titled(untitled)).toBe("Tournament");
  prefs.language = "de";
  expect(titled(untitled)).toBe("Turnier");
  prefs.language = "en";
  expect(titled(told())).toBe("Friday");
});
