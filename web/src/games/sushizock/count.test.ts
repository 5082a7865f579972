import { expect, test } from "vitest";
import type { Frame } from "../../lib/live.svelte";
import { counting } from "./count";

test("who has won is told when the longest pile is counted, what falls away included", () => {
  const piles = [
    { sushi: [3, 4], bones: [-1, -2] },
    { sushi: [1, 2, 5], bones: [-1] },
    { sushi: [], bones: [] },
  ];
  expect(counting({ view: { piles } } as unknown as Frame)).toBe(800 + 2 * 200 + 2 * 280);
});
