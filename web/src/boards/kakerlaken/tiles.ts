// How tiles look: a plate shows the symbols and colours that its combination lacks.

export const symbols = ["chopsticks", "rice", "sushi"] as const;
export const colours = ["red", "green", "yellow"] as const;
export type Tile = [(typeof symbols)[number], (typeof colours)[number]];

export const same = (a: readonly string[] | null, b: readonly string[] | null) =>
  a !== null && b !== null && a[0] === b[0] && a[1] === b[1];

/** What is painted on a plate: both other symbols in both other colours. */
export function painted(tile: readonly string[]): Tile[] {
  const shapes = symbols.filter((symbol) => symbol !== tile[0]);
  const paints = colours.filter((colour) => colour !== tile[1]);
  return shapes.flatMap((symbol, i) =>
    paints.map((_, j): Tile => [symbol, paints[(i + j) % 2] ?? "red"]),
  );
}

/** Places on a circle, in per cent of a square, the first at the top. */
export function placeInCircle(at: number, of: number, radius: number): { x: number; y: number } {
  const angle = (at / of) * 2 * Math.PI - Math.PI / 2;
  return { x: 50 + radius * Math.cos(angle), y: 50 + radius * Math.sin(angle) };
}
