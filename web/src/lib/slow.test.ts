import { expect, test } from "vitest";
import { isSlow, momentOf } from "./slow";

test("a day or more for a move is slow", () => {
  expect(["relaxed", "normal", "quick", "day", "three_days", "week"].filter(isSlow)).toEqual([
    "day",
    "three_days",
    "week",
  ]);
});

test("a near moment has its weekday, one in a week its date, too", () => {
  const now = new Date(2026, 10, 18, 12, 0).getTime();
  const near = momentOf(new Date(2026, 10, 19, 18, 0).getTime(), now);
  expect(near).toContain("Thursday");
  expect(near).toContain("18:00");
  expect(near).not.toContain("19");
  expect(momentOf(new Date(2026, 10, 19, 0, 5).getTime(), now)).toBe("Thursday 00:05");
  expect(momentOf(new Date(2026, 10, 25, 12, 0).getTime(), now)).toContain("November");
});
