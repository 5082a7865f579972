// The words of terminal and browser alike: the house's and the games', each language loaded when it is needed.

import { api } from "./api";
import { prefs, type Language } from "./prefs.svelte";

type Words = Record<string, string>;

/** The catalogue's files of each language, by their paths. */
const languages: Record<Language, () => Promise<{ default: Record<string, Words> }>> = {
  en: () => import("../words/en"),
  de: () => import("../words/de"),
  fr: () => import("../words/fr"),
  it: () => import("../words/it"),
};

/** All that was built in, of one language: house words by their keys, a game's with its name before. */
async function builtIn(language: Language): Promise<Words> {
  const { default: files } = await languages[language]();
  const parts = Object.entries(files).map(([path, words]) =>
    named(words, /\/games\/(\w+)\//.exec(path)?.[1]),
  );
  return Object.assign({}, ...parts) as Words;
}

const named = (words: Words, game: string | undefined): Words =>
  game
    ? Object.fromEntries(Object.entries(words).map(([key, text]) => [`${game}.${key}`, text]))
    : words;

class Catalogue {
  private built = $state.raw<Partial<Record<Language, Words>>>({});
  private brought = $state.raw<Partial<Record<Language, Words>>>({});
  private spoken = $state<Language>(prefs.language);
  private foreign: readonly string[] = [];

  /** The language that is spoken: the one wished for, as soon as its words are there. */
  get language(): Language {
    return this.built[prefs.language] ? prefs.language : this.spoken;
  }
  find(key: string): string | undefined {
    return this.built[this.language]?.[key] ?? this.brought[this.language]?.[key];
  }

  /** Learn a language, once. */
  async learn(language: Language): Promise<void> {
    if (!this.built[language]) this.built = { ...this.built, [language]: await builtIn(language) };
    this.spoken = language;
    await this.learnOf(this.foreign, language);
  }
  /** Learn the words of games that this page was not built with. */
  async learnOf(games: readonly string[], language: Language = this.language): Promise<void> {
    this.foreign = games;
    const words = await Promise.all(games.map((game) => this.ask(game, language)));
    this.brought = { ...this.brought, [language]: Object.assign({}, ...words) as Words };
  }

  private async ask(game: string, language: Language): Promise<Words> {
    const found = await api.words(game, language).catch(() => ({})); // then its keys must do
    return named(found, game);
  }
}

export const catalogue = new Catalogue();
