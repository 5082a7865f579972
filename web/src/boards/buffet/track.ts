// Where the spaces of the race track lie: 40 steps round the edge of a rectangle.

export const spaces = 40;

/** The place of a mouse that has run so far, in a rectangle of this size, clockwise from top left. */
export function placeOn(run: number, width: number, height: number): { x: number; y: number } {
  const round = 2 * (width + height);
  const way = (((run % spaces) + spaces) % spaces) * (round / spaces);
  if (way < width) return { x: way, y: 0 };
  if (way < width + height) return { x: width, y: way - width };
  if (way < 2 * width + height) return { x: 2 * width + height - way, y: height };
  return { x: 0, y: round - way };
}

/** One step nearer to where everybody is. */
export function step(shown: readonly number[], wanted: readonly number[]): number[] {
  return wanted.map((to, seat) => {
    const from = shown[seat] ?? to;
    return from + Math.sign(to - from);
  });
}
