// What a move tells somebody, as the server says it: a key of the game's words, and fields to fill in.

export type Field = string | number | { seat: number } | Word | readonly Field[];
export interface Word {
  word: string;
  fields?: Fields;
}
export type Fields = Record<string, Field>;
export interface News {
  key: string;
  fields?: Fields;
  /** Where the thing told of lies, if it may be told only as long as nothing else comes there. */
  place?: string;
  /** The places that this changes: what was told of them fades. */
  touches?: readonly string[];
  /** What is still told when it has faded; nothing if there is none. */
  faded?: News | null;
}

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
