import type { Sound } from "../../lib/sound";

/** Dice on wood; a nibble for each portion that somebody gets. */
export const sounds: Record<string, Sound> = {
  told_roll: "dice",
  told_take_sushi: "nibble",
  told_take_bones: "nibble",
  told_steal_sushi: "nibble",
  told_steal_sushi_below: "nibble",
  told_steal_bones: "nibble",
  told_steal_bones_below: "nibble",
  told_forced: "nibble",
};
