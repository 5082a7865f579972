import { expect, test } from "vitest";
import { bytes, canAsk, deviceName, isNumber, text } from "./passkey";

test("bytes come through as they went", () => {
  for (const n of [0, 1, 2, 3, 16, 255]) {
    const given = Uint8Array.from({ length: n }, (_, i) => (i * 37 + n) % 256);
    expect(bytes(text(given.buffer))).toEqual(given);
    expect(text(given.buffer)).toMatch(/^[\w-]*$/);
  }
});

test("a device is asked on a safe page with a name alone", () => {
  expect(isNumber("192.168.1.8")).toBe(true);
  expect(isNumber("[::1]")).toBe(true);
  expect(isNumber("table.example")).toBe(false);
  expect(canAsk("localhost", false)).toBe(false);
  expect(canAsk("127.0.0.1", true)).toBe(false);
});

test("a device has a name that its owner knows it by", () => {
  const agent =
    "Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/140 Mobile Safari/537.36";
  expect(deviceName(agent)).toBe("Android · Chrome");
  expect(deviceName("Mozilla/5.0 (iPhone; CPU) AppleWebKit Safari/604")).toBe("iPhone · Safari");
  expect(deviceName("")).toBe("");
});
