import { afterEach, expect, test, vi } from "vitest";
import { Live } from "./live.svelte";

class Socket {
  static readonly OPEN = 1;
  static all: Socket[] = [];
  readyState = 1;
  sent: Record<string, unknown>[] = [];
  onopen = () => {};
  onmessage = (_: { data: string }) => {};
  onclose: ((_: { code: number }) => void) | null = () => {};
  constructor() {
    Socket.all.push(this);
  }
  send(text: string) {
    this.sent.push(JSON.parse(text) as Record<string, unknown>);
  }
  close() {
    this.readyState = 2;
  }
}

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  Socket.all = [];
});

function line(token: string | null = null): { live: Live; socket: Socket } {
  vi.useFakeTimers();
  vi.stubGlobal("WebSocket", Socket);
  vi.stubGlobal("location", { protocol: "http:", host: "here" });
  const live = new Live("table", token);
  const socket = Socket.all[0];
  if (!socket) throw new Error("no socket");
  return { live, socket };
}

test("the time of a pong is echoed at once, and only once", () => {
  const { live, socket } = line();
  const pong = (t0: unknown, t1: number) =>
    socket.onmessage({ data: JSON.stringify({ type: "pong", t0, t1 }) });
  socket.onopen();
  vi.advanceTimersByTime(1);
  const pings = () => socket.sent.filter((frame) => frame["type"] === "ping");
  expect(pings()).toHaveLength(1);
  pong(pings()[0]?.["t0"], 77);
  expect(pings()).toHaveLength(2);
  expect(pings()[1]?.["echo"]).toBe(77);
  pong(pings()[1]?.["t0"], 78);
  expect(pings()).toHaveLength(2);
  vi.advanceTimersByTime(10_000);
  expect(pings().filter((ping) => "echo" in ping)).toHaveLength(1);
  live.close();
});

test("why a deed was refused is told until another race or turn, not until the next frame", () => {
  const { live, socket } = line();
  const hear = (message: object) => socket.onmessage({ data: JSON.stringify(message) });
  const state = (race: object, legal: object = {}) =>
    hear({ type: "state", seat: 0, log: [], news: [], table: { games: 1 }, legal, race });
  const refuse = () =>
    hear({ type: "refused", id: null, code: "one_deed", reason: "", fields: {} });
  state({ show_at: 5 });
  refuse();
  state({ show_at: 5 }); // somebody's line was measured
  expect(live.refused?.code).toBe("one_deed");
  state({ show_at: null, photo: [] });
  expect(live.refused?.code).toBe("one_deed");
  state({ show_at: 9 });
  expect(live.refused).toBeNull();
  refuse();
  state({ show_at: null, photo: [] }, { "0": [{ do: "give" }] });
  expect(live.refused).toBeNull();
  live.close();
});

test("what speaks against a move is asked for and told where refusals are, and nothing waits", () => {
  const { live, socket } = line();
  const hear = (message: object) => socket.onmessage({ data: JSON.stringify(message) });
  live.ask({ do: "take" });
  expect(socket.sent.at(-1)).toMatchObject({ type: "ask", move: { do: "take" } });
  expect(live.waits).toBe(false);
  const { id } = socket.sent.at(-1) ?? {};
  hear({ type: "told", id, legal: false, code: "not_your_turn", reason: "", fields: {} });
  expect(live.refused?.code).toBe("not_your_turn");
  live.ask({ do: "take" });
  hear({ type: "told", id, legal: true });
  expect(live.refused).toBeNull();
  live.close();
});

test.each([
  [4401, "stranger"],
  [4404, "gone"],
  [4429, "lost"],
  [1013, "lost"],
])("a line that is closed with %i is %s", (code, status) => {
  const { live, socket } = line();
  socket.onclose?.({ code });
  expect(live.status).toBe(status);
  live.close();
});

