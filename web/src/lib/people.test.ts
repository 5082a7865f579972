import { expect, test } from "vitest";
import type { SeatInfo } from "../wire/frames";
import { awaitedAt, awayAt, isAway } from "./people";

const seat = (found: Partial<SeatInfo>) =>
  ({ name: "Bo", bot: null, here: true, holds: false, ...found }) as SeatInfo;
const at = (...seats: SeatInfo[]) => ({ table: { seats } });

test("who is away is a person whose line is gone, not a bot and not a free seat", () => {
  const table = at(
    seat({}),
    seat({ here: false }),
    seat({ bot: "easy", here: false }),
    seat({ name: null, here: false }),
  );
  expect(awayAt(table)).toEqual([1]);
  expect(isAway(table, 1)).toBe(true);
  expect(isAway(table, 9)).toBe(false);
});

test("others are awaited once one is ready oneself", () => {
  const table = at(seat({}), seat({ holds: true }), seat({ holds: true }));
  expect(awaitedAt({ ...table, seat: 0 })).toEqual([1, 2]);
  expect(awaitedAt({ ...table, seat: null })).toEqual([1, 2]);
  expect(awaitedAt({ ...table, seat: 1 })).toEqual([]);
});
