// What is wrong with a screen, each flaw in a few words.
() => {
  const found = new Set();
  const sheet = [...document.querySelectorAll("dialog[open]")].at(-1);
  const root = sheet ?? document.querySelector("div.game, div.learn") ?? document.body;
  const plays = root.matches(".game, .learn");
  const name = (e) => (e.getAttribute("aria-label") || e.textContent || e.className.baseVal || e.className)
    .trim().replace(/\s+/g, " ").slice(0, 50) + " <" + e.tagName.toLowerCase() + "." + (e.getAttribute("class") ?? "") + ">";
  const seen = (e) => e.checkVisibility({ opacityProperty: true, visibilityProperty: true })
    && !e.closest(".sr") && e.getClientRects().length > 0;
  const page = document.documentElement;
  if (page.scrollWidth > innerWidth + 1) found.add(`the page is ${page.scrollWidth} wide`);
  const outside = (r) => r.left < -1.5 || r.top < -1.5 || r.right > innerWidth + 1.5 || r.bottom > innerHeight + 1.5;
  const hits = (e, x, y) => {
    const top = document.elementFromPoint(x, y);
    return top !== null && (e.contains(top) || top.contains(e) && getComputedStyle(e).pointerEvents === "none");
  };
  for (const e of root.querySelectorAll("*")) {
    if (e.closest("[role=img] [inert]")) continue; // a small picture of the board
    if (!seen(e) || (sheet === undefined && e.closest("dialog"))) continue;
    const style = getComputedStyle(e), box = e.getBoundingClientRect();
    const own = [...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim());
    if (own) {
      const scale = e.ownerSVGElement ? (e.getScreenCTM()?.a ?? 1) : (e.currentCSSZoom ?? 1);
      const size = parseFloat(style.fontSize) * scale;
      if (size < 11.9) found.add(`text of ${size.toFixed(1)} px: ${name(e)}`);
      if (plays && outside(box)) found.add(`outside: ${name(e)}`);
    }
    const hides = /hidden|clip/.test(style.overflowX + style.overflowY);
    const cut = e.scrollWidth > e.clientWidth + 1 || e.scrollHeight > e.clientHeight + 2;
    if (own && hides && cut && !e.closest("[data-more]")) found.add(`cut off: ${name(e)}`);
    const rolls = /auto|scroll/.test(style.overflowY) && e.scrollHeight > e.clientHeight + 1;
    if (plays && rolls) found.add(`scrolls by ${e.scrollHeight - e.clientHeight}: ${name(e)}`);
    if (e.matches("button, a, input, select, [data-need]")) {
      const target = (e.matches("input") && e.closest("label") || e).getBoundingClientRect();
      const need = e.matches("[data-need]");
      if (plays && outside(box)) found.add(`${need ? "not in sight" : "outside"}: ${name(e)}`);
      const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
      if (plays && !need && !hits(e, x, y)) found.add(`covered: ${name(e)}`);
      if (!need && !e.closest(".tv") && Math.min(target.width, target.height) < 47.5
          && !(e.matches("a") && style.display === "inline"))
        found.add(`small, ${Math.round(box.width)} x ${Math.round(box.height)}: ${name(e)}`);
    }
  }
  const needs = [...root.querySelectorAll("[data-need]")].filter(seen);
  for (const [i, one] of needs.entries()) for (const other of needs.slice(i + 1)) {
    if (one.contains(other) || other.contains(one)) continue;
    const [a, b] = [one.getBoundingClientRect(), other.getBoundingClientRect()];
    const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
    const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
    if (wide > 2 && high > 2) found.add(`${other.dataset.need} covers ${one.dataset.need} by ${Math.round(high)}`);
  }
  return [...found];
}