const pongs = (socket: Socket) => {
  for (const { type, t0, echo } of [...socket.sent])
    if (type === "ping" && echo === undefined)
      socket.onmessage({ data: JSON.stringify({ type: "pong", t0, t1: 1 }) });
};

test("a line of which nothing is heard is given up within six seconds, and tried again", () => {
  const { live, socket } = line();
  socket.onopen();
  for (let second = 0; second < 60; second++) {
    vi.advanceTimersByTime(1000);
    pongs(socket);
  }
  expect(live.status).not.toBe("lost");
  vi.advanceTimersByTime(4900);
  expect(live.status).not.toBe("lost");
  vi.advanceTimersByTime(1000);
  expect(live.status).toBe("lost");
  vi.advanceTimersByTime(300);
  expect(Socket.all).toHaveLength(2);
  live.close();
});

test("when the network changes the line must answer at once, and a lost one is tried at once", () => {
  const changes = new EventTarget();
  vi.stubGlobal("addEventListener", changes.addEventListener.bind(changes));
  vi.stubGlobal("removeEventListener", changes.removeEventListener.bind(changes));
  const { live, socket } = line();
  socket.onopen();
  vi.advanceTimersByTime(1000);
  pongs(socket);
  changes.dispatchEvent(new Event("offline"));
  vi.advanceTimersByTime(1500);
  pongs(socket);
  vi.advanceTimersByTime(1500);
  expect(live.status).not.toBe("lost"); // whoever plays at home needs no network
  changes.dispatchEvent(new Event("offline"));
  vi.advanceTimersByTime(2500);
  expect(live.status).toBe("lost");
  changes.dispatchEvent(new Event("online"));
  expect(Socket.all).toHaveLength(2);
  changes.dispatchEvent(new Event("online"));
  vi.advanceTimersByTime(1000);
  expect(Socket.all).toHaveLength(2);
  live.close();
});

test("the table is asked to wait from the first reason to the last, and anew after a broken line", () => {
  const { live, socket } = line("a seat");
  const holds = (from: Socket) => from.sent.filter(({ type }) => type === "hold");
  socket.onopen();
  expect(socket.sent[0]).toMatchObject({ hold: true }); // until the table is drawn
  live.hold("start", false);
  live.hold("scenes", true);
  live.hold("sheet", true);
  live.hold("scenes", false);
  expect(holds(socket).map(({ on }) => on)).toEqual([false, true]);
  socket.onclose?.({ code: 1006 });
  vi.advanceTimersByTime(300);
  Socket.all[1]?.onopen();
  expect(Socket.all[1]?.sent[0]).toMatchObject({ type: "hello", hold: true, pings: true });
  live.hold("sheet", false);
  expect(holds(Socket.all[1] ?? socket)).toEqual([{ type: "hold", on: false }]);
  live.close();
});

test("a move that waits is told of after a moment, until it is answered", () => {
  const { live, socket } = line();
  live.move({ do: "take" });
  vi.advanceTimersByTime(300);
  expect(live.sending).toBe(false);
  vi.advanceTimersByTime(200);
  expect(live.sending).toBe(true);
  const { id } = socket.sent.at(-1) ?? {};
  socket.onmessage({
    data: JSON.stringify({ type: "refused", id, code: "over", reason: "", fields: {} }),
  });
  expect(live.sending).toBe(false);
  live.close();
});

test("reactions are shown, and nobody is told that they were too many", () => {
  const { live, socket } = line();
  const seen: unknown[] = [];
  live.reacted = (...what) => seen.push(what);
  live.react("laugh");
  expect(socket.sent.at(-1)).toEqual({ type: "react", with: "laugh", id: "react" });
  const hear = (message: object) => socket.onmessage({ data: JSON.stringify(message) });
  hear({ type: "refused", id: "react", code: "too_fast", reason: "", fields: {} });
  expect(live.refused).toBeNull();
  hear({ type: "reaction", seat: 2, with: "heart" });
  expect(seen).toEqual([[2, "heart"]]);
  live.close();
});
