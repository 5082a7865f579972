// Marks on a board: what to press, and what is out of the question; both are found by what they are called.

const cross = `<svg viewBox="0 0 40 40"><path d="M8 8 32 32M32 8 8 32" /></svg>`;

/** Mark things of a board for as long as they are there; gives back how to take the marks away. */
export function mark(
  board: HTMLElement,
  point: readonly string[],
  crossed: readonly string[],
): () => void {
  let undo = () => {};
  const shown = new Set<HTMLElement>();
  const watch = new MutationObserver(again);
  function again() {
    watch.disconnect();
    undo();
    undo = draw(board, point, crossed, shown);
    watch.observe(board, {
      childList: true,
      characterData: true,
      subtree: true,
      attributeFilter: ["aria-label", "aria-pressed"],
    });
  }
  if (point.length || crossed.length) again();
  return () => {
    watch.disconnect();
    undo();
  };
}

function draw(
  board: HTMLElement,
  point: readonly string[],
  crossed: readonly string[],
  shown: Set<HTMLElement>,
): () => void {
  const pressed = (one: HTMLElement) => one.ariaPressed === "true";
  const pointed = point.flatMap((name) => called(board, name)).filter((one) => !pressed(one));
  const crosses = crossed.flatMap((name) => called(board, name)).map(crossOut);
  for (const one of pointed) {
    one.dataset["pointed"] = "";
    if (!shown.has(one)) one.scrollIntoView({ block: "nearest" });
    shown.add(one);
  }
  return () => {
    for (const one of pointed) delete one.dataset["pointed"];
    for (const one of crosses) one.remove();
  };
}

/** The controls whose name begins so. */
function called(board: HTMLElement, name: string): HTMLElement[] {
  const all = [...board.querySelectorAll<HTMLElement>("button")];
  return all.filter((one) => (one.ariaLabel ?? one.textContent ?? "").trim().startsWith(name));
}

function crossOut(one: HTMLElement): HTMLElement {
  const drawn = document.createElement("span");
  drawn.className = "crossed";
  drawn.ariaHidden = "true";
  drawn.innerHTML = cross;
  one.append(drawn);
  return drawn;
}
