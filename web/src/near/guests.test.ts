import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Line } from "../here/calls";
import { Guest, guests, isReadable, mayAsk } from "./guests.svelte";
import type { Peer } from "./peer";

const table = "0bcdefghjkmnp";
const own = `/api/tables/${table}`;

class Phone {
  heard: (text: string) => void = () => {};
  ended: () => void = () => {};
  told: Record<string, unknown>[] = [];
  gone = false;
  send(text: string) {
    this.told.push(JSON.parse(text) as Record<string, unknown>);
  }
  end() {
    this.gone = true;
  }
  say(what: unknown) {
    this.heard(JSON.stringify(what));
  }
}

class OwnLine {
  sent: string[] = [];
  closed = false;
  onopen = () => {};
  onmessage = (_: { data: unknown }) => {};
  onclose = (_: { code: number }) => {};
  send(text: string) {
    this.sent.push(text);
  }
  close() {
    this.closed = true;
  }
}

const asked: [string, RequestInit | undefined][] = [];
const lines: OwnLine[] = [];
let answer: () => Promise<Response>;
const house = {
  fetch: (path: string, init?: RequestInit) => {
    asked.push([path, init]);
    return answer();
  },
  line: () => {
    lines.push(new OwnLine());
    return lines.at(-1) as unknown as Line;
  },
};

function guest(): { phone: Phone; guest: Guest } {
  const phone = new Phone();
  return { phone, guest: new Guest(table, phone as unknown as Peer, house) };
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["performance"] });
  asked.length = lines.length = 0;
  answer = () => Promise.resolve(new Response('{"a":1}', { status: 200 }));
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("a guest may ask about the one table, and nothing else of the device", () => {
  for (const [method, path] of [
    ["GET", own],
    ["POST", `${own}/seats`],
    ["POST", `${own}/contribution`],
    ["GET", `${own}/record`],
    ["GET", `${own}/coach?game=1&lang=de`],
    ["GET", `${own}/replay?game=1`],
  ] as const)
    expect(mayAsk(table, method, path), path).toBe(true);
  for (const [method, path] of [
    ["POST", "/api/tables"],
    ["GET", "/api/tables/0aaaaaaaaaaaa"],
    ["POST", "/api/mine"],
    ["GET", "/metrics"],
    ["GET", `${own}/../0aaaaaaaaaaaa`],
    ["GET", `${own}/record/../../0aaaaaaaaaaaa/record`],
    ["GET", `${own}/record${own}/record`],
    ["GET", `${own}%2frecord`],
    ["POST", `${own}/push`],
    ["POST", `${own}/public`],
    ["POST", `${own}/key`],
    ["DELETE", own],
    ["GET", `x${own}`],
    ["GET", `${own}\n`],
    ["GET", `${own}/coach?game=1&lang=../x`],
  ] as const)
    expect(mayAsk(table, method, path), path).toBe(false);
});

test("a call is answered, and only the key of a seat goes with it", async () => {
  const { phone } = guest();
  phone.say({
    id: 7,
    method: "POST",
    path: `${own}/seats`,
    headers: { authorization: "Bearer t", "x-login": "me", host: "elsewhere" },
    body: '{"name":"Bo"}',
  });
  await vi.waitFor(() => expect(phone.told).toHaveLength(1));
  expect(phone.told[0]).toMatchObject({ id: 7, status: 200, body: '{"a":1}' });
  expect(asked).toEqual([
    [
      `${own}/seats`,
      {
        method: "POST",
        headers: { "content-type": "application/json", authorization: "Bearer t" },
        body: '{"name":"Bo"}',
      },
    ],
  ]);
  phone.say({ id: 8, path: own, headers: { authorization: "Bearer t\r\nx: y" } });
  await vi.waitFor(() => expect(phone.told).toHaveLength(2));
  expect(asked[1]?.[1]?.headers).toEqual({ "content-type": "application/json" });
});

test("what a guest may not ask is told so, and asked of nobody", () => {
  const { phone } = guest();
  phone.say({ id: 1, method: "POST", path: "/api/tables", body: "{}" });
  expect(phone.told).toMatchObject([{ id: 1, status: 404 }]);
  expect([asked, phone.gone]).toEqual([[], false]);
});

test("calls that pile up are sent back", async () => {
  answer = () => new Promise(() => {});
  const { phone } = guest();
  for (let id = 0; id < 12; id++) phone.say({ id, path: own });
  expect(asked).toHaveLength(8);
  expect(phone.told.map(({ status }) => status)).toEqual([429, 429, 429, 429]);
});

test("a house that fails is told as one", async () => {
  answer = () => Promise.reject(new Error("the secret seed is 7"));
  const { phone } = guest();
  phone.say({ id: 1, path: own });
  await vi.waitFor(() => expect(phone.told).toHaveLength(1));
  expect(phone.told[0]).toMatchObject({ id: 1, status: 503, body: "" });
});

