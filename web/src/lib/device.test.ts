import { afterEach, expect, test, vi } from "vitest";
import { Device } from "./device.svelte";
import { forgetTable, keepSeat, seatsAt } from "./prefs.svelte";

class Socket {
  send() {}
  close() {}
}

afterEach(() => {
  forgetTable("here");
  vi.unstubAllGlobals();
});

test("seats that share a device keep step, and only the one that sees no secrets is heard", () => {
  vi.stubGlobal("WebSocket", Socket);
  vi.stubGlobal("location", { protocol: "http:", host: "here" });
  for (const seat of [0, 1]) keepSeat("here", { seat, token: `seat ${seat}` });
  const device = new Device("here", false);
  const all = () => [...device.lives, device.teller].map((live) => live?.scenes);
  expect(all().map((scenes) => [scenes?.shared, scenes?.loud])).toEqual([
    [true, false],
    [true, false],
    [true, true],
  ]);
  const [, second] = device.lives;
  if (second) device.remove(second);
  expect(device.lives.map(({ scenes }) => [scenes.shared, scenes.loud])).toEqual([[false, true]]);
  expect(seatsAt("here")).toHaveLength(1);
  device.close();
});
