import { expect, test } from "vitest";
import type { Frame } from "../../lib/live.svelte";
import { did, oddities, oddOf, sign, time, timed, why } from "./photo";

const seats = [{ name: "Ada" }, { name: "Bo" }];
const deed = {
  do: "slap",
  tile: ["rice", "red"],
  claimed: 400,
  lag: 40,
  uncertainty: 4,
  handicap: 0,
};
const frameOf = (photo: object[] | null) =>
  ({ seat: null, table: { seats }, race: { show_at: null, photo } }) as unknown as Frame;

test("deeds are told by time; what an older server leaves out is nothing", () => {
  const frame = frameOf([
    { ...deed, seat: 1, at: 500, window: 60, odd: ["far"] },
    { ...deed, seat: 0, at: 400 },
  ]);
  expect(timed(frame).map(({ seat, window, odd }) => [seat, window, odd])).toEqual([
    [0, 0, []],
    [1, 60, ["far"]],
  ]);
  expect(timed(frameOf(null))).toEqual([]);
});

test("what is odd is said in words, with a name, and only once a player", () => {
  const frame = frameOf([
    { ...deed, seat: 1, at: 500, odd: ["far", "clamped", "news from later"] },
    { ...deed, seat: 1, do: "name", thief: "ant", at: 600, odd: ["clamped"] },
    { ...deed, seat: 0, at: 400, odd: [] },
  ]);
  expect(oddOf(timed(frame), 1)).toEqual(["clamped", "far"]);
  expect(oddities(frame, timed(frame))).toBe("Bo: time corrected, very far away");
  expect(oddities(frameOf([]), [])).toBe("");
});

test("deeds and verdicts are said in a few words", () => {
  expect(did({ do: "slap", tile: ["rice", "red"] })).toBe("slaps the tile “red rice”");
  expect(did({ do: "grab", squeak: true })).toBe("grabs: squeak!");
  expect(did({ do: "name", thief: "rat" })).toBe("says rat");
  expect(time(412.4)).toBe("412 ms");
  const verdict = { good: false, why: "wrong_thief" } as const;
  expect(`${sign(verdict)} ${why(verdict)}`).toBe("✗ wrong thief");
  expect(sign({ good: true, why: "right_first" })).toBe("✓");
});
