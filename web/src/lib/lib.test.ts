import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { initials } from "../games/kakerlaken/keys";
import { fitting, oval, painted } from "../games/kakerlaken/tiles";
import { placeOn, spread, step, trackIn } from "../games/buffet/track";
import { apart, range, sorted, steps } from "./coach";
import { Clock, deedTime, median } from "./clock";
import { Fair, verify } from "./fair";
import { blocks, timed } from "./markdown";
import { languages, prefs, type Language } from "./prefs.svelte";
import { hex, sha256 } from "./sha256";
import { typeset } from "./typeset";
import { say, tell } from "./words";

describe("the clock", () => {
  it("takes the median of several pings", () => {
    const clock = new Clock();
    for (const [sent, trip] of [
      [0, 20],
      [100, 400],
      [600, 22],
    ] as const)
      clock.add(sent, sent + trip / 2 + 5000, sent + trip);
    expect(clock.offset).toBe(5000);
    expect(clock.trip).toBe(22);
    expect(clock.spread).toBe(190);
    expect(clock.here(6000)).toBe(1000);
    expect(median([])).toBe(0);
  });

  it("times a deed by its event, never before the dice and never in the future", () => {
    expect(deedTime(1500, 1510, 1000)).toBe(500);
    expect(deedTime(9999, 1510, 1000)).toBe(510);
    expect(deedTime(0, 1510, 1000)).toBe(510);
    expect(deedTime(900, 1510, 1000)).toBe(0);
  });
});

