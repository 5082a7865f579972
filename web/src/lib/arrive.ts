// Who goes by keys or by ear arrives at a new screen with it: at its heading, not nowhere.

import { tick } from "svelte";

/** Take the focus, if nothing else has it. */
export function arrive(heading: HTMLElement): void {
  heading.tabIndex = -1;
  void tick().then(() => {
    if (document.activeElement === document.body) heading.focus({ preventScroll: true });
  });
}
