import { expect, it } from "vitest";
import { placeOn, spread, step, trackIn } from "./track";

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

it("lays places round the track", () => {
  const track = trackIn(382, 250);
  expect(placeOn(0, track)).toEqual({ x: track.margin, y: track.margin });
  expect(placeOn(40, track)).toEqual(placeOn(0, track));
  expect(placeOn(-1, track)).toEqual(placeOn(39, track));
  expect(step([0, 5, 3], [2, 4, 3])).toEqual([1, 4, 3]);
});
