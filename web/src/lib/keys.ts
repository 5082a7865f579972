// Keys that are pressed at a table: whom they are meant for.

const typing = "input, select, textarea";
const control = `button, a, summary, ${typing}, dialog, [role=dialog]`;

const isAt = ({ target }: Event, where: string) =>
  !!(target as Partial<Element> | null)?.closest?.(where);
const isShortcut = ({ ctrlKey, metaKey, altKey }: KeyboardEvent) => ctrlKey || metaKey || altKey;

/** Whether a key is no business of the board: the browser's, a text's, or that of what lies over it. */
export const isElsewhere = (event: KeyboardEvent) =>
  isShortcut(event) ||
  isAt(event, typing) ||
  !!document.querySelector("dialog[open], [role=dialog]");

/** Whether a key that is meant for nothing else goes on, like a tap. */
export const goesOn = (event: KeyboardEvent) =>
  ["Enter", " ", "Escape"].includes(event.key) && !isShortcut(event) && !isAt(event, control);
