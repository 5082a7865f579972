"""People who learn a game by playing its primer: by pointer, by keys, by what a reader reads."""

import re
from collections.abc import Callable, Iterator

from playwright.sync_api import Locator, Page, expect

from tests.browser.house import press, until
from tests.browser.looks import words
from tischlein.game import Seat, Word
from tischlein.primer import ToldPrimer, ToldStep, told_primer
from tischlein.words import catalogue, written

ME = "Nori"
FOCUSED = """() => {
  const one = document.activeElement;
  return one.matches('button') ? one.ariaLabel ?? one.innerText.trim() : '';
}"""
"""What the focused button is called."""
MOST_TABS = 120

Deed = Callable[[Page, list[str]], bool]
"""Presses the next of the controls that are named, if one is there."""


def primer(game: str) -> ToldPrimer:
    """Give the primer of a game."""
    found = told_primer(game)
    assert found is not None
    return found


def named(game: str, thing: Word, language: str) -> str:
    """Say what a board calls something; of a name with gaps only its beginning."""
    texts, people = catalogue(language), (ME, *primer(game).others)

    def filled(field: object) -> str:
        if isinstance(field, Seat):
            return people[field.seat]
        return named(game, field, language) if isinstance(field, Word) else str(written(field))

    key = f"{game}.{thing.word}"
    if thing.fields.get("n") == 1 and f"{key}.one" in texts:
        key += ".one"
    fields = {name: filled(field) for name, field in thing.fields.items()}
    whole = re.sub(r"{(\w+)}", lambda gap: fields.get(gap[1], gap[0]), texts[key])
    return whole.partition("{")[0].strip()


def said(game: str, step: ToldStep, language: str) -> str:
    """Give what the host says at a step."""
    people = dict(zip(("name", "second", "third"), primer(game).others, strict=False))
    return re.sub(
        r"{(\w+)}", lambda gap: people[gap[1]], words(language, f"{game}.learn.{step.say}")
    )


def go_learning(page: Page, url: str, game: str) -> None:
    """Open the primer of a game; the learner has a name that is known."""
    page.goto(url)
    page.evaluate(f"localStorage['tischlein.name'] = JSON.stringify({ME!r})")
    page.goto(f"{url}/#learn-{game}")
    page.reload()


def is_at(page: Page, game: str, nth: int, language: str) -> bool:
    """Say whether a step is reached: its number is told."""
    label = words(language, "learnStep").format(n=nth + 1, all=len(primer(game).steps))
    return page.get_by_role("img", name=label, exact=True).is_visible()


def button(page: Page, name: str) -> Locator:
    """Find a control by the beginning of its name; one that is held down already is another."""
    begins = r"\s".join(map(re.escape, name.split()))  # whatever space stands between words
    return page.get_by_role("button", name=re.compile(f"^{begins}"), pressed=False)


def by_pointer(page: Page, names: list[str]) -> bool:
    """Click or tap."""
    return any(button(page, name).count() and press(page, button(page, name).first)
               for name in dict.fromkeys(names))  # fmt: skip


def by_keys(page: Page, names: list[str]) -> bool:
    """Go to a control with Tab and press it."""
    for name in dict.fromkeys(" ".join(name.split()) for name in names):
        if not button(page, name).count():
            continue
        for _ in range(MOST_TABS):
            focused = page.locator("*:focus")
            if " ".join(str(page.evaluate(FOCUSED)).split()).startswith(name) and (
                focused.get_attribute("aria-pressed") != "true"
            ):
                page.keyboard.press("Enter")
                return True
            page.keyboard.press("Tab")
    return False


def by_reading(page: Page, names: list[str]) -> bool:
    """Read the tree that a screen reader gets, and press what stands there."""
    tree = page.locator("body").aria_snapshot()
    for name in dict.fromkeys(names):
        lines = re.findall(r"""- '?button "((?:[^"\\]|\\.)*)"([^\n]*)""", tree)
        for found, state in lines:
            if found.startswith(name) and "[pressed]" not in state and "[disabled]" not in state:
                return press(page, button(page, found).first)
    return False


def let_it_happen(page: Page, deed: Deed, language: str) -> bool:
    """Let go on what waits for the learner, such as dice that are to be shaken."""
    waits = page.get_by_text(words(language, "tapOn"), exact=True).is_visible()
    return waits and deed(page, [words(language, "learnOn")])


def learn(
    page: Page, game: str, deed: Deed = by_pointer, language: str = "en"
) -> Iterator[ToldStep]:
    """Do a primer step by step; each is given when it is said, before it is done."""
    steps = primer(game).steps
    for nth, step in enumerate(steps):
        until(
            page,
            lambda nth=nth: is_at(page, game, nth, language),  # type: ignore[misc]
            lambda: let_it_happen(page, deed, language),
        )
        expect(page.get_by_text(said(game, step, language), exact=True)).to_be_visible()
        yield step
        if nth == len(steps) - 1:
            return
        names = [named(game, thing, language) for thing in step.point]
        if step.do is None:
            names = [words(language, "learnOn")]
        until(
            page,
            lambda nth=nth: is_at(page, game, nth + 1, language),  # type: ignore[misc]
            lambda names=names: deed(page, names),  # type: ignore[misc]
        )
