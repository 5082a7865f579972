// A finished game as frames that the boards can draw: what a watcher who sees all would have seen.

import type { Position } from "./api";
import type { Frame } from "./live.svelte";

export function frameAt(frame: Frame, positions: readonly Position[], at: number): Frame {
  const found = positions[at];
  if (!found) return frame;
  const racing = found.to_move.includes("nature") && found.to_move.length > 1;
  return {
    ...frame,
    seat: null,
    view: found.view,
    to_move: found.to_move,
    legal: {},
    scores: found.scores,
    winners: found.winners,
    clocks: {},
    race: racing ? { show_at: at, photo: null } : { show_at: null, photo: [] },
    log: found.move ? [found.move] : [],
    news: found.news,
    story: null,
  };
}
