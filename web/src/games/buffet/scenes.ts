import type { Telling } from "..";
import type { Frame } from "../../lib/live.svelte";
import type { News } from "../../lib/news";
import { cardsOf, leaving, turning } from "./timetable";
import type { View } from "./wire";

/** What is seen on the table and needs no words beside it. */
const seen = ["told_reveal", "told_draw"];

/** How a move is told: a reveal as long as its cards, mice and plates take. */
export function scenes(news: readonly News[], _: unknown, after: Frame): Telling {
  const words = news.filter(({ key }) => !seen.includes(key));
  const cards = cardsOf(news);
  if (!cards.length) return { ms: 1300, words };
  const { left = [] } = (after.view as View).revealed ?? {};
  return { lead: turning(cards).ms, ms: leaving(left).ms, words, shared: true };
}
