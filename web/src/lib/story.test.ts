import { describe, expect, it } from "vitest";
import type { View } from "../games/sushizock/wire";
import type { Frame, Seen } from "./live.svelte";
import { goOn, storyOf, type Line } from "./story";

type Piles = [sushi: (number | null)[], bones: (number | null)[]];

const roll = (...dice: string[]): Seen => ({ by: "nature", do: "roll", dice });
const take = (by: number, row: string): Seen => ({ by, do: "take", row });
const steal = (by: number, from: number, pile: string, depth = 1): Seen => ({
  ...{ by, do: "steal", pile, from, depth },
});
const deal: Seen = { by: "nature", do: "deal", sushi: [], bones: [], starter: 0 };
const hidden = (by: number): Seen => ({ by, do: null });

/** A table of Ada and Bo as somebody sees it, and what they are told of. */
function frame(
  log: Seen[],
  ada: Piles,
  bo: Piles,
  more: { bones?: number[]; open?: boolean } = {},
) {
  const view: View = {
    rows: { sushi: [1], bones: more.bones ?? [-1] },
    piles: [ada, bo].map(([sushi, bones]) => ({ sushi, bones })),
    dice: { aside: [], rolled: [], rolls_left: 2 },
    turn: 0,
    options: { open_piles: more.open ?? false },
  };
  const seats = ["Ada", "Bo"].map((name) => ({ name, bot: null }));
  const table = { game: "sushizock", seats, games: 1 };
  return { view, log, table, over: false } as unknown as Frame;
}

/** What a page tells that heard these frames one after the other. */
function told(...frames: Frame[]): string[] {
  let story: Line[] = [];
  frames.forEach((one, at) => (story = goOn(story, one, frames[at - 1] ?? null)));
  return story.map(({ text }) => text);
}

const start = frame([deal, roll("sushi")], [[], []], [[], []]);
const first = frame([take(0, "sushi"), roll("bones")], [[5], []], [[], []]);
const second = frame([take(1, "bones"), roll("red")], [[5], []], [[], [-2]]);

describe("the story of Sushizock", () => {
  it("tells the dice of this turn and the tiles that can be seen", () => {
    expect(told(start)).toEqual(["The rows are laid out. Ada starts.", "Ada rolls 1 × sushi."]);
    expect(told(start, first, second)).toEqual([
      "The rows are laid out. Ada starts.",
      "Ada takes a sushi: 5.",
      "Bo takes a bone: −2.",
      "Ada rolls 1 × red chopsticks.",
    ]);
  });

  it("tells a tile no more when another one lies upon it", () => {
    const third = frame([take(0, "sushi")], [[null, 3], []], [[], [-2]]);
    expect(told(start, first, second, third).slice(1)).toEqual([
      "Ada takes a sushi.",
      "Bo takes a bone: −2.",
      "Ada takes a sushi: 3.",
    ]);
    expect(told(first, third).join()).not.toContain("5");
  });

  it("follows a stolen tile, and guesses nothing about what it uncovers", () => {
    const third = frame([take(0, "sushi")], [[null, 3], []], [[], [-2]]);
    const fourth = frame([steal(1, 0, "sushi")], [[5], []], [[3], [-2]]);
    expect(told(start, first, second, third, fourth).slice(1)).toEqual([
      "Ada takes a sushi.",
      "Bo takes a bone: −2.",
      "Ada takes a sushi.",
      "Bo steals the top sushi from Ada: 3.",
    ]);
  });

  it("gets every tile right where one frame holds several claims", () => {
    const log = [roll("sushi"), take(0, "sushi"), roll("bones"), take(1, "bones"), roll("red")];
    expect(told(frame(log, [[5], []], [[], [-2]])).slice(0, 2)).toEqual([
      "Ada takes a sushi: 5.",
      "Bo takes a bone: −2.",
    ]);
    const covered = [take(0, "sushi"), take(1, "bones"), take(0, "sushi")];
    expect(told(frame(covered, [[null, 3], []], [[], [-2]]))).toEqual([
      "Ada takes a sushi.",
      "Bo takes a bone: −2.",
      "Ada takes a sushi: 3.",
    ]);
  });

  it("says of what was missed only who took a tile", () => {
    const faded = { ...roll(), dice: [null, null] };
    const late = frame(
      [deal, faded, hidden(0), faded, take(1, "bones"), faded, take(0, "sushi"), roll("red")],
      [[null, 3], []],
      [[], [-2]],
    );
    expect(told(late)).toEqual([
      "The rows are laid out. Ada starts.",
      "Ada takes a tile.",
      "Bo takes a bone: −2.",
      "Ada takes a sushi: 3.",
      "Ada rolls 1 × red chopsticks.",
    ]);
    const gap = frame([hidden(1), take(0, "sushi")], [[null, 3], []], [[], [null, -1]]);
    expect(told(start, first, second, gap).slice(1)).toEqual([
      "Ada takes a sushi.",
      "Bo takes a bone.",
      "Bo takes a tile.",
      "Ada takes a sushi: 3.",
    ]);
  });

  it("knows what a forced take brought, or does not say", () => {
    const forced: Seen = { by: 0, do: "forced" };
    const mine: Piles = [[5], [-4]];
    const piles: [Piles, Piles] = [mine, [[], []]];
    expect(told(frame([forced], ...piles))).toEqual(["Nothing fits: Ada must take −4."]);
    const none = frame([roll("red")], ...piles, { bones: [] });
    expect(told(none, frame([forced], ...piles, { bones: [] })).at(-1)).toBe(
      "Nothing fits: Ada must take 5.",
    );
    expect(told(frame([forced], ...piles, { bones: [] }))).toEqual(["Ada takes a tile."]);
  });

  it("keeps everything with open piles, and in a replay", () => {
    const open = [
      frame(start.log, [[], []], [[], []], { open: true }),
      frame(first.log, [[5], []], [[], []], { open: true }),
      frame(second.log, [[5], []], [[], [-2]], { open: true }),
    ];
    const third = frame([take(0, "sushi")], [[5, 3], []], [[], [-2]], { open: true });
    const all = told(...open, third);
    expect(all).toHaveLength(7);
    expect(all).toContain("Ada takes a sushi: 5.");
    expect(storyOf(third, open[2] ?? null)).toEqual(["Ada takes a sushi: 3."]);
  });
});
