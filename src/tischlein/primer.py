"""Learning a game by playing it: a first game whose chance and whose others are fixed.

A primer is a record with comments: every move in it goes through the rules. It lies beside them as
`primer.py` and is told to the learner, who sits in seat 0 and sees what that seat may see.
"""

from collections.abc import Iterable
from typing import Any, Final

import msgspec
from msgspec import Struct

from tischlein.game import AnyGame, By, News, Seen, Word, ranking
from tischlein.games import game_named, has_part, part_of
from tischlein.words import news_of

LEARNER: Final = 0
"""Where the learner sits."""

Moves = tuple[tuple[By, Any], ...]


class Step(Struct, frozen=True):
    """A stop on the way: what is said, what the learner is to do, and what happens then."""

    say: str
    """The key of the words, less `learn.`."""
    do: Any = None
    """The learner's move; without one they only read and go on."""
    then: Moves = ()
    point: tuple[Word, ...] = ()
    """What to press, one after another, by the names that a board gives to who listens; of a name
    that is not filled in wholly only the beginning counts."""
    cross: tuple[Word, ...] = ()
    """What is out of the question, by name."""
    counts: bool = False
    """Whether it is shown what the points are made of."""


class Primer(Struct, frozen=True):
    """A first game: who else plays, what was played before, and the steps."""

    others: tuple[str, ...]
    opening: Moves
    steps: tuple[Step, ...]
    options: dict[str, Any] = {}


class Shown(Struct, frozen=True):
    """A move as the learner sees it: the move, what is seen after it, and what it tells."""

    move: Seen
    view: Any
    to_move: tuple[By, ...]
    news: list[News]


class Stand(Struct, frozen=True):
    """How things stand for the learner, and what they may do."""

    view: Any
    to_move: tuple[By, ...]
    legal: dict[str, Any]
    scores: tuple[int, ...] | None
    winners: tuple[int, ...]
    ranking: tuple[tuple[int, ...], ...]
    over: bool
    racing: bool


class ToldStep(Struct, frozen=True):
    """A step as it is told: `do` is the move that is waited for, `shown` what happens after it."""

    say: str
    do: Seen | None
    point: tuple[Word, ...]
    cross: tuple[Word, ...]
    counts: bool
    shown: list[Shown]
    stand: Stand
    """How things stand when all that is shown."""


class ToldPrimer(Struct, frozen=True):
    """A primer as a client gets it: all that seat 0 will see, from the first step to the last."""

    game: str
    others: tuple[str, ...]
    options: dict[str, Any]
    stand: Stand
    steps: list[ToldStep]


def has_primer(game: str) -> bool:
    """Say whether a game can be learnt by playing."""
    return has_part(game, "primer")


def primer_of(game: str) -> Primer | None:
    """Find the primer of a game."""
    found: Primer | None = getattr(part_of(game, "primer"), "PRIMER", None)
    return found


def told_primer(game: str) -> ToldPrimer | None:
    """Play a primer through the rules, and tell what the learner sees of it."""
    primer = primer_of(game)
    if primer is None:
        return None
    rules = game_named(game)
    state = rules.start(len(primer.others) + 1, primer.options)
    for by, move in primer.opening:
        state = rules.play(state, by, move)
    begin, steps = stand_of(rules, state), []
    for step in primer.steps:
        shown, state = shown_of(rules, state, moves_of(step))
        do = None if step.do is None else msgspec.to_builtins(step.do)
        marks = (step.point, step.cross, step.counts)
        steps.append(ToldStep(step.say, do, *marks, shown, stand_of(rules, state)))
    return ToldPrimer(game, primer.others, primer.options, begin, steps)


def moves_of(step: Step) -> Moves:
    """List the moves of a step: first the learner's."""
    mine: Moves = () if step.do is None else ((LEARNER, step.do),)
    return mine + step.then


def shown_of(
    rules: AnyGame, state: Any, moves: Iterable[tuple[By, Any]]
) -> tuple[list[Shown], Any]:
    """Play moves; tell those that bring news, and give the state that they lead to."""
    tell, found = news_of(rules), []
    for by, move in moves:
        after = rules.play(state, by, move)
        if news := tell(state, by, move, after, LEARNER):
            seen = rules.seen(by, move, LEARNER) or {"by": by, "do": None}
            movers = rules.waits_for(after, LEARNER)
            found.append(Shown(seen, rules.view(after, LEARNER), movers, news))
        state = after
    return found, state


def stand_of(rules: AnyGame, state: Any) -> Stand:
    """Tell how things stand, as the learner may know it."""
    over = not rules.to_move(state)
    legal = rules.legal(state, LEARNER)
    race = getattr(rules, "race", None)
    return Stand(
        view=rules.view(state, LEARNER),
        to_move=rules.waits_for(state, LEARNER),
        legal={str(LEARNER): legal} if legal else {},
        scores=rules.standing(state, LEARNER),
        winners=rules.winners(state),
        ranking=ranking(rules, state) if over else (),
        over=over,
        racing=race is not None and race(state) is not None,
    )
