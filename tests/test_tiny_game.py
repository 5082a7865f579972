"""A fourth game, defined here alone: it simulates, records, replays, verifies and plays.

It is the example of `docs/add-a-game.md`.
"""

import sys
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec import Struct
from msgspec.structs import replace
from typer.testing import CliRunner

from tischlein import game as vocabulary
from tischlein import game_named, game_names
from tischlein.cli import app
from tischlein.game import BY_NATURE, NATURE, NOBODY, By, Game, Rng, Seen, Viewer
from tischlein.games import _known, register

NAME = "olives"
SEATS = range(2, 4)
TO_WIN = 10


class Options(vocabulary.Options, frozen=True):
    """House rules."""


class Deal(vocabulary.Move, frozen=True):
    """Nature names the starter."""

    starter: int


class Roll(vocabulary.Move, frozen=True):
    """Nature rolls a die: so many olives on the plate."""

    olives: int


class Eat(vocabulary.Move, frozen=True):
    """Eat the olives on the plate and pass the die on."""


class Leave(vocabulary.Move, frozen=True):
    """Leave them and pass the die on."""


Move = Deal | Roll | Eat | Leave
REASONS = vocabulary.COMMON_REASONS | {
    "full": "you cannot eat {olives} olives: ten in all is exactly enough",
    "no_die": "a die shows one to six olives, not {olives}",
}


class State(Struct, frozen=True):
    """The table."""

    eaten: tuple[int, ...]
    options: Options
    turn: int | None = None
    plate: int = 0


View = State


def start(seats: int, options: Mapping[str, Any] | None = None) -> State:
    return State((0,) * seats, vocabulary.set_up(seats, options, SEATS, Options))


def to_move(state: State) -> tuple[By, ...]:
    if max(state.eaten) == TO_WIN:
        return NOBODY
    return BY_NATURE if state.turn is None or not state.plate else (state.turn,)


def legal(state: State, seat: int) -> Sequence[Move]:
    if seat not in to_move(state):
        return ()
    return [Eat(), Leave()] if state.eaten[seat] + state.plate <= TO_WIN else [Leave()]


def play(state: State, by: By, move: Move) -> State:
    movers = to_move(state)
    if by not in movers:
        raise vocabulary.refuse_mover(movers, by, len(state.eaten))
    if (by == NATURE) != isinstance(move, Deal | Roll):
        raise vocabulary.illegal(REASONS, "only_players" if by == NATURE else "only_nature")
    match move:
        case Deal():
            if state.turn is not None:
                raise vocabulary.illegal(REASONS, "dealt_already")
            vocabulary.check_starter(state.options, move.starter, len(state.eaten))
            return replace(state, turn=move.starter)
        case Roll():
            if state.turn is None:
                raise vocabulary.illegal(REASONS, "deal_first")
            if not 1 <= move.olives <= 6:
                raise vocabulary.illegal(REASONS, "no_die", olives=move.olives)
            return replace(state, plate=move.olives)
        case Eat() | Leave():
            return pass_on(state, int(by), state.plate if isinstance(move, Eat) else 0)


def pass_on(state: State, seat: int, olives: int) -> State:
    if state.eaten[seat] + olives > TO_WIN:
        raise vocabulary.illegal(REASONS, "full", olives=olives)
    eaten = tuple(n + olives * (other == seat) for other, n in enumerate(state.eaten))
    return State(eaten, state.options, (seat + 1) % len(eaten))


def chances(state: State) -> Sequence[tuple[Move, Fraction]]:
    if state.turn is None or to_move(state) != BY_NATURE:
        return ()
    return [(Roll(n), Fraction(1, 6)) for n in range(1, 7)]


def draw(state: State, rng: Rng) -> Move:
    if state.turn is None:
        return Deal(vocabulary.draw_starter(state.options, len(state.eaten), rng))
    return Roll(1 + rng.below(6))


def view(state: State, viewer: Viewer) -> View:
    return state


def seen(by: By, move: Move, viewer: Viewer, later: bool = False) -> Seen | None:
    return vocabulary.whole(by, move)


def retold(
    moves: Sequence[tuple[By, Move]], since: int, state: State, viewer: Viewer, later: bool = False
) -> list[Seen | None]:
    return [seen(by, move, viewer) for by, move in moves[since:]]


def in_secret(state: State) -> int:
    return 0


def waits_for(state: State, viewer: Viewer) -> tuple[By, ...]:
    return to_move(state)


def standing(state: State, viewer: Viewer) -> tuple[int, ...] | None:
    return state.eaten


def scores(state: State) -> tuple[int, ...]:
    return state.eaten


def winners(state: State) -> tuple[int, ...]:
    return tuple(seat for seat, n in enumerate(state.eaten) if n == TO_WIN)


def imagine(view: View, rng: Rng) -> State:
    return view


@pytest.fixture(autouse=True)
def olives() -> Iterator[None]:
    """Put the game on the shelf, and take it off again."""
    module: Any = sys.modules[__name__]
    tiny: Game[State, Move, View] = module
    register(tiny)
    yield
    del _known[NAME]


def test_it_is_on_the_shelf() -> None:
    assert "olives" in game_names()
    assert game_named("olives").start(2).eaten == (0, 0)


def test_it_simulates_records_replays_and_verifies(tmp_path: Path) -> None:
    runner = CliRunner()
    args = ["simulate", "olives", "--seats", "3", "--games", "4", "--bots", "random"]
    done = runner.invoke(app, [*args, "--records", str(tmp_path), "--jobs", "1"])
    assert done.exit_code == 0, done.output
    for file in tmp_path.iterdir():
        assert runner.invoke(app, ["verify", str(file)]).exit_code == 0
        shown = runner.invoke(app, ["replay", str(file), "--json"])
        position = msgspec.json.decode(shown.stdout)
        assert position["over"] is True
        assert max(position["scores"]) == TO_WIN
        assert runner.invoke(app, ["replay", str(file)]).exit_code == 0


def test_it_plays_in_the_terminal(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TISCHLEIN_LANG", "en")
    file = tmp_path / "olives.jsonl"
    args = ["play", "olives", "--name", "Ina", "--record", str(file)]
    done = CliRunner().invoke(app, args, input="1\n" * 500)
    assert done.exit_code == 0, done.output
    assert "Ina, what will you do?" in done.output
    assert "  1  eat\n" in done.output
    assert "Eaten\n  Ina: " in done.output
    assert "Ina's turn" in done.output
    assert "Ina: eat" in done.output
    assert "The game is over!" in done.output
    assert CliRunner().invoke(app, ["verify", str(file)]).exit_code == 0
