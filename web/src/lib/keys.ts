// Keys that are pressed at a table: whom they are meant for.

const typing = "input, select, textarea";
/** What Escape closes. */
const over = "dialog, [role=dialog], [data-closes]";
const control = `button, a, summary, ${typing}, ${over}`;

const isAt = ({ target }: Event, where: string) =>
  !!(target as Partial<Element> | null)?.closest?.(where);
const isShortcut = ({ ctrlKey, metaKey, altKey }: KeyboardEvent) => ctrlKey || metaKey || altKey;

/** Whether a key is no business of the board: the browser's, a text's, or that of what lies over it. */
export const isElsewhere = (event: KeyboardEvent) =>
  isShortcut(event) ||
  isAt(event, typing) ||
  !!document.querySelector("dialog[open], [role=dialog]");

/** Whether a key that is meant for nothing else goes on, like a tap; Escape does so on a button, too. */
export function goesOn(event: KeyboardEvent): boolean {
  if (isShortcut(event)) return false;
  if (event.key === "Escape") return !isAt(event, `${typing}, ${over}`);
  return ["Enter", " "].includes(event.key) && !isAt(event, control);
}
