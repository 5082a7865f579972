import { expect, it } from "vitest";
import { fitting, oval, painted } from "./tiles";

it("paints on a plate all that its combination lacks", () => {
  for (const [symbol, colour] of painted(["rice", "red"])) {
    expect(symbol).not.toBe("rice");
    expect(colour).not.toBe("red");
  }
  expect(new Set(painted(["rice", "red"]).map(String)).size).toBe(4);
});

it("lays nine plates in any box so that none touches another", () => {
  for (const [width, height] of [
    [374, 374],
    [374, 470],
    [800, 560],
    [360, 240],
    [296, 176],
    [322, 248],
    [300, 520],
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
