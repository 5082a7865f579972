import { expect, test } from "vitest";
import type { TableInfo } from "../wire/frames";
import { houseRules } from "./options";

test("how far a slow connection is made up for is told where it is not the usual", () => {
  const told = (cap: Partial<TableInfo>) =>
    houseRules({ game: "one", options: {}, hints: false, ...cap } as TableInfo);
  expect(told({})).toEqual([]);
  expect(told({ lag_cap: null })).toEqual([]);
  expect(told({ lag_cap: 150 })).toEqual(["Help friends with a slow connection: a little"]);
  expect(told({ lag_cap: 0 })).toEqual(["Help friends with a slow connection: not at all"]);
});
