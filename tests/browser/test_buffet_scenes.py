"""What the Buffet tells, and when: cards, mice and plates first, prompts and points after them."""

import re
from typing import Final

from playwright.sync_api import Browser, Page, expect

from tests.browser.house import House, new_page, press, until
from tests.browser.players import sit_with_bots

WATCH: Final = """
window.seen = { left: [], early: [], points: [], prompts: 0 };
addEventListener("DOMContentLoaded", () => {
  const leaves = ["told_last", "told_ahead", "told_hungry"];
  const points = () => [...document.querySelectorAll("[data-player] strong")]
    .map((one) => one.textContent).join();
  let scene = "", carried = new Set(), before = "", prompted = false;
  new MutationObserver(() => {
    const game = document.querySelector(".game");
    const keys = game?.dataset.scene ?? "", lead = game?.hasAttribute("data-lead");
    if (`${lead} ${keys}` !== scene) {
      if (scene.startsWith("false told_reveal")) {
        const told = scene.split(" ").filter((key) => leaves.includes(key)).length;
        seen.left.push([told, carried.size]);
      }
      scene = `${lead} ${keys}`;
      carried = new Set();
      if (lead) before = points();
    }
    for (const one of document.querySelectorAll("[data-carries]")) carried.add(one.dataset.carries);
    const text = document.querySelector(".act")?.textContent ?? "";
    const prompt = /left first|Swap|Pick a card/.test(text);
    if (keys && prompt) seen.early.push(text);
    if (keys.includes("told_reveal") && points() !== before) seen.points.push(points());
    if (!prompted && text.includes("left first")) seen.prompts += 1;
    prompted = text.includes("left first");
  }).observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
});
"""
"""Notes who carries something in each leaving, and what is prompted or counted too early."""
LEAVINGS: Final = 6


def lay_low(page: Page) -> bool:
    """Lay the lowest card, to be the first who leaves; then swap what was picked meanwhile."""
    if press(page, page.get_by_role("button", name=re.compile("^Swap"))):
        return True
    if press(page, page.get_by_role("button", name=re.compile("^card "), pressed=False).first):
        return press(page, page.get_by_role("button", name=re.compile("^Lay [−0-9]")))
    return False


def test_a_plate_is_carried_in_every_leaving_and_nothing_comes_early(
    browser: Browser, house: House
) -> None:
    page = new_page(browser, pace="quick")
    page.add_init_script(WATCH)
    sit_with_bots(page, house, 4)

    def enough() -> bool:
        left, prompts = page.evaluate("[seen.left.filter(([told]) => told).length, seen.prompts]")
        return bool(left >= LEAVINGS and prompts)

    until(page, enough, lambda: lay_low(page))
    seen = page.evaluate("seen")
    assert all(told == carried for told, carried in seen["left"]), seen["left"]
    assert seen["early"] == []  # no swap and no turn while something is still told
    assert seen["points"] == []  # a plate counts when it has arrived


TURNS: Final = """
window.turns = [];
addEventListener("DOMContentLoaded", () => new MutationObserver(() => {
  const lead = document.querySelector("[data-lead]");
  const cards = [...document.querySelectorAll(".cards [role=img]")].map((one) => one.ariaLabel);
  const up = cards.filter((card) => /: −?[0-9]$/.test(card));
  if (lead && up.length !== turns.at(-1)?.length) turns.push(up);
}).observe(document, { subtree: true, childList: true, attributes: true, characterData: true }));
"""
"""Notes which cards are turned, as they turn."""


def test_cards_lie_face_down_at_once_and_turn_from_the_first_player(
    browser: Browser, house: House
) -> None:
    page = new_page(browser, pace="normal")
    page.add_init_script(TURNS)
    sit_with_bots(page, house, 3)
    expect(page.get_by_role("img", name=re.compile(": has laid a card$"))).to_have_count(2)
    expect(page.get_by_role("img", name=re.compile(": is still choosing$"))).to_have_count(1)
    first = page.get_by_role("button", name=re.compile("^first player, "))
    starter = re.sub("^first player, (.+): space .*", r"\1", first.inner_text().splitlines()[0])
    until(page, lambda: page.evaluate("turns.length >= 4"), lambda: lay_low(page))
    nothing, one, *_, three = page.evaluate("turns.slice(0, 4)")
    assert nothing == []
    assert one[0].startswith(f"{starter}: ")
    assert len(three) == 3
