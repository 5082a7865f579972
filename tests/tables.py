"""Short ways to set a table for a test."""

import json
from collections.abc import Iterator
from typing import Any

import msgspec

from tischlein import game_named
from tischlein.chance import Quick
from tischlein.game import NATURE, REFEREE, AnyGame, By, IllegalMove
from tischlein.games import game_names

ALL_TABLES = [(name, seats) for name in game_names() for seats in game_named(name).SEATS]
"""Every game with every number of seats."""
CALM_TABLES = [("kakerlaken", seats, {"calm": True}) for seats in game_named("kakerlaken").SEATS]
TABLES = [*((name, seats, dict[str, Any]()) for name, seats in ALL_TABLES), *CALM_TABLES]
"""The same, and the tables where no clock runs [K24]."""


class Table:
    """A game in progress, driven by JSON moves as outsiders write them."""

    def __init__(self, name: str, seats: int, **options: Any) -> None:
        self.rules: AnyGame = game_named(name)
        self.state = self.rules.start(seats, options)

    def do(self, by: By, what: str, **fields: Any) -> "Table":
        """Play a move; `frm` stands for the field `from`."""
        if "frm" in fields:
            fields["from"] = fields.pop("frm")
        move = msgspec.convert({"do": what, **fields}, self.rules.Move)
        self.state = self.rules.play(self.state, by, move)
        return self

    def nature(self, what: str, **fields: Any) -> "Table":
        """Let nature move."""
        return self.do(NATURE, what, **fields)

    def refusal(self, by: By, what: str, **fields: Any) -> str:
        """Try a move that must be refused; give the code."""
        before = self.state
        try:
            self.do(by, what, **fields)
        except IllegalMove as refused:
            assert self.state is before
            return refused.code
        raise AssertionError(f"{what} by {by} was not refused")

    def view(self, viewer: Any = REFEREE) -> Any:
        """Show the table as JSON says it."""
        return json.loads(msgspec.json.encode(self.rules.view(self.state, viewer)))

    def to_move(self) -> list[By]:
        """Say who may move."""
        return list(self.rules.to_move(self.state))

    def legal(self, seat: int) -> list[Any]:
        """List a seat's moves as JSON says them."""
        found: list[Any] = json.loads(msgspec.json.encode(self.rules.legal(self.state, seat)))
        return found


def stamped(rules: AnyGame, state: Any, seat: int, move: Any, rng: Quick) -> Any:
    """Give a race move its time, later than one's own grab."""
    if not hasattr(move, "at") or getattr(state.options, "calm", False):
        return move
    mine = state.deeds[seat]
    earliest = 0.0 if mine is None else mine.at
    return msgspec.structs.replace(move, at=earliest + rng.below(4000))


def random_move(rules: AnyGame, state: Any, rng: Quick) -> tuple[By, Any]:
    """Choose who moves and how, each legal way possible."""
    movers = rules.to_move(state)
    by = movers[rng.below(len(movers))]
    if by == NATURE:
        return by, rules.draw(state, rng)
    moves = rules.legal(state, int(by))
    return by, stamped(rules, state, int(by), moves[rng.below(len(moves))], rng)


def random_game(
    name: str, seats: int, seed: int, **options: Any
) -> Iterator[tuple[Any, By, Any, Any]]:
    """Play a random game: state before, who, what, state after, move by move."""
    rules, rng = game_named(name), Quick(seed)
    state = rules.start(seats, options)
    while rules.to_move(state):
        by, move = random_move(rules, state, rng)
        after = rules.play(state, by, move)
        yield state, by, move, after
        state = after


def position(name: str, seats: int, seed: int, moves: int, **options: Any) -> Any:
    """Give the state after some moves of a random game, or its end."""
    state = game_named(name).start(seats, options)
    for number, (_, _, _, after) in enumerate(random_game(name, seats, seed, **options)):
        if number >= moves:
            break
        state = after
    return state
