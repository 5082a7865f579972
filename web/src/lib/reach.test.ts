import { expect, test, vi } from "vitest";

vi.mock("../here/parts", () => ({ keptAt: () => Promise.resolve({}) }));
vi.mock("../here/here.svelte", () => ({
  here: { fetch: () => Promise.resolve(new Response("{}", { status: 201 })) },
}));

test("a gateway that answers for a server that is gone is no server", async () => {
  const { reach } = await import("./reach");
  for (const status of [502, 504]) {
    vi.stubGlobal("fetch", () => Promise.resolve(new Response("<html>", { status })));
    expect((await reach("/api/tables", { method: "POST" })).status).toBe(201);
    await expect(reach("/api/mine", { method: "POST" })).rejects.toThrow("no server");
  }
  vi.stubGlobal("fetch", () => Promise.resolve(new Response("{}", { status: 503 })));
  expect((await reach("/api/tables", { method: "POST" })).status).toBe(503);
});
