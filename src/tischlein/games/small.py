"""What a small game leaves out: the plain answers that serve until it has its own.

A game that has `REASONS` refuses by itself, in sentences of its own. For one that has none the
house asks `legal` and `chances` first: its `play` gets only moves that they list, its `legal` only
seats that are to move, its `chances` is asked when nature is, and its `start` gets the house rules,
read and checked.
"""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from math import lcm
from random import Random
from types import SimpleNamespace
from typing import Any, Final, cast, get_args, get_type_hints

import msgspec

from tischlein import game
from tischlein.game import NATURE, REFEREE, AnyGame, BadStart, By, Rng, Seen, Trait, Viewer

NEEDED: Final = {
    "NAME": 'the name of the game, as in NAME = "my_game"',
    "SEATS": "how many can play, as in SEATS = range(2, 5)",
    "State": "the table: a frozen msgspec.Struct",
    "Move": "the kinds of moves: a frozen tischlein.game.Move, or several joined by |",
    "start": "start(seats, options) -> State: the empty table",
    "to_move": "to_move(state) -> (seat,), (NATURE,), or () when the game is over",
    "legal": "legal(state, seat) -> a list of the moves of a seat that is to move",
    "play": "play(state, by, move) -> State: the table after a legal move",
    "scores": "scores(state) -> a tuple with each seat's points",
}
REASONS: Final = game.COMMON_REASONS | {
    "not_now": "that is not possible now",
    "not_by_chance": "dice and cards cannot do that now",
}


def completed(given: Any) -> AnyGame:
    """Give the whole game: what its module says, and plain answers where it says nothing."""
    check(given)
    own = {name: it for name, it in vars(given).items() if not name.startswith("_")}
    whole = SimpleNamespace(**plain_answers(given) | own)
    if "REASONS" not in own:
        vars(whole).update(checked_answers(given, whole), REASONS=REASONS)
    return cast(AnyGame, whole)


def check(given: Any) -> None:
    """Say in a sentence what a module must still have to be a game."""
    missing = [f"`{name}`: {what}" for name, what in NEEDED.items() if not hasattr(given, name)]
    if missing:
        raise bad(given, f"is not a whole game yet. It needs {'; '.join(missing)}")
    if not (isinstance(given.NAME, str) and given.NAME.isidentifier() and given.NAME.islower()):
        raise bad(given, f"has the NAME {given.NAME!r}: it must be a plain word, such as my_game")
    if not (isinstance(given.SEATS, range) and given.SEATS and given.SEATS[0] >= 1):
        raise bad(given, f"has SEATS = {given.SEATS!r}: it must be a range, such as range(2, 5)")
    for name in ("start", "to_move", "legal", "play", "scores"):
        if not callable(getattr(given, name)):
            raise bad(given, f"has a `{name}` that is no function; it must be {NEEDED[name]}")
    check_kinds(given)
    if hasattr(given, "view") and not hasattr(given, "imagine"):
        what = "imagine(view, rng) -> a whole State that agrees with what somebody sees"
        raise bad(given, f"hides something with its own `view`, so that it also needs {what}")
    traits = set(getattr(given, "HAS", ()))
    if not traits <= set(get_args(Trait)):
        raise bad(given, f"says HAS = {sorted(traits)}; there are {', '.join(get_args(Trait))}")
    if "race" in traits and not (hasattr(given, "race") and hasattr(given, "REASONS")):
        raise bad(given, "HAS a race, so that it also needs race(state), and REASONS to refuse by")


def check_kinds(given: Any) -> None:
    """Say what is wrong with the kinds of moves, of states and of house rules."""
    for kind in get_args(given.Move) or (given.Move,):
        if not (isinstance(kind, type) and issubclass(kind, game.Move)):
            shown = getattr(kind, "__name__", repr(kind))
            raise bad(given, f"has a kind of move that is no tischlein.game.Move: {shown}")
    try:
        msgspec.json.Decoder(given.Move)
    except TypeError as problem:
        raise bad(given, f"has moves that cannot be written as JSON: {problem}") from None
    if not (isinstance(given.State, type) and issubclass(given.State, msgspec.Struct)):
        raise bad(given, f"has a State that is not {NEEDED['State']}")
    options = getattr(given, "Options", game.Options)
    if not (isinstance(options, type) and issubclass(options, game.Options)):
        raise bad(given, "has Options that are no tischlein.game.Options")


def bad(given: Any, what: str) -> BadStart:
    """Say of which file it is, and what is wrong with it."""
    where = getattr(given, "__file__", None) or getattr(given, "__name__", "this")
    return BadStart("bad_game", "{where} {what}", where=where, what=what)


