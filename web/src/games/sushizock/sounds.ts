import type { Sound } from "../../lib/sound";

/** Dice on wood, a nibble for a sushi, a bone's crack, the whoosh of a thief. */
export const sounds: Record<string, Sound> = {
  told_roll: "dice",
  told_take_sushi: "nibble",
  told_take_bones: "bone",
  told_steal_sushi: "steal",
  told_steal_sushi_below: "steal",
  told_steal_bones: "steal",
  told_steal_bones_below: "steal",
  told_forced: "oops",
};