test("a line goes both ways until either side ends it", () => {
  const { phone, guest: other } = guest();
  phone.say({ line: 1, path: `${own}/live` });
  phone.say({ line: 2, path: `${own}/live` });
  lines[0]?.onopen();
  phone.say({ line: 1, text: "hello" });
  lines[0]?.onmessage({ data: "there" });
  expect(lines[0]?.sent).toEqual(["hello"]);
  expect(phone.told).toEqual([
    { line: 1, open: true },
    { line: 1, text: "there" },
  ]);
  phone.say({ line: 1, close: true });
  expect(lines.map(({ closed }) => closed)).toEqual([true, false]);
  lines[1]?.onclose({ code: 4001 });
  expect(phone.told.at(-1)).toEqual({ line: 2, close: 4001 });
  phone.say({ line: 3, path: `${own}/live` });
  other.leave();
  expect(lines[2]?.closed).toBe(true);
  expect(phone.gone).toBe(false);
});

test.each([
  "no JSON",
  "null",
  "7",
  "{}",
  '{"id":"1"}',
  '{"id":1}',
  '{"line":1}',
  `{"line":1,"path":"${own}"}`,
  '{"line":1,"path":"/api/tables/0aaaaaaaaaaaa/live"}',
  '{"line":1,"text":7}',
])("who says what no page says is sent away: %s", (text) => {
  const { phone } = guest();
  phone.heard(text);
  expect(phone.gone).toBe(true);
  expect([asked, lines]).toEqual([[], []]);
});

const half = "half a sign: \ud83d";
const deep = (count: number) => "[".repeat(count) + "]".repeat(count);

test.each([half, `{"type":"move","id":1,"move":${"[".repeat(9000)}`])(
  "no frame of a guest ends Python: %#",
  (text) => {
    const { phone } = guest();
    phone.say({ line: 1, path: `${own}/live` });
    phone.say({ line: 1, text: '{"type":"ping","t0":1}' });
    expect(phone.gone).toBe(false);
    phone.say({ line: 1, text });
    expect([phone.gone, lines[0]?.sent]).toEqual([true, ['{"type":"ping","t0":1}']]);
  },
);

test.each([half, `{"name":${deep(9000)}}`, { toString: 1, valueOf: 1 }, 7])(
  "nor does what a call brings: %#",
  (body: unknown) => {
    const { phone } = guest();
    phone.say({ id: 1, method: "POST", path: `${own}/seats`, body });
    expect([phone.gone, asked]).toEqual([true, []]);
  },
);

test("signs in words are not brackets, and whole ones are whole", () => {
  const word = `{"word":"${"[".repeat(99)}\\"[[","a":[]}`;
  for (const text of ["", deep(40), deep(9).repeat(9), word, "🍣"])
    expect(isReadable(text), text).toBe(true);
  const slash = `{"word":"\\\\",${'"a":{'.repeat(40)}`;
  for (const text of [deep(41), slash, "\udf63🍣", 7, null, undefined])
    expect(isReadable(text), String(text)).toBe(false);
});

test("a phone stays awake while others are there, and may sleep when they are gone", async () => {
  let held = 0;
  const request = () => {
    let mine = 1;
    held++;
    const release = () => {
      held -= mine;
      mine = 0;
      return Promise.resolve();
    };
    return Promise.resolve({ release });
  };
  vi.stubGlobal("navigator", { wakeLock: { request } });
  vi.stubGlobal("document", { hidden: false });
  const phones = Array.from({ length: 50 }, () => new Phone());
  for (const phone of phones) guests.welcome(table, phone as unknown as Peer);
  await vi.waitFor(() => expect(held).toBe(1));
  expect(guests.at[table]).toBe(50);
  for (const phone of phones) phone.ended();
  await vi.waitFor(() => expect(held).toBe(0));
  expect(guests.at[table]).toBe(0);
  const hasty = new Phone();
  guests.welcome(table, hasty as unknown as Peer);
  hasty.ended();
  await vi.waitFor(() => expect(held).toBe(0));
});

test("nobody has more lines than a table has seats for, nor says more than people can", () => {
  const { phone } = guest();
  for (let line = 0; line < 17; line++) phone.say({ line, path: `${own}/live` });
  expect([lines.length, phone.gone]).toEqual([16, true]);

  const { phone: flood } = guest();
  flood.say({ line: 1, path: `${own}/live` });
  for (let n = 0; n < 239; n++) flood.say({ line: 1, text: "x" });
  expect(flood.gone).toBe(false);
  flood.say({ line: 1, text: "x" });
  expect(flood.gone).toBe(true);

  const { phone: steady } = guest();
  steady.say({ line: 1, path: `${own}/live` });
  for (let n = 0; n < 2000; n++) {
    vi.advanceTimersByTime(25);
    steady.say({ line: 1, text: "x" });
  }
  expect(steady.gone).toBe(false);
});
