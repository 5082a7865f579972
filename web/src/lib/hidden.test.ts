import { afterEach, describe, expect, it } from "vitest";
import type { TableInfo } from "../wire/frames";
import { cast } from "./cast.svelte";
import { hidden } from "./hidden.svelte";
import { asShown } from "./shown";
import { nameAt } from "./story";

const table = (name: string, table = "abc") =>
  ({
    table,
    seats: [
      { name: "Ada", bot: null },
      { name, bot: null },
    ],
  }) as unknown as TableInfo;

afterEach(() => {
  hidden.showAt("abc", 1);
  hidden.show("Rude");
  cast.meet(null);
});

describe("a hidden name", () => {
  it("is not said at its table, and again when it is shown", () => {
    hidden.hideAt("abc", 1, "Rude");
    expect(nameAt(table("Rude"), 1)).toBe("Player 2");
    expect(nameAt(table("Rude"), 0)).toBe("Ada");
    hidden.showAt("abc", 1);
    expect(nameAt(table("Rude"), 1)).toBe("Rude");
  });

  it("is that of one person at one table", () => {
    hidden.hideAt("abc", 1, "Rude");
    expect(nameAt(table("Bo"), 1)).toBe("Bo");
    expect(nameAt(table("Rude", "other"), 1)).toBe("Rude");
  });

  it("is not said by the coach either, but stays inside of longer words", () => {
    hidden.hideAt("abc", 1, "Rude");
    cast.meet(table("Rude"));
    expect(asShown({ told: "Rude takes Rudeness. (Rude)" })).toEqual({
      told: "Player 2 takes Rudeness. (Player 2)",
    });
  });

  it("of a profile is hidden by itself", () => {
    hidden.hide("Rude");
    expect([hidden.has("Rude"), hidden.has("Ada")]).toEqual([true, false]);
    hidden.show("Rude");
    expect(hidden.has("Rude")).toBe(false);
  });

  it("gives way when too many are kept", () => {
    for (let n = 0; n < 300; n += 1) hidden.hideAt("many", n, "Rude");
    expect(hidden.at("many", 299, "Rude")).toBe(true);
    expect(hidden.at("many", 0, "Rude")).toBe(false);
  });
});

describe("a name that was taken away", () => {
  it("is said in one's own words", () => {
    expect(nameAt(table("somebody"), 1)).toBe("somebody");
    expect(nameAt(table("somebody 2"), 1)).toBe("somebody 2");
  });
});
