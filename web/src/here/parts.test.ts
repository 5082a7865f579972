import { expect, test, vi } from "vitest";

const base = "https://host/";
const parts = { version: "1", lock: "", files: { near: 4, far: 3 } };

test("what lies on the shelf is not said to come onto the device", async () => {
  const kept = (url: string | URL) => String(url).endsWith("near");
  const match = (url: string) => Promise.resolve(kept(url) ? new Response("1234") : undefined);
  vi.stubGlobal("caches", { open: () => Promise.resolve({ match, put: () => Promise.resolve() }) });
  vi.stubGlobal("fetch", () => Promise.resolve(new Response("123")));
  const { Getting } = await import("./parts");
  const came = vi.fn();
  const getting = new Getting(base, parts, came);
  await getting.get("near");
  expect(came).not.toHaveBeenCalled();
  await getting.get("far");
  expect(came).toHaveBeenLastCalledWith(7, 7);
});
