import { beforeEach, expect, test, vi } from "vitest";
import type { here as House } from "./here.svelte";
import type { FromWorker, ToWorker } from "./port";
import { standing } from "./standing.svelte";

/** A worker that tells what it is bidden. */
class Bidden {
  static last: Bidden;
  onerror: ((event: { message?: string }) => void) | null = null;
  onmessage: ((event: { data: FromWorker }) => void) | null = null;
  readonly heard: ToWorker[] = [];
  constructor() {
    Bidden.last = this;
  }
  postMessage(message: ToWorker) {
    this.heard.push(message);
  }
  tell(data: FromWorker) {
    this.onmessage?.({ data });
  }
}

let here: typeof House;
beforeEach(async () => {
  vi.unstubAllGlobals();
  vi.stubGlobal("Worker", Bidden);
  vi.stubGlobal("document", { documentElement: { dataset: {} } });
  vi.stubGlobal("sessionStorage", { getItem: () => null, removeItem: () => {} });
  vi.resetModules();
  ({ here } = await import("./here.svelte"));
});
const stands = async () => (await import("./standing.svelte")).standing as typeof standing;

test("who comes straight to a table waits for it, and is told what for", async () => {
  const standing = await stands();
  here.line("/api/tables/0abc/live");
  expect(standing.awaited).toBe(1);
  Bidden.last.tell({ kind: "elsewhere" });
  expect(standing.awaited).toBe(1);
  Bidden.last.tell({ kind: "told", text: JSON.stringify({ line: 1, open: true }) });
  await vi.waitFor(() => expect(standing.awaited).toBe(0));
});

test("who waits for a slow host is told so before its first bytes", async () => {
  const standing = await stands();
  expect(standing.now.kind).toBe("asleep");
  void here.fetch("/api/games");
  expect(standing.now).toEqual({ kind: "loading", done: 0, all: 0 });
});

test("in a browser that keeps nothing, not even for this tab, one may play", async () => {
  const refuse = () => {
    throw new DOMException("no", "SecurityError");
  };
  vi.stubGlobal("sessionStorage", { getItem: refuse, removeItem: refuse, setItem: refuse });
  const answer = here.fetch("/api/games");
  Bidden.last.tell({ kind: "told", text: JSON.stringify({ id: 1, status: 200, body: "[]" }) });
  expect(await (await answer).json()).toEqual([]);
});

test("a worker that is gone with an older page loads the page anew, once", async () => {
  const noted = new Map<string, string>();
  const reload = vi.fn();
  vi.stubGlobal("location", { reload });
  vi.stubGlobal("navigator", { onLine: true });
  vi.stubGlobal("sessionStorage", {
    getItem: (name: string) => noted.get(name) ?? null,
    setItem: (name: string, text: string) => noted.set(name, text),
    removeItem: (name: string) => noted.delete(name),
  });
  const standing = await stands();
  here.begin();
  Bidden.last.onerror?.({});
  expect(reload).toHaveBeenCalledTimes(1);
  Bidden.last.onerror?.({});
  expect(reload).toHaveBeenCalledTimes(1);
  expect(standing.why).toBe("here.trouble");
});

test("a line that will never open is not waited for", async () => {
  const standing = await stands();
  here.line("/api/tables/0abc/live");
  here.line("/api/tables/0abc/live").close();
  Bidden.last.tell({ kind: "failed", why: "trouble", reason: "" });
  await vi.waitFor(() => expect(standing.awaited).toBe(0));
});

test("who asks for a file waits for it; what is done unseen is not waited for", async () => {
  const standing = await stands();
  const marks = here.marks();
  expect(standing.awaited).toBe(0);
  const file = here.file();
  expect(standing.awaited).toBe(1);
  Bidden.last.tell({ kind: "answered", id: 1, text: "{}" });
  Bidden.last.tell({ kind: "answered", id: 2, text: '"tables"' });
  expect(await marks).toEqual({});
  expect(await file).toBe("tables");
  expect(standing.awaited).toBe(0);
});
