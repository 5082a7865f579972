// The games that this server has, asked once: for how many, with which house rules, and what they have.

import { drawn, inOrder } from "../games";
import { api, type GameInfo, type Trait } from "./api";
import { catalogue } from "./catalogue.svelte";
import { hueOf } from "./hue";

const patience = 2000; // ms until a server that did not answer is asked again

class Games {
  private infos = $state.raw<GameInfo[] | null>(null);

  constructor() {
    void this.ask();
  }
  /** Whether the server has told of its games. */
  get known(): boolean {
    return this.infos !== null;
  }
  /** The games to choose from; until we are told, those that this page can draw. */
  get names(): readonly string[] {
    return this.infos?.map(({ game }) => game).sort(inOrder) ?? drawn;
  }
  named(game: string): GameInfo | undefined {
    return this.infos?.find((info) => info.game === game);
  }
  /** Whether a game has something under some house rules: one of them may take its race away. */
  has(game: string, trait: Trait, options: Record<string, unknown> = {}): boolean {
    const info = this.named(game);
    if (info?.calm && options[info.calm] === true && trait !== "turns") return trait === "secrets";
    return info?.has.includes(trait) ?? false;
  }

  private async ask(): Promise<void> {
    try {
      this.infos = await api.games();
      void catalogue.learnOf(this.names.filter((game) => !drawn.includes(game)));
    } catch {
      setTimeout(() => this.ask(), patience);
    }
  }
}

export const games = new Games();

/** How many sit down when one plays alone: one more than it takes. */
export const usualSeats = ({ seats }: GameInfo) => Math.min(seats.fewest + 1, seats.most);

/** The bot that one meets without choosing: an easy one, where there is one. */
export const usualBot = ({ bots }: GameInfo) => bots.find((bot) => bot === "easy") ?? bots[0] ?? "";

/** Wear a game's colours while its screen is open. */
export function wear(game: string | undefined): () => void {
  const { dataset, style } = document.documentElement;
  if (game) {
    dataset["game"] = game;
    style.setProperty("--hue", String(hueOf(game)));
  }
  return () => {
    delete dataset["game"];
    style.removeProperty("--hue");
  };
}
