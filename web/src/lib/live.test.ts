import { afterEach, expect, test, vi } from "vitest";
import { Live } from "./live.svelte";

class Socket {
  static readonly OPEN = 1;
  static all: Socket[] = [];
  readyState = 1;
  sent: Record<string, unknown>[] = [];
  onopen = () => {};
  onmessage = (_: { data: string }) => {};
  onclose = (_: { code: number }) => {};
  constructor() {
    Socket.all.push(this);
  }
  send(text: string) {
    this.sent.push(JSON.parse(text) as Record<string, unknown>);
  }
  close() {}
}

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  Socket.all = [];
});

function line(): { live: Live; socket: Socket } {
  vi.useFakeTimers();
  vi.stubGlobal("WebSocket", Socket);
  vi.stubGlobal("location", { protocol: "http:", host: "here" });
  const live = new Live("table", null);
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
    hear({ type: "state", seat: 0, log: [], table: { games: 1 }, legal, race });
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
  socket.onclose({ code });
  expect(live.status).toBe(status);
  live.close();
});
