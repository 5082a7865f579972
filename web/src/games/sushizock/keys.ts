// The keys of this game: what each does, and how it is named.

import { isElsewhere } from "../../lib/keys";
import { walk } from "./arrows";
import type { Turn } from "./turn.svelte";
import { tell } from "./words";

/** What can be pressed, to be shown on request. */
export const keys = () => [
  { key: "1–5", text: tell("key.dice") },
  { key: "R", text: tell("key.roll") },
  { key: "S", text: tell("key.sushi") },
  { key: "B", text: tell("key.bones") },
  { key: "← ↑ → ↓ ⏎", text: tell("key.arrows") },
];

/** Do what a key says; the browser keeps those that mean nothing here. */
export function press(event: KeyboardEvent, turn: Turn, board: HTMLElement | undefined): void {
  if (!board || isElsewhere(event)) return;
  if (walk(board, event.key) || act(event, turn)) event.preventDefault();
}

function act(event: KeyboardEvent, turn: Turn): boolean {
  const key = event.key.toLowerCase();
  if (event.repeat) return false; // a key that is held is no second tap
  if (key === "r" && turn.hidden) {
    turn.letOut();
    return true;
  }
  if (!turn.mine) return false;
  turn.type(event);
  const at = Number(key) - 1 - turn.view.dice.aside.length; // as they lie, those set aside first
  if (turn.canRoll && at in turn.view.dice.rolled) turn.keep(at, !turn.kept.includes(at));
  else if (key === "r" && turn.canRoll) turn.rollOn();
  else if (key === "s") turn.pick("sushi", turn.aims("sushi"));
  else if (key === "b" && turn.forced) turn.giveIn();
  else if (key === "b") turn.pick("bones", turn.aims("bones"));
  else return false;
  return true;
}
