"""What a game tells of its moves, and words for them; plain ones for a game that brings none."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import msgspec

from tischlein.game import (
    NATURE,
    REFEREE,
    AnyGame,
    By,
    News,
    Seat,
    Viewer,
    Word,
    still_told,
)
from tischlein.games import part_of
from tischlein.words import Say, filled, words_of, written

Tell = Callable[[Any, By, Any, Any, Viewer], list[News]]
"""Tells a viewer of a move: the state before it, by whom, the move, the state after it."""


def news_of(rules: AnyGame) -> Tell:
    """Find how a game tells its moves."""
    own: Tell | None = getattr(part_of(rules.NAME, "news"), "news", None)
    return own or getattr(rules, "news", None) or partial(plain_news, rules)


def plain_news(
    rules: AnyGame, before: Any, by: By, move: Any, after: Any, viewer: Viewer
) -> list[News]:
    """Tell a move as the viewer sees it; of one made in secret nothing."""
    seen = rules.seen(by, move, viewer)
    if seen is None or seen["do"] is None:
        return []
    name = Word("nature") if by == NATURE else Seat(by)
    return [News("did", {"name": name, "deed": plain_deed(rules.NAME, seen)})]


def story(
    rules: AnyGame,
    states: Sequence[Any],
    moves: Sequence[tuple[By, Any]],
    viewer: Viewer,
    tell: Tell | None = None,
) -> list[News]:
    """Tell all moves of a game, each as far as it may still be told; after the end everything.

    There is one state more than there are moves: that before the first.
    """
    tell = tell or news_of(rules)
    told = [
        news
        for at, (by, move) in enumerate(moves)
        for news in tell(states[at], by, move, states[at + 1], viewer)
    ]
    if viewer == REFEREE or not rules.to_move(states[-1]):
        return [News(news.key, news.fields) for news in told]
    return still_told(told)


def deed(game: str, move: Any | None, names: Sequence[str], say: Say) -> str:
    """Word a move as advice, `keep sushi ×2 and roll the rest`; `say` speaks of that game."""
    if move is None:
        return say("deed.wait")
    own = getattr(part_of(game, "news"), "deed", None)
    found = own(move) if own else plain_deed(game, msgspec.to_builtins(move))
    return str(filled(found, names, say))


def plain_deed(game: str, move: Mapping[str, Any]) -> Word | str:
    """Word a move, given as JSON, by what it does; without words for that say what it holds."""
    fields = {
        name: held if type(held) in (int, str) else readable(held)
        for name, held in move.items()
        if name not in ("by", "do")
    }
    key = f"deed.{move['do']}"
    if key in words_of(game, "en"):
        return Word(key, fields)
    held = ", ".join(f"{name.replace('_', ' ')} {written(it)}" for name, it in fields.items())
    return f"{move['do']} ({held})" if held else str(move["do"])


def readable(held: Any) -> str:
    """Write something that came as JSON so that people can read it."""
    match held:
        case None:
            return "?"
        case bool():
            return "✓" if held else "–"
        case list() | tuple():
            return " ".join(map(readable, held)) or "–"
        case dict():
            return ", ".join(f"{name} {readable(part)}" for name, part in held.items()) or "–"
        case _:
            return str(written(held))


def reason(code: str, fields: Mapping[str, Any], say: Say) -> str:
    """Word why a bot would do it; none is an empty text. `say` speaks of the bot's game."""
    return say(f"because.{code}", **fields) if code else ""
