import { expect, test } from "vitest";
import type { Frame, Live } from "../../lib/live.svelte";
import { Choice } from "./choice.svelte";
import type { View } from "./wire";

test("a card that is on its way is not laid again by the next tap", () => {
  const sent: object[] = [];
  const live = { waits: false, move: (move: object) => sent.push(move) } as unknown as Live;
  const frame = { seat: 0, legal: { "0": [{ do: "play", card: 3 }] } } as unknown as Frame;
  const view = { round: 1, part: 1, hands: [[3, 8]] } as unknown as View;
  const choice = new Choice(() => ({ live, frame, view, me: 0 }));
  choice.pick(0);
  choice.lay();
  Object.assign(live, { waits: true });
  choice.lay();
  expect(sent).toEqual([{ do: "play", card: 3 }]);
});
