import { expect, test } from "vitest";
import type { Frame, Live } from "../../lib/live.svelte";
import { Deeds } from "./deeds.svelte";
import type { View } from "./wire";

const frameOf = (roll: View["roll"], roller: number) =>
  ({
    ...{ seat: 0, over: false, race: null, scene: null },
    view: { roll, roller, options: { calm: true } },
    legal: roll ? { "0": [{ do: "grab" }, { do: "slap" }, { do: "pass" }] } : {},
  }) as unknown as Frame;

test("without a clock the tap that goes on from a race is no deed in the next one", () => {
  const sent: object[] = [];
  let frame = frameOf(["rice", "red"], 0);
  const live = { move: (move: object) => sent.push(move), ask: () => {} } as unknown as Live;
  const deeds = new Deeds(
    () => live,
    () => frame,
  );
  const tap = () => ({ timeStamp: performance.now() }) as Event;
  deeds.draw();
  deeds.slap(["rice", "red"], tap());
  expect(sent).toHaveLength(1);
  const early = tap();
  frame = frameOf(["sushi", "green"], 1);
  deeds.slap(["rice", "red"], early);
  deeds.grab(false, early);
  expect(sent).toHaveLength(1);
  deeds.draw();
  deeds.grab(false, tap());
  expect(sent.at(-1)).toEqual({ do: "grab", squeak: false });
});
