import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { grace, leaving } from "./leaving.svelte";
import { keepSeat, seatsAt } from "./prefs.svelte";

const table = "abcdefghijkm";
const asked = vi.fn<(path: string) => Promise<Response>>();
const answered = (status: number) => Promise.resolve(new Response("{}", { status }));

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("fetch", asked.mockReset());
  keepSeat(table, { seat: 0, token: "mine" });
  leaving.getUp(table);
});
afterEach(() => {
  leaving.stay(table);
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe("getting up", () => {
  it("is done when one has had time to think better of it", async () => {
    asked.mockReturnValue(answered(200));
    await vi.advanceTimersByTimeAsync(grace - 1);
    expect(asked).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(asked).toHaveBeenCalledOnce();
    expect(seatsAt(table)).toEqual([]);
    expect(leaving.isUp(table)).toBe(false);
  });
  it("is told again while the server is out of reach: else the seat is nobody's, and all wait", async () => {
    asked.mockRejectedValueOnce(new TypeError("no line")).mockReturnValue(answered(200));
    await vi.advanceTimersByTimeAsync(grace);
    expect(asked).toHaveBeenCalledOnce();
    expect(seatsAt(table)).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(grace);
    expect(asked).toHaveBeenCalledTimes(2);
    expect(seatsAt(table)).toEqual([]);
    expect(leaving.isUp(table)).toBe(false);
  });
  it("is over where the table knows nobody there any more", async () => {
    asked.mockReturnValue(answered(404));
    await vi.advanceTimersByTimeAsync(grace);
    expect(seatsAt(table)).toEqual([]);
    expect(leaving.isUp(table)).toBe(false);
  });
});
