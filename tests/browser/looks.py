"""What a page looks like and says: to axe-core, on a small screen, in every language."""

from pathlib import Path
from typing import Any, Final, Literal

from playwright.sync_api import Page

from tischlein.words import catalogue

PAINTED = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
LOOKS: Final[tuple[tuple[Literal["light", "dark"], tuple[str, ...]], ...]] = (
    ("light", ()),
    ("dark", ("color-contrast",)),
)
AXE = Path("web/node_modules/axe-core/axe.min.js")
VIOLATIONS = """async (rules) => {
  const only = rules.length ? { runOnly: rules } : {};
  return (await axe.run({ resultTypes: ["violations"], ...only })).violations;
}"""


def check(page: Page, *rules: str) -> None:
    """Let axe-core look at the page, by all of its rules or by some."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text())
    found: list[dict[str, Any]] = page.evaluate(VIOLATIONS, rules)
    problems = [
        f"{rule['id']}: {node['html'][:160]} {node['failureSummary'][:300]}"
        for rule in found
        for node in rule["nodes"]
    ]
    assert not problems, "\n".join(problems)


def look(page: Page) -> None:
    """Let axe-core look at the page by day, and at its colours by night."""
    for scheme, rules in LOOKS:
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        page.evaluate(PAINTED)
        check(page, *rules)


def cut_off(page: Page, *more: str) -> list[str]:
    """Name what does not fit on the screen."""
    found: list[str] = page.locator(", ".join(("html", "main", *more))).evaluate_all(
        "all => all.filter(one => one.scrollHeight > one.clientHeight + 1"
        " || one.scrollWidth > one.clientWidth + 1).map(one => one.tagName)"
    )
    return found


def words(language: str, key: str) -> str:
    """Give a text of the catalogue."""
    return catalogue(language)[key]
