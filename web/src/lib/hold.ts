// Who goes by keys or by ear does not lose their place: what was pressed may go, or pause meanwhile.

/** What in a place takes the focus when what had it is gone: the first that there is. */
const next = ["h1", "h2", "button:not(:disabled), a[href]"];

/** Give the focus back to what paused, or to what is around that which went. */
export function hold(place: HTMLElement) {
  let had: HTMLElement | null = null;
  let around: HTMLElement[] = [];
  function note({ target }: FocusEvent) {
    had = target as HTMLElement;
    around = [];
    for (let one: HTMLElement | null = had; one && one !== place; one = one.parentElement)
      if (one.matches("section, form, li")) around.push(one);
    around.push(place);
  }
  function forget({ target }: PointerEvent) {
    if (!had?.contains(target as Node)) had = null;
  }
  function restore() {
    if (!had || document.activeElement !== document.body) return;
    if (had.isConnected) return had.matches(":disabled") ? undefined : had.focus();
    for (const one of around) {
      const [found] = one.isConnected
        ? next.flatMap((what) => one.querySelector<HTMLElement>(what) ?? [])
        : [];
      if (!found) continue;
      if (found.matches("h1, h2")) found.tabIndex = -1;
      return found.focus({ preventScroll: true });
    }
  }
  const watch = new MutationObserver(restore);
  watch.observe(place, { subtree: true, childList: true, attributeFilter: ["disabled"] });
  place.addEventListener("focusin", note);
  // A tap elsewhere means to leave; a tap on something that takes the focus is noted after it.
  addEventListener("pointerdown", forget);
  return {
    destroy() {
      watch.disconnect();
      removeEventListener("pointerdown", forget);
    },
  };
}
