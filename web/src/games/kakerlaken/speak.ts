// Dice read aloud, for who does not see them or is busy looking for the plate.

import { prefs } from "../../lib/prefs.svelte";
import { tile } from "./telling";

/** Say what the dice show, in the language of the page. */
export function speak(symbol: string, colour: string): void {
  if (!prefs.speak || typeof speechSynthesis === "undefined") return;
  const words = tile(symbol, colour);
  const said = new SpeechSynthesisUtterance(`${words.symbol}, ${words.colour}`);
  said.lang = prefs.language;
  said.rate = 1.2; // a race is on
  speechSynthesis.cancel();
  speechSynthesis.speak(said);
}
