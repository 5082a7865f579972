import { afterEach, describe, expect, it } from "vitest";
import type { TableInfo } from "../wire/frames";
import { cast } from "./cast.svelte";
import { hidden } from "./hidden.svelte";
import { atTable, inCup } from "./hiding";
import { asShown } from "./shown";
import { nameAt } from "./story";
import { calledBy } from "./together";

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
  hidden.showIn("cup1", "Rude");
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

describe("a name that is hidden in a tournament", () => {
  const ofCup = (name: string, at: string) => ({ ...table(name, at), cup: "cup1" });

  it("is hidden at its tables, also in lists that do not tell of the tournament", () => {
    hidden.learn("cup1", ["abc"]);
    inCup("cup1", 4, "Rude").hide();
    expect(inCup("cup1", 4, "Rude").called).toBe("Player 5");
    expect(nameAt(ofCup("Rude", "abc"), 1)).toBe("Player 2");
    expect(nameAt(ofCup("Rude", "def"), 1)).toBe("Player 2");
    expect(calledBy("Rude", null, 1, "abc")).toBe("Player 2");
    expect(calledBy("Ada", null, 0, "abc")).toBe("Ada");
    cast.meet(ofCup("Rude", "def"));
    expect(asShown("Rude takes it.")).toBe("Player 2 takes it.");
    expect(inCup("cup2", 4, "Rude").called).toBe("Rude");
    expect(nameAt(table("Rude"), 1)).toBe("Player 2");
    expect(nameAt(table("Rude", "elsewhere"), 1)).toBe("Rude");
    inCup("cup1", 4, "Rude").show();
    expect(calledBy("Rude", null, 1, "abc")).toBe("Rude");
    expect(hidden.has("Rude")).toBe(false);
  });

  it("may be hidden at one of its tables, and shown again at another", () => {
    atTable(ofCup("Rude", "abc"), 1).hide();
    expect(inCup("cup1", 4, "Rude").isHidden).toBe(true);
    expect(atTable(ofCup("Rude", "def"), 0).isHidden).toBe(false);
    atTable(ofCup("Rude", "def"), 1).show();
    expect(inCup("cup1", 4, "Rude").isHidden).toBe(false);
    expect(atTable(ofCup("Rude", "abc"), 1).isHidden).toBe(false);
  });

  it("is that of one person: whoever has another name is seen", () => {
    inCup("cup1", 4, "Rude").hide();
    expect(inCup("cup1", 4, "Mia").called).toBe("Mia");
  });
});

describe("a name that was taken away", () => {
  it("is said in one's own words", () => {
    expect(nameAt(table("somebody"), 1)).toBe("somebody");
    expect(nameAt(table("somebody 2"), 1)).toBe("somebody 2");
    expect(inCup("cup1", 1, "somebody 2").called).toBe("somebody 2");
    expect(calledBy("somebody", null, 1, "abc")).toBe("somebody");
  });
});
