import { beforeEach, expect, test, vi } from "vitest";
import { fetchNear, isThere, lineNear, reachedBy } from "./holder";
import type { Peer } from "./peer";

const table = "0bcdefghjkmnp";
const state = {
  type: "state",
  table: {
    ...{ table, game: "dice", phase: "over", speed: "normal", games: 1, host: 0 },
    seats: [
      { name: "Ada", bot: null },
      { name: null, bot: "easy" },
    ],
  },
  ...{ seat: null, to_move: [0, "nature"], over: true, scores: [3, 4], winners: [1], now: 7e11 },
};

class Holder {
  heard: (text: string) => void = () => {};
  ended: () => void = () => {};
  gone = false;
  send() {}
  end() {
    if (this.gone) return;
    this.gone = true;
    this.ended();
  }
  say(what: unknown) {
    this.heard(JSON.stringify(what));
  }
}

function reached(): Holder {
  const holder = new Holder();
  reachedBy(table, "print", holder as unknown as Peer);
  return holder;
}

beforeEach(() => {
  vi.stubGlobal("WebSocket", { CONNECTING: 0, OPEN: 1, CLOSING: 2, CLOSED: 3 });
});

test("what a phone tells of its table is heard", () => {
  const holder = reached();
  const heard: unknown[] = [];
  const line = lineNear(table, "/live");
  line.onmessage = ({ data }) => heard.push(JSON.parse(String(data)));
  const running = { ...state, over: false, scores: {}, winners: null };
  const texts = [state, running, { type: "pong", t0: 1, t1: 2 }];
  for (const text of texts) holder.say({ line: 1, text: JSON.stringify(text) });
  expect([heard, isThere(table)]).toEqual([texts, true]);
});

test.each([
  { ...state, table: { ...state.table, table: "of-a-server" } },
  { ...state, table: { ...state.table, game: null } },
  { ...state, table: { ...state.table, seats: [{ name: 7, bot: null }] } },
  { ...state, table: { ...state.table, seats: [{ name: "Ada", bot: {} }] } },
  { ...state, table: { ...state.table, seats: null } },
  { ...state, table: null },
  { ...state, to_move: [{}] },
  { ...state, scores: ["3"] },
  { ...state, winners: null },
  { ...state, now: "today" },
  { ...state, seat: "me" },
])("a phone that lies of what one would remember is left: %#", (frame) => {
  const holder = reached();
  const line = lineNear(table, "/live");
  const heard = vi.fn();
  line.onmessage = heard;
  holder.say({ line: 1, text: JSON.stringify(frame) });
  expect([heard.mock.calls, holder.gone, isThere(table)]).toEqual([[], true, false]);
});

test.each([
  { id: 1, status: 7000 },
  { id: 1, status: 101, body: "x" },
  { id: 1, status: 200, headers: { "a\nb": "c" } },
  { id: 1, status: {} },
  null,
])("an answer that is none is a phone that is gone: %#", async (told) => {
  const holder = reached();
  const answer = fetchNear(table, "/api");
  holder.say(told);
  await expect(answer).rejects.toThrow("here.near");
  expect(holder.gone).toBe(true);
});

test("nobody is there twice", () => {
  const [first, second] = [reached(), reached()];
  expect([first.gone, second.gone, isThere(table)]).toEqual([true, false, true]);
});
