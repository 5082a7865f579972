"""What a game tells of its moves, and words for them; plain ones for a game that brings none."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final

import msgspec

from tischlein.game import NATURE, AnyGame, By, News, Seat, Viewer, Word, still_told
from tischlein.games import part_of
from tischlein.names import printable
from tischlein.words.language import Say, filled, words_of, written

ABOUT_SEATS: Final = frozenset(
    ("seat", "starter", "player", "from", "to", "target", "victim", "opponent")
)
"""Fields of moves that name somebody, if they hold the number of a seat."""

FEW: Final = 7
"""More hidden things than this in a row are counted."""

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
    done = plain_deed(rules.NAME, seen, len(rules.scores(after)), by == NATURE)
    return [
        News("fell", {"deed": done})
        if by == NATURE
        else News("did", {"name": Seat(by), "deed": done})
    ]


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
    return story_of(told, over=not rules.to_move(states[-1]))


def story_of(told: Sequence[News], over: bool) -> list[News]:
    """Give what is still told of a game; when it is over nothing fades any more."""
    return [News(news.key, news.fields) for news in told] if over else still_told(told)


def deed(game: str, move: Any | None, names: Sequence[str], say: Say) -> str:
    """Word a move as advice, `keep sushi ×2 and roll the rest`; `say` speaks of that game."""
    if move is None:
        return say("deed.wait")
    own = getattr(part_of(game, "news"), "deed", None)
    found = own(move) if own else plain_deed(game, msgspec.to_builtins(move), len(names))
    return str(filled(found, names, say))


def plain_deed(
    game: str, move: Mapping[str, Any], seats: int, by_chance: bool = False
) -> Word | str | list[Word]:
    """Word a move, given as JSON, by what it does; without words for that say what it holds.

    Of what came by chance that is enough.
    """
    held = {
        name: plain_field(name, value, seats)
        for name, value in move.items()
        if name not in ("by", "do")
    }
    key, name = f"deed.{move['do']}", str(move["do"]).replace("_", " ")
    if key in words_of(game, "en"):
        return Word(key, held)
    parts = [Word("holds", {"what": what, "it": it}) for what, it in held.items()]
    if by_chance and parts:
        return parts
    return Word("does", {"deed": name, "with": parts}) if parts else name


def plain_field(name: str, value: Any, seats: int) -> Any:
    """Give what a move holds as a field of news: a seat where the name says so, or a text."""
    if type(value) is int and name in ABOUT_SEATS and 0 <= value < seats:
        return Seat(value)
    return value if type(value) is int else readable(value)


def readable(held: Any) -> str:
    """Write something that came as JSON so that people can read it."""
    match held:
        case None:
            return "?"
        case bool():
            return "✓" if held else "–"
        case list() | tuple() if len(held) > FEW and set(map(type, held)) == {type(None)}:
            return f"? ×{len(held)}"
        case list() | tuple():
            return " ".join(map(readable, held)) or "–"
        case dict():
            parts = (f"{printable(name)} {readable(part)}" for name, part in held.items())
            return ", ".join(parts) or "–"
        case str():
            return printable(held)
        case _:
            return str(written(held))


def reason(code: str, fields: Mapping[str, Any], say: Say) -> str:
    """Word why a bot would do it; none is an empty text. `say` speaks of the bot's game."""
    return say(f"because.{code}", **fields) if code else ""