def plain_answers(given: Any) -> dict[str, Any]:
    """Give the plain answer to everything that a game may leave out."""
    hides = hasattr(given, "view")
    traits: tuple[Trait, ...] = ("turns", "secrets") if hides else ("turns",)
    return {
        "HAS": frozenset(traits),
        "Options": game.Options,
        "View": view_kind(given),
        "chances": lambda state: (),
        "draw": drawing(given),
        "view": lambda state, viewer: state,
        "seen": seen,
        "retold": retelling(given),
        "in_secret": lambda state: 0,
        "waits_for": lambda state, viewer: given.to_move(state),
        "standing": standing_late(given) if hides else lambda state, viewer: given.scores(state),
        "winners": winning(given),
        "imagine": lambda view, rng: view,
    }


def view_kind(given: Any) -> Any:
    """Find what a view is: what `view` says it returns, or the state itself."""
    if hasattr(given, "View") or not hasattr(given, "view"):
        return given.State
    hints = get_type_hints(given.view)
    if "return" not in hints:
        raise bad(given, "does not say what its `view` gives: `def view(state, viewer) -> View`")
    return hints["return"]


def seen(by: By, move: Any, viewer: Viewer, later: bool = False) -> Seen | None:
    """Tell the whole move: it is made in the open."""
    return game.whole(by, move)


def retelling(given: Any) -> Callable[..., list[Seen | None]]:
    """Tell moves later as they were seen."""
    tell = getattr(given, "seen", seen)

    def retold(
        moves: Sequence[tuple[By, Any]], since: int, state: Any, viewer: Viewer, later: bool = False
    ) -> list[Seen | None]:
        return [tell(by, move, viewer, later) for by, move in moves[since:]]

    return retold


def standing_late(given: Any) -> Callable[[Any, Viewer], tuple[int, ...] | None]:
    """Tell the scores only at the end: before, they might tell what is hidden."""

    def standing(state: Any, viewer: Viewer) -> tuple[int, ...] | None:
        told = viewer == REFEREE or not given.to_move(state)
        return given.scores(state) if told else None

    return standing


def winning(given: Any) -> Callable[[Any], tuple[int, ...]]:
    """Let most points win."""
    return lambda state: () if given.to_move(state) else game.ranking(given, state)[0]


def drawing(given: Any) -> Callable[[Any, Rng], Any]:
    """Draw nature's moves as `chances` lists them."""

    def draw(state: Any, rng: Rng) -> Any:
        listed = given.chances(state) if hasattr(given, "chances") else ()
        if not listed:
            raise bad(given, "lets nature move, but neither `draw` nor `chances` says how")
        return one_of(listed, rng)

    return draw


def one_of(listed: Sequence[tuple[Any, Fraction]], rng: Rng) -> Any:
    """Draw one of some moves, each exactly as likely as it says."""
    parts = lcm(*(chance.denominator for _, chance in listed))
    left = rng.below(parts)
    for move, chance in listed:
        left -= chance.numerator * (parts // chance.denominator)
        if left < 0:
            return move
    raise ValueError("the chances sum to less than one")


def checked_answers(given: Any, whole: Any) -> dict[str, Any]:
    """Set the house before a game that leaves it to the house what is refused."""

    list_chances = whole.chances

    def start(seats: int, options: Mapping[str, Any] | None = None) -> Any:
        return given.start(seats, game.set_up(seats, options, given.SEATS, whole.Options))

    def legal(state: Any, seat: int) -> Sequence[Any]:
        return given.legal(state, seat) if seat in given.to_move(state) else ()

    def chances(state: Any) -> game.Chances:
        return list_chances(state) if given.to_move(state) == game.BY_NATURE else ()

    def play(state: Any, by: By, move: Any) -> Any:
        movers = given.to_move(state)
        if by not in movers:
            raise game.refuse_mover(movers, by, len(given.scores(state)))
        if by == NATURE:
            refuse_chance(whole, state, move)
        elif move not in given.legal(state, by):
            raise game.illegal(REASONS, "not_now")
        return given.play(state, by, move)

    return {"start": start, "legal": legal, "chances": chances, "play": play}


def refuse_chance(whole: Any, state: Any, move: Any) -> None:
    """Refuse what nature cannot do now: what is not listed, or is not of the kind that is drawn."""
    listed = [other for other, _ in whole.chances(state)]
    if move not in listed if listed else type(move) is not type(whole.draw(state, Some())):
        raise game.illegal(REASONS, "not_by_chance")


class Some:
    """Some chance, to see what kind of move is drawn."""

    below = staticmethod(Random(0).randrange)  # noqa: S311  # no die of a game
