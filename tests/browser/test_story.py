"""A whole game, told: every scene, announcement and sound once, in order, none early.

What the page shows, says and plays is compared with the news that the server sent it.
"""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest
from playwright.sync_api import Browser, Page, WebSocket

from tests.browser.house import House, new_page, play_out
from tests.browser.players import buffet_turn, kakerlaken_deed, play_alone, sushizock_turn
from tischlein.words import catalogue

SEEN: Final = """
window.seen = [];
addEventListener("tischlein-sound", ({ detail }) => seen.push(["sound", detail]));
addEventListener("DOMContentLoaded", () => {
  let scene, told;
  const tap = () => dispatchEvent(new PointerEvent("pointerdown"));
  new MutationObserver(() => {
    const game = document.querySelector(".game");
    const next = game?.getAttribute("data-scene") ?? "";
    const lead = game?.hasAttribute("data-lead");
    if (next + lead !== scene) {
      scene = next + lead;
      if (!lead) seen.push(next ? ["scene", next] : ["seen", ""]);
      if (next) requestAnimationFrame(() => requestAnimationFrame(tap));
    }
    const span = document.querySelector("[data-told] span");
    if (span !== told) {
      told = span;
      if (span?.textContent.trim()) seen.push(["told", span.textContent.trim()]);
    }
    const over = document.querySelector("[data-over]");
    if (over && !seen.some(([what]) => what === "over")) seen.push(["over", ""]);
  }).observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
});
"""
"""Notes all that is shown, said and played; taps as soon as a scene is drawn: it goes on."""


def news_of(page: Page) -> list[list[dict[str, Any]]]:
    """Collect what the server tells a page to show: the news of every step."""
    steps: list[list[dict[str, Any]]] = []

    def hear(payload: str | bytes) -> None:
        frame = json.loads(payload)
        if frame["type"] == "state":
            steps.extend(step["news"] for step in frame["steps"])

    def listen(socket: WebSocket) -> None:
        socket.on("framereceived", hear)

    page.on("websocket", listen)
    return steps


def sounds_of(game: str) -> dict[str, str]:
    """Read which news sound like what."""
    folder = Path("web/src/games") / game
    text = "".join((folder / name).read_text() for name in ("sounds.ts", "table.ts")
                   if (folder / name).exists())  # fmt: skip
    return dict(re.findall(r"^\s*(\w+): \"(\w+)\"", text, re.MULTILINE))


def pattern(game: str, key: str) -> str:
    """Give what a piece of news may sound like, whatever fills it in."""
    texts = [catalogue("en").get(f"{game}.{name}") for name in (key, f"{key}.one")]
    forms = [re.sub(r"\\\{\w+\\\}", ".+", re.escape(text)) for text in texts if text]
    return f"(?:{'|'.join(forms)})"


GAMES: Final = [
    ("sushizock", "Sushizock", sushizock_turn),
    ("buffet", "Buffet", buffet_turn),
    ("kakerlaken", "Kakerlaken Sushi", kakerlaken_deed),
]


@pytest.mark.long
@pytest.mark.parametrize(("game", "title", "turn"), GAMES)
def test_everything_is_told_once_and_in_order(
    game: str,
    title: str,
    turn: Callable[[Page], bool],
    browser: Browser,
    quick_house: House,
    race_house: House,
) -> None:
    page = new_page(browser, pace="normal")
    page.add_init_script(SEEN)
    steps = news_of(page)
    play_alone(page, race_house if game == "kakerlaken" else quick_house, title)
    play_out(turn, page)
    seen: list[tuple[str, str]] = [tuple(one) for one in page.evaluate("seen")]

    def of(kind: str) -> list[str]:
        return [value for what, value in seen if what == kind]

    assert of("scene") == [" ".join(news["key"] for news in step) for step in steps]
    told = of("told")
    assert len(told) == len(steps)
    for text, step in zip(told, steps, strict=True):
        assert re.fullmatch(" ".join(pattern(game, news["key"]) for news in step), text), text
    sounds = sounds_of(game)
    meant = [
        sound
        for step in steps
        for sound in dict.fromkeys(sounds.get(news["key"], "") for news in step)
        if sound
    ]
    played = [sound for sound in of("sound") if sound in set(sounds.values())]
    assert played == meant
    last = {what: i for i, (what, _) in enumerate(seen)}
    assert last["over"] > last["seen"] > last["scene"], (
        "the end is told when the last scene is seen"
    )
    (ends,) = [i for i, (_, value) in enumerate(seen) if value in ("win", "end")]
    assert ends > last["scene"]
