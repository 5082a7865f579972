import { afterEach, expect, test, vi } from "vitest";
import { allowShaking, onShake } from "./shake";

afterEach(() => vi.unstubAllGlobals());

function phone(asked: () => Promise<unknown>): EventTarget {
  const page = new EventTarget();
  vi.stubGlobal("addEventListener", page.addEventListener.bind(page));
  vi.stubGlobal("removeEventListener", page.removeEventListener.bind(page));
  vi.stubGlobal("DeviceMotionEvent", { requestPermission: asked });
  return page;
}

test("a phone is asked with the next finger that is lifted, however often the wok was there", () => {
  const asked = vi.fn(() => Promise.reject(new Error("no")));
  const page = phone(asked);
  allowShaking();
  allowShaking();
  expect(asked).not.toHaveBeenCalled();
  page.dispatchEvent(new Event("pointerup"));
  page.dispatchEvent(new Event("pointerup"));
  expect(asked).toHaveBeenCalledTimes(1);
});

test("only a firm shake lets the dice out, and nothing is felt afterwards", () => {
  const page = phone(() => Promise.resolve());
  const out = vi.fn();
  const move = (x: number) =>
    page.dispatchEvent(
      Object.assign(new Event("devicemotion"), { acceleration: { x, y: 0, z: 0 } }),
    );
  const stop = onShake(out);
  move(5);
  expect(out).not.toHaveBeenCalled();
  move(20);
  stop();
  move(20);
  expect(out).toHaveBeenCalledTimes(1);
});