describe("fair dice", () => {
  const seed = "7f83b1657ff1fc53b92dc18148a1d65dfc2d4b1fa3d677284addd200126d9069";

  it("makes the fingerprints that everybody makes", () => {
    expect(hex(sha256(""))).toBe(
      "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    );
    expect(hex(sha256("a".repeat(200)))).toBe(
      "c2a908d98f5df987ade41b5fce213067efbcc21ef2240212a41e54b5e7c28ae5",
    );
    expect(hex(sha256(seed))).toBe(
      "4163fb4ab9e1e0a51709a51bc7e13ab6792907905960145c722d2c1479caac42",
    );
  });

  it("rolls the dice of the worked example", () => {
    const fair = new Fair([seed, "blue elephant", "pancake", "sushizock", "2", ""].join("\n"));
    expect([0, 1, 2, 3, 4].map(() => fair.below(6))).toEqual([4, 4, 2, 0, 5]);
  });

  for (const game of ["sushizock", "buffet", "kakerlaken"])
    it(`finds a whole game of ${game} fair, and a changed one not`, () => {
      const record = readFileSync(`src/lib/testdata/${game}.jsonl`, "utf8");
      const found = verify(record);
      expect(found.ok && found.agreed > 0).toBe(true);
      const lines = record.split("\n");
      const other = JSON.parse(lines[1] ?? "") as { starter: number };
      lines[1] = JSON.stringify({ ...other, starter: other.starter ? 0 : 1 });
      expect(verify(lines.join("\n"))).toEqual({ ok: false, line: 1 });
      expect(verify(record.replace(/"seed":"./, '"seed":"x'))).toEqual({ ok: false, line: 0 });
    });
});

describe("pictures", () => {
  it("paints on a plate all that its combination lacks", () => {
    for (const [symbol, colour] of painted(["rice", "red"])) {
      expect(symbol).not.toBe("rice");
      expect(colour).not.toBe("red");
    }
    expect(new Set(painted(["rice", "red"]).map(String)).size).toBe(4);
  });

  it.each([0, 5, 12, 20, 39, -1, 41])("spreads six mice that share space %i", (run) => {
    for (const track of [trackIn(382, 210), trackIn(1040, 770)]) {
      const mice = spread(Array<number>(6).fill(run), track);
      mice.forEach((one, i) => {
        expect(one.x).toBeGreaterThanOrEqual(track.mouse / 2);
        expect(one.x).toBeLessThanOrEqual(track.width - track.mouse / 2);
        expect(one.y).toBeGreaterThanOrEqual(track.mouse / 2);
        expect(one.y).toBeLessThanOrEqual(track.height - track.mouse / 2);
        for (const other of mice.slice(i + 1))
          expect(Math.hypot(one.x - other.x, one.y - other.y)).toBeGreaterThan(track.mouse * 0.78);
      });
    }
  });

  it("leaves a mouse that is alone on its space", () => {
    const track = trackIn(382, 250);
    const [first] = spread([7, 30], track);
    expect(first?.x).toBeCloseTo(placeOn(7, track).x, 0);
    expect(first?.y).toBeCloseTo(placeOn(7, track).y, 0);
  });

  it("lays nine plates in any box so that none touches another", () => {
    for (const [width, height] of [
      [374, 374],
      [374, 470],
      [800, 560],
      [360, 240],
    ] as const) {
      const { plate, places } = oval(9, width, height);
      expect(places[0]?.x).toBeCloseTo(width / 2);
      places.forEach((one, i) => {
        expect(one.x - plate / 2).toBeGreaterThanOrEqual(-0.01);
        expect(one.y + plate / 2).toBeLessThanOrEqual(height + 0.01);
        for (const other of places.slice(i + 1))
          expect(Math.hypot(one.x - other.x, one.y - other.y)).toBeGreaterThan(plate);
      });
    }
  });

  it("makes won tiles as large as their box allows", () => {
    expect(fitting(1, 60, 80)).toBe(59);
    expect(fitting(2, 60, 100)).toBe(49);
    expect(fitting(5, 64, 96)).toBe(31);
  });

  it("lays places round the track", () => {
    const track = trackIn(382, 250);
    expect(placeOn(0, track)).toEqual({ x: track.margin, y: track.margin });
    expect(placeOn(40, track)).toEqual(placeOn(0, track));
    expect(placeOn(-1, track)).toEqual(placeOn(39, track));
    expect(step([0, 5, 3], [2, 4, 3])).toEqual([1, 4, 3]);
  });
});

it("reads the little of Markdown that the rules use", () => {
  const found = blocks("# Title\n\nA **bold** word\ngoes on.\n\n- one\n1. two\n");
  expect(found.map((block) => block.kind)).toEqual(["h1", "p", "li", "li"]);
  expect(found[1]?.parts.map((part) => part.text).join("")).toBe("A bold word goes on.");
});

function inLanguage<T>(language: Language, told: () => T): T {
  prefs.setLanguage(language);
  const found = told();
  prefs.setLanguage("en");
  return found;
}

describe("the times in the rules", () => {
  const times = (language: Language, options: Record<string, unknown>) => {
    const page = readFileSync(`../src/tischlein/games/kakerlaken/rulebook/${language}.md`, "utf8");
    const told = inLanguage(language, () => timed(page, options));
    return [...told.matchAll(/`\w+_ms`\W+([\d.,]*\d)/g)].map((found) => found[1]);
  };

  it.each(languages)("are the usual ones, and those of the table: %s", (language) => {
    expect(times(language, {})).toEqual(["8", "3"]);
    expect(times(language, { race_ms: 12000, young: true })).toEqual(["12", "3"]);
    const half = language === "en" ? "1.5" : "1,5";
    expect(times(language, { naming_ms: 1500 })).toEqual(["8", half]);
  });
});

describe("words", () => {
  it.each([
    ["en", "ACRS"],
    ["de", "AKRQ"],
    ["fr", "FCRO"],
    ["it", "FSTQ"],
  ] as const)("give the keys of a race: %s", (language, keys) => {
    const thieves = ["ant", "cockroach", "rat"] as const;
    const buttons = () => [...thieves.map((thief) => tell(`thief.${thief}`)), say("squeak")];
    expect(initials(inLanguage(language, buttons)).join("")).toBe(keys);
  });

  it.each([
    ["en", "Bone", "Bones", "1 bone", "2 bones"],
    ["de", "Gräte", "Gräten", "1 Gräte", "2 Gräten"],
    ["fr", "Arête", "Arêtes", "1 arête", "2 arêtes"],
    ["it", "Lisca", "Lische", "1 lisca", "2 lische"],
  ] as const)("tell one from many: %s", (language, ...words) => {
    const told = () => [
      say("bones", { n: 1 }),
      say("bones"),
      say("bonesMany", { n: 1 }),
      say("bonesMany", { n: 2 }),
    ];
    expect(inLanguage(language, told)).toEqual(words);
  });
});

describe("typesetting", () => {
  it("puts narrow spaces and curly apostrophes where French and Italian books have them", () => {
    expect(typeset("C'est parti !", "fr")).toBe("C’est parti\u202f!");
    expect(typeset("Place {n} : prise", "fr")).toBe("Place {n}\u00a0: prise");
    expect(typeset("l'altro", "it")).toBe("l’altro");
    expect(typeset("So geht's", "de")).toBe("So geht's");
  });
});

describe("the coach", () => {
  const account = { start: 0.334, luck: 0.204, own: -0.104, others: -0.434, share: 0 };

  it("rounds the luck ledger so that its steps still sum to the result", () => {
    const found = steps(account);
    expect(found.map(({ from, to }) => to - from)).toEqual([33, 21, -11, -43, 0]);
    expect(found[3]?.to).toBe(found[4]?.to);
    expect(range(found)).toEqual([0, 100]);
    expect(range(steps({ ...account, luck: 0.9, own: -1.5 }))).toEqual([-70, 123]);
  });

  it("tells one's own mistakes first, the costliest on top", () => {
    const mistake = { told: "", better: "", why: "" };
    const all = [
      { ...mistake, number: 3, seat: 0, lost: 0.4 },
      { ...mistake, number: 5, seat: 1, lost: 0.1 },
      { ...mistake, number: 9, seat: 1, lost: 0.2 },
    ];
    expect(sorted(all, 1).map(({ number }) => number)).toEqual([9, 5, 3]);
    expect(sorted(all, null).map(({ number }) => number)).toEqual([3, 9, 5]);
  });

  it("moves faces apart and keeps them on the picture", () => {
    expect(apart([50, 50, 10], 20, 100)).toEqual([50, 70, 10]);
    expect(apart([100, 95, 0], 20, 100)).toEqual([100, 80, 0]);
  });
});
