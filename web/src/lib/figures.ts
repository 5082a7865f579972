// What is drawn of finished games, worked out: wins with their fair share, luck, middle and best times.

import type { CountedGame } from "../wire/frames";

/** The wins of one game with one number of players. */
export interface Wins {
  seats: number;
  games: number;
  won: number;
}

/** Wins by game and number of players, the games that are played most first. */
export function winsOf(
  games: readonly CountedGame[],
): { game: string; all: number; rows: Wins[] }[] {
  const found = new Map<string, Map<number, Wins>>();
  for (const { game, seats, won } of games) {
    const rows = found.get(game) ?? new Map<number, Wins>();
    const row = rows.get(seats) ?? { seats, games: 0, won: 0 };
    rows.set(seats, { seats, games: row.games + 1, won: row.won + won });
    found.set(game, rows);
  }
  return [...found]
    .map(([game, rows]) => ({
      game,
      all: [...rows.values()].reduce((sum, row) => sum + row.games, 0),
      rows: [...rows.values()].sort((a, b) => a.seats - b.seats),
    }))
    .sort((a, b) => b.all - a.all);
}

/** The games whose luck is known, the oldest first. */
export const lucky = (games: readonly CountedGame[]) =>
  games.filter((game): game is CountedGame & { luck: number } => game.luck !== null).toReversed();

export function median(times: readonly number[]): number {
  const sorted = times.toSorted((a, b) => a - b);
  const half = sorted.length / 2;
  const [low, high] = [sorted[Math.ceil(half) - 1] ?? 0, sorted[Math.floor(half)] ?? 0];
  return Math.round((low + high) / 2);
}

/** What was counted, the most frequent first. */
export const byCount = (counts: Record<string, number>) =>
  Object.entries(counts).sort(([a, m], [b, n]) => n - m || a.localeCompare(b));
