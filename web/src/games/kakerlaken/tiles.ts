// How tiles look: a plate shows the symbols and colours that its combination lacks.

export const symbols = ["chopsticks", "rice", "sushi"] as const;
export const colours = ["red", "green", "yellow"] as const;
export type Tile = [(typeof symbols)[number], (typeof colours)[number]];

export const same = (a: readonly string[] | null, b: readonly string[] | null) =>
  a !== null && b !== null && a[0] === b[0] && a[1] === b[1];

/** The symbols and the colours that are on a plate: all but its own. */
export const shownOn = ([symbol, colour]: readonly string[]) =>
  [
    symbols.filter((other) => other !== symbol),
    colours.filter((other) => other !== colour),
  ] as const;

/** What is painted on a plate: both other symbols in both other colours. */
export function painted(tile: readonly string[]): Tile[] {
  const [shapes, paints] = shownOn(tile);
  return shapes.flatMap((symbol, i) =>
    paints.map((_, j): Tile => [symbol, paints[(i + j) % 2] ?? "red"]),
  );
}

export interface Oval {
  width: number;
  height: number;
  /** The width of a plate. */
  plate: number;
  /** The middles of the plates, and which way is outward from each. */
  places: { x: number; y: number; out: { x: number; y: number } }[];
}

/** Plates evenly on an oval that fills a box, clockwise, the first at the top: as large as may be. */
export function oval(of: number, width: number, height: number): Oval {
  const [wide, high] = [Math.min(width, height * 1.55), Math.min(height, width * 1.3)];
  for (let part = 0.26; ; part -= 0.004) {
    const plate = (part * (wide + high)) / 2;
    const places = along(of, (wide - plate) / 2, (high - plate) / 2);
    const near = places.map((one, i) => {
      const next = places[(i + 1) % of] ?? one;
      return Math.hypot(one.x - next.x, one.y - next.y);
    });
    if (part > 0.2 && Math.min(...near) < plate * 1.02) continue;
    const laid = places.map(({ x, y }) => {
      const far = Math.hypot(x, y) || 1;
      return { x: width / 2 + x, y: height / 2 + y, out: { x: x / far, y: y / far } };
    });
    return { width: wide, height: high, plate, places: laid };
  }
}

const steps = 720;

/** Places evenly along an oval round the middle, by the way that one walks. */
function along(of: number, a: number, b: number): { x: number; y: number }[] {
  const at = (step: number) => {
    const angle = (step / steps) * 2 * Math.PI - Math.PI / 2;
    return { x: a * Math.cos(angle), y: b * Math.sin(angle) };
  };
  const run = [0];
  for (let step = 1; step <= steps; step++) {
    const [from, to] = [at(step - 1), at(step)];
    run.push((run[step - 1] ?? 0) + Math.hypot(to.x - from.x, to.y - from.y));
  }
  return Array.from({ length: of }, (_, i) => {
    const wanted = ((run[steps] ?? 0) * i) / of;
    return at(run.findIndex((length) => length >= wanted));
  });
}

/** How wide each of some squares may be in a box that holds them all. */
export function fitting(squares: number, width: number, height: number): number {
  const sizes = Array.from({ length: Math.max(1, squares) }, (_, i) =>
    Math.min(width / (i + 1), height / Math.ceil(squares / (i + 1))),
  );
  return Math.max(0, Math.floor(Math.max(...sizes)) - 1); // less what rounding may cost
}
