import type words from "../../../../src/tischlein/games/kakerlaken/words/en.json";
import { teller } from "../../lib/words";

export type Key = keyof typeof words;
export const tell = teller<Key>("kakerlaken");
