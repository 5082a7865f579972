// Arrow keys: from what has the focus to what lies nearest in their direction.

const ways: Record<string, readonly [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};
const askew = 3; // what lies straight ahead is nearer than what lies aside

const middle = (one: Element): [number, number] => {
  const { left, right, top, bottom } = one.getBoundingClientRect();
  return [(left + right) / 2, (top + bottom) / 2];
};

/** How far something lies ahead; Infinity if it lies behind. */
export function ahead(
  [x, y]: readonly [number, number],
  [toX, toY]: readonly [number, number],
  [dx, dy]: readonly [number, number],
): number {
  const along = (toX - x) * dx + (toY - y) * dy;
  const aside = Math.abs((toX - x) * dy) + Math.abs((toY - y) * dx);
  return along > 1 && along > aside / askew ? along + aside * askew : Infinity;
}

/** Move the focus inside of a board; false if the key is none of ours. */
export function walk(board: HTMLElement, key: string): boolean {
  const way = ways[key];
  const from = document.activeElement;
  if (!way || !from || !board.contains(from)) return false;
  const here = middle(from);
  const far = (one: Element) => ahead(here, middle(one), way);
  const all = [...board.querySelectorAll<HTMLElement>("button")].filter((one) => one !== from);
  const next = all.sort((a, b) => far(a) - far(b))[0];
  if (next && far(next) < Infinity) next.focus();
  return true;
}
