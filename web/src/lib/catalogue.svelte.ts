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
  private languages = $state.raw<Partial<Record<Language, Words>>>({});
  private spoken = $state<Language>(prefs.language);
  private foreign: readonly string[] = [];

  /** The language that is spoken: the one wished for, as soon as its words are there. */
  get language(): Language {
    return this.languages[prefs.language] ? prefs.language : this.spoken;
  }
  find(key: string): string | undefined {
    return this.languages[this.language]?.[key];
  }

  /** Learn a language, once. */
  async learn(language: Language): Promise<void> {
    if (!this.languages[language]) this.add(language, await builtIn(language));
    this.spoken = language;
    await Promise.all(this.foreign.map((game) => this.ask(game, language)));
  }
  /** Learn the words of games that this page was not built with. */
  async learnOf(games: readonly string[]): Promise<void> {
    this.foreign = games.filter((game) => !this.find(`${game}.title`));
    await Promise.all(this.foreign.map((game) => this.ask(game, this.language)));
  }

  private async ask(game: string, language: Language): Promise<void> {
    const found = await api.words(game, language).catch(() => ({})); // then its keys must do
    this.add(language, named(found, game));
  }
  private add(language: Language, words: Words): void {
    this.languages = {
      ...this.languages,
      [language]: { ...this.languages[language], ...words },
    };
  }
}

export const catalogue = new Catalogue();
