// How each move is told: for how long, and what lights up before it happens.

import type { Telling } from "..";
import type { Frame, Seen } from "../../lib/live.svelte";
import type { News } from "../../lib/news";
import { prefs } from "../../lib/prefs.svelte";
import type { Kind } from "./travel";
import type { Forced, Keep, Roll, Steal, Take, View } from "./wire";

type Told = Take | Steal | Keep | Forced | Roll;
export type Face = View["dice"]["rolled"][number];
export type Mood = "calm" | "shivers" | "crows";

/** What a scene lights up. */
export interface Lit {
  /** The face of the dice that count. */
  face: Face | null;
  tile: { kind: Kind; place: number } | null;
  pile: { kind: Kind; seat: number } | null;
}

const dark: Lit = { face: null, tile: null, pile: null };
const stickOf: Record<Kind, Face> = { sushi: "blue", bones: "red" };

/** How long a move is seen, in ms at normal pace. */
export function scenes(_: readonly News[], move: Seen, after: Frame): Telling {
  const { do: deed } = move as unknown as Told;
  if (deed === "roll") return { ms: 650, quiet: true, asks: isToShake(after) };
  if (deed === "keep") return { ms: move.by === after.seat ? 0 : 450, quiet: true };
  if (deed === "take") return { lead: 600, ms: 900 };
  if (deed === "steal") return { lead: 700, ms: 1100, big: true };
  if (deed === "forced") return { lead: 700, ms: 1000 };
  return { ms: 900 };
}

/** The first roll of one's own turn waits in the wok, unless one is in a hurry. */
function isToShake({ seat, view }: Frame): boolean {
  const { turn, dice } = view as View;
  return seat !== null && turn === seat && !dice.aside.length && prefs.pace !== "quick";
}

/** What counts for the move that is about to be seen. */
export function lit({ scene, view }: Pick<Frame, "scene" | "view">): Lit {
  if (!scene?.lead) return dark;
  const move = scene.move as unknown as Told;
  const { rows, dice } = view as View;
  if (move.do === "take") {
    const counts = [...dice.aside, ...dice.rolled].filter((face) => face === move.row).length;
    return { ...dark, face: move.row, tile: { kind: move.row, place: counts - 1 } };
  }
  if (move.do === "steal")
    return { ...dark, face: stickOf[move.pile], pile: { kind: move.pile, seat: move.from } };
  if (move.do === "forced") return { ...dark, tile: worst(rows) };
  return dark;
}

/** [S17]: the worst bone, and without bones the poorest sushi; of equals the leftmost. */
export function worst(rows: View["rows"]): Lit["tile"] {
  const kind = rows.bones.length ? "bones" : "sushi";
  const place = rows[kind].indexOf(Math.min(...rows[kind]));
  return place < 0 ? null : { kind, place };
}

/** What the cock makes of it: a bone makes him shiver, a thief makes him crow. */
export function moodOf(scene: Frame["scene"]): Mood {
  const move = scene?.move as unknown as Told | undefined;
  if (move?.do === "steal") return "crows";
  return move?.do === "forced" || (move?.do === "take" && move.row === "bones")
    ? "shivers"
    : "calm";
}
