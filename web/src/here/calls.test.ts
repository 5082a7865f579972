import { beforeEach, expect, test, vi } from "vitest";
import { Calls } from "./calls";

beforeEach(() => {
  vi.stubGlobal("WebSocket", { CONNECTING: 0, OPEN: 1, CLOSING: 2, CLOSED: 3 });
});

/** How many still wait to hear more. */
const waiting = (calls: Calls) => {
  const { calls: asked, lines } = calls as unknown as Record<string, Map<number, unknown>>;
  return (asked?.size ?? 0) + (lines?.size ?? 0);
};

test("of lines and calls that are over nothing stays", async () => {
  const said: object[] = [];
  const calls = new Calls((message) => said.push(message), false);
  for (let times = 0; times < 50; times++) {
    calls.line("/live").close();
    calls.line("/live");
    calls.hear({ line: 2 * times + 2, close: 4404 });
  }
  expect(waiting(calls)).toBe(0);
  expect(said.filter((message) => "close" in message)).toHaveLength(50);
  const answer = calls.fetch("/api/games");
  expect(waiting(calls)).toBe(1);
  calls.hear({ id: 101, status: 200, body: "{}" });
  expect((await answer).status).toBe(200);
  calls.end("away");
  const closed = vi.fn();
  calls.line("/live").onclose = closed;
  await vi.waitFor(() => expect(closed).toHaveBeenCalledWith({ code: 1001 }));
  expect(waiting(calls)).toBe(0);
});
