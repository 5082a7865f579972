// The race track: 40 spaces round the edge of a table, and where the mice stand on it.

export const spaces = 40;

export interface Point {
  x: number;
  y: number;
}
/** The sizes of a track that fills a table of this width and height. */
export interface Track {
  width: number;
  height: number;
  /** From one space to the next. */
  pace: number;
  /** From the edge of the table to the spaces. */
  margin: number;
  mouse: number;
}

const marginPaces = 0.8;

export function trackIn(width: number, height: number): Track {
  const pace = (2 * (width + height)) / (spaces + 8 * marginPaces);
  return { width, height, pace, margin: pace * marginPaces, mouse: pace * 1.3 };
}

/** The space of a mouse that has run so far, clockwise from top left; 40 is 0 again, −1 is 39. */
export function placeOn(run: number, { width, height, pace, margin }: Track): Point {
  const wide = width - 2 * margin;
  const high = height - 2 * margin;
  const way = (((run % spaces) + spaces) % spaces) * pace;
  const [x, y] =
    way < wide
      ? [way, 0]
      : way < wide + high
        ? [wide, way - wide]
        : way < 2 * wide + high
          ? [2 * wide + high - way, high]
          : [0, 2 * (wide + high) - way];
  return { x: x + margin, y: y + margin };
}

/** Where the mice are drawn: near their spaces, but so that none hides another. */
export function spread(runs: readonly number[], track: Track): Point[] {
  const home = runs.map((run) => placeOn(run, track));
  const apart = track.mouse * 0.84;
  const edge = track.mouse / 2;
  const found = home.map(({ x, y }, i) => ({
    x: x + Math.cos(i * 2.4) * (i + 1) * 0.01 * edge,
    y: y + Math.sin(i * 2.4) * (i + 1) * 0.01 * edge,
  }));
  for (let turn = 0; turn < 160; turn += 1) {
    found.forEach((one, i) => {
      const wanted = home[i];
      if (wanted && turn < 110) {
        one.x += (wanted.x - one.x) * 0.04;
        one.y += (wanted.y - one.y) * 0.04;
      }
      for (const other of found.slice(i + 1)) push(one, other, apart);
      one.x = Math.min(Math.max(one.x, edge), track.width - edge);
      one.y = Math.min(Math.max(one.y, edge), track.height - edge);
    });
  }
  return found;
}

function push(one: Point, other: Point, apart: number): void {
  const x = other.x - one.x;
  const y = other.y - one.y;
  const far = Math.hypot(x, y) || 1;
  if (far >= apart) return;
  const way = (apart - far) / 2 / far;
  one.x -= x * way;
  one.y -= y * way;
  other.x += x * way;
  other.y += y * way;
}

/** One step nearer to where everybody is. */
export function step(shown: readonly number[], wanted: readonly number[]): number[] {
  return wanted.map((to, seat) => {
    const from = shown[seat] ?? to;
    return from + Math.sign(to - from);
  });
}
