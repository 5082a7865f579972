import { afterEach, beforeEach, expect, test, vi } from "vitest";

/** What makes sounds here: it notes when each of them is to be heard. */
class Speaker {
  static state = "suspended";
  static wakes = () => Promise.resolve();
  static resumed = 0;
  static heard: number[] = [];
  readonly currentTime = 7;
  get state() {
    return Speaker.state;
  }
  resume() {
    Speaker.resumed += 1;
    return Speaker.wakes().then(() => void (Speaker.state = "running"));
  }
}
class Part {
  frequency = { linearRampToValueAtTime: () => {} };
  gain = { setValueAtTime: () => {}, exponentialRampToValueAtTime: () => {} };
  connect = (to: unknown) => to;
  start = (at: number) => Speaker.heard.push(at);
  stop = () => {};
}

beforeEach(() => {
  vi.resetModules();
  vi.useFakeTimers();
  Object.assign(Speaker, { state: "suspended", resumed: 0, heard: [] });
  Speaker.wakes = () => Promise.resolve();
  for (const [name, stub] of Object.entries({ AudioContext: Speaker, OscillatorNode: Part }))
    vi.stubGlobal(name, stub);
  vi.stubGlobal("GainNode", Part);
  vi.stubGlobal("navigator", { languages: ["en"], userActivation: { hasBeenActive: true } });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("the first sound is heard as soon as the page may be", async () => {
  const { play } = await import("./sound");
  play("turn");
  await vi.advanceTimersByTimeAsync(0);
  play("plate", 1);
  expect(Speaker.heard).toEqual([7, 8]);
});

test("a page that nobody has touched collects no sounds for later", async () => {
  vi.stubGlobal("navigator", { languages: ["en"], userActivation: { hasBeenActive: false } });
  const { play } = await import("./sound");
  for (let nth = 0; nth < 50; nth++) play("turn");
  Speaker.state = "running";
  await vi.advanceTimersByTimeAsync(1000);
  expect([Speaker.heard, Speaker.resumed]).toEqual([[], 0]);
});

test("what was silenced for long is not heard all at once, and a refusal troubles nobody", async () => {
  const { play } = await import("./sound");
  Speaker.wakes = () => new Promise((done) => setTimeout(done, 60_000));
  play("turn");
  Speaker.wakes = () => Promise.reject(new Error("not now"));
  play("turn");
  await vi.advanceTimersByTimeAsync(60_000);
  expect(Speaker.heard).toEqual([]);
  play("turn");
  expect(Speaker.heard).toEqual([7]);
});
