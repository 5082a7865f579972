// Keys of a race: digits for plates, letters of the words on the buttons in whatever language these are.

import { isElsewhere } from "../../lib/keys";
import type { Deeds } from "./deeds.svelte";
import type { Name } from "./wire";
import { tell } from "./words";

export const thieves = ["ant", "cockroach", "rat"] as const satisfies Name["thief"][];

/** The initial of each word; where an earlier word has it already, the next letter. */
export function initials(words: string[]): string[] {
  const taken: string[] = [];
  for (const word of words) {
    const letters = word.toUpperCase().match(/\p{L}/gu) ?? [];
    taken.push(letters.find((letter) => !taken.includes(letter)) ?? "");
  }
  return taken;
}

/** The letters of the three thieves and, last, of the squeak. */
export const letters = () =>
  initials([...thieves.map((thief) => tell(`thief.${thief}`)), tell("squeak")]);

/** All keys, for whoever asks which there are. */
export function keys(): { key: string; text: string }[] {
  const found = letters();
  return [
    { key: "1 – 9", text: tell("keys.plates") },
    { key: "← →", text: tell("keys.arrows") },
    { key: "Enter", text: tell("keys.enter") },
    { key: "␣", text: tell("grabSoft") },
    { key: found.at(-1) ?? "", text: tell("squeak") },
    ...thieves.map((thief, i) => ({ key: found[i] ?? "", text: tell(`thief.${thief}`) })),
  ];
}

/** Space presses the button that has the focus; only on a plate it is the grab, as quick hands know it. */
function isPressed(event: KeyboardEvent, board: HTMLElement, calm: boolean): boolean {
  const button = event.key === " " && (event.target as HTMLElement).closest?.("button, a");
  return !!button && (calm || !board.contains(button) || !button.matches(".plate"));
}

/** Do what a key stands for. */
export function press(event: KeyboardEvent, board: HTMLElement, deeds: Deeds): void {
  if (event.repeat || isElsewhere(event) || isPressed(event, board, deeds.calm)) return;
  const shown = /^[1-9]$/.test(event.key) ? deeds.view.circle[Number(event.key) - 1] : undefined;
  const letter = event.key.toUpperCase();
  const found = letters();
  const thief = thieves[found.indexOf(letter)];
  if (shown?.owner === null) deeds.slap(shown.tile, event);
  else if (event.key === " ") deeds.grab(false, event);
  else if (letter === found.at(-1)) deeds.grab(true, event);
  else if (thief) deeds.name(thief, event);
  else if (!walk(event, board)) return;
  event.preventDefault();
}

const steps: Partial<Record<string, number>> = {
  ArrowRight: 1,
  ArrowDown: 1,
  ArrowLeft: -1,
  ArrowUp: -1,
};

/** Walk round the plates that are left, clockwise or back; from elsewhere on the board begin at an end. */
function walk(event: KeyboardEvent, board: HTMLElement): boolean {
  const step = steps[event.key];
  const at = document.activeElement;
  if (!step || !at || !(at.contains(board) || board.contains(at))) return false;
  const plates = [...board.querySelectorAll<HTMLElement>(".plate")];
  const here = plates.indexOf(at as HTMLElement);
  const from = here < 0 && step < 0 ? plates.length : here;
  for (let on = 1; on <= plates.length; on++) {
    const plate = plates[(from + step * on + 2 * plates.length) % plates.length];
    if (!plate || plate.matches(".gone")) continue;
    plate.focus();
    return true;
  }
  return false;
}
