// What a move tells somebody, as the server says it: a key of the game's words, and fields to fill in.

import type * as wire from "../wire/frames";

export type Field = string | number | { seat: number } | Word | readonly Field[];
export interface Word {
  word: string;
  fields?: Fields;
}
export type Fields = Record<string, Field>;
/** As it comes over the wire, less of what its fields may hold. */
export type News = Omit<wire.News, "fields" | "faded"> & { fields?: Fields; faded?: News | null };

/** Let fade what later news have touched: of a covered thing one tells no more which it was. */
export function stillTold(told: readonly News[]): News[] {
  const touched = new Set<string>();
  return told
    .toReversed()
    .flatMap((news) => {
      const found = news.place && touched.has(news.place) ? (news.faded ?? []) : news;
      for (const place of news.touches ?? []) touched.add(place);
      return found;
    })
    .reverse();
}

/** What a story tells after all that is known of it; what is known may have faded since. */
export function beyond(known: readonly News[], story: readonly News[]): News[] {
  const told = story.map((news) => JSON.stringify(news));
  for (const news of known.toReversed()) {
    const forms = [news, news.faded].map((form) => told.lastIndexOf(JSON.stringify(form)));
    const at = Math.max(...forms);
    if (at >= 0) return story.slice(at + 1);
  }
  return [...story];
}
