/** A colour of its own for each game, from its name: a turn of the colour wheel in degrees. */
export function hueOf(game: string): number {
  return [...game].reduce((hue, sign) => (hue * 31 + (sign.codePointAt(0) ?? 0)) % 360, 7);
}
