// The keys of this game: what each does, and how it is named.

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

const busy = "dialog[open], [role=dialog], [inert] .board";
const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement && !!target.closest("input, select, textarea");

/** Do what a key says; the browser keeps those that mean nothing here. */
export function press(event: KeyboardEvent, turn: Turn, board: HTMLElement | undefined): void {
  const { key, ctrlKey, metaKey, altKey, target } = event;
  if (!board || ctrlKey || metaKey || altKey || isTyping(target)) return;
  if (document.querySelector(busy)) return;
  if (walk(board, key) || act(key.toLowerCase(), event, turn)) event.preventDefault();
}

function act(key: string, event: Event, turn: Turn): boolean {
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
