import { beforeEach, describe, expect, it, vi } from "vitest";
import { setTurn, setTurns } from "./badge";
import { forgetTable, keepSeat } from "./prefs.svelte";

const set = vi.fn(() => Promise.resolve());
const clear = vi.fn(() => Promise.resolve());

describe("the number on the app's sign", () => {
  beforeEach(async () => {
    Object.assign(navigator, { setAppBadge: set, clearAppBadge: clear });
    for (const table of ["a", "b", "c"]) {
      forgetTable(table);
      keepSeat(table, { seat: 0, token: `t-${table}` });
    }
    await setTurns([]);
    vi.clearAllMocks();
  });

  it("counts the tables that wait for me, each once, and goes with the last", async () => {
    await setTurn("a", true);
    await setTurn("b", true);
    await setTurn("a", true);
    expect(set.mock.calls).toEqual([[1], [2], [2]]);
    await setTurn("a", false);
    expect(set).toHaveBeenLastCalledWith(1);
    await setTurn("b", false);
    expect(clear).toHaveBeenCalledTimes(1);
  });
  it("forgets tables at which I have no seat any more", async () => {
    await setTurns(["a", "b", "c", "gone"]);
    expect(set).toHaveBeenLastCalledWith(3);
    forgetTable("b");
    await setTurn("c", false);
    expect(set).toHaveBeenLastCalledWith(1);
  });
  it("counts those of which I was told and that I have not looked at", async () => {
    const getNotifications = () => Promise.resolve([{ tag: "b" }, { tag: "a" }, { tag: "" }]);
    const getRegistration = () => Promise.resolve({ getNotifications });
    Object.defineProperty(navigator, "serviceWorker", {
      value: { getRegistration },
      configurable: true,
    });
    await setTurn("a", true);
    expect(set).toHaveBeenLastCalledWith(2);
    await setTurn("a", false);
    expect(set).toHaveBeenLastCalledWith(1);
    Object.defineProperty(navigator, "serviceWorker", { value: undefined, configurable: true });
  });
  it("is no trouble where there is none", async () => {
    Object.assign(navigator, { setAppBadge: () => Promise.reject(new Error("no")) });
    await setTurn("a", true);
    Object.assign(navigator, { setAppBadge: undefined, clearAppBadge: undefined });
    await setTurn("a", false);
  });
});
