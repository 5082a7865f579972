// Tiles that travel: where things lie before a change, and how they get from there to where they are.

import type { Trip } from "./travel";

export interface Flight {
  trip: Trip;
  start: DOMRect;
  /** Where the tiles of the row lay that now move up. */
  row: DOMRect[];
}

const spot = (board: HTMLElement, name: string) =>
  board.querySelector<HTMLElement>(`[data-spot="${name}"]`);

/** Remember where a tile and its neighbours lie, just before the table changes. */
export function lift(board: HTMLElement, trip: Trip): Flight | null {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return null;
  const { kind, from, place } = trip;
  const start = spot(board, from === null ? `${kind}-${place}` : `pile-${from}-${kind}`);
  const row = from === null ? [...board.querySelectorAll(`[data-spot^="${kind}-"]`)] : [];
  return (
    start && {
      trip,
      start: start.getBoundingClientRect(),
      row: row.map((tile) => tile.getBoundingClientRect()),
    }
  );
}

/** Let the tile fly to where it now lies, and close the gap that it left. */
export function land(board: HTMLElement, { trip, start, row }: Flight): void {
  const tile = spot(board, `pile-${trip.to}-${trip.kind}`);
  if (!tile) return;
  const ends = tile.getBoundingClientRect();
  const [x, y] = [start.x - ends.x, start.y - ends.y];
  const size = start.height / ends.height;
  const fly = [
    { transform: `translate(${x}px, ${y}px) scale(${size})` },
    { transform: `translate(${x * 0.45}px, ${y * 0.45}px) scale(${(size + 1) * 0.65})` },
    { transform: "none" },
  ].map((step) => ({ ...step, transformOrigin: "0 0", zIndex: 9 }));
  tile.animate(fly, { duration: 750, easing: "ease-in-out" });
  for (let at = trip.place; at < row.length - 1 && trip.from === null; at++) {
    const [was, now] = [row[at + 1], spot(board, `${trip.kind}-${at}`)];
    const is = now?.getBoundingClientRect();
    if (was && now && is)
      now.animate(
        [{ transform: `translate(${was.x - is.x}px, ${was.y - is.y}px)` }, { transform: "none" }],
        { duration: 400, easing: "ease-in-out" },
      );
  }
}
