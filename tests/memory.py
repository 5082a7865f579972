"""Two games of Sushizock that look the same now: only what lies covered is not [S19]."""

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from tests.tables import random_game
from tischlein.chance import Quick
from tischlein.game import NATURE, By, IllegalMove, shuffled
from tischlein.games.sushizock import rules as sushizock
from tischlein.games.sushizock.rules import Deal, Forced, Kind, State, Steal, Take

Moves = list[tuple[By, Any]]
KINDS: tuple[Kind, ...] = ("sushi", "bones")


class Twins(Struct):
    """The same moves after two deals, and where they have led."""

    moves: tuple[Moves, Moves]
    states: tuple[State, State]


class Places:
    """Where each tile of the deal went, by its place in its row: values may be equal."""

    def __init__(self, seats: int) -> None:
        self.rows = {kind: list(range(12)) for kind in KINDS}
        self.piles: list[dict[Kind, list[int]]] = [
            {kind: [] for kind in KINDS} for _ in range(seats)
        ]

    def follow(self, before: State, by: By, move: Any) -> None:
        """See one move."""
        match move:
            case Take():
                which = KINDS.index(move.row)
                at = before.aside[which] + (before.rolled or (0,) * 4)[which] - 1
                self.gain(by, move.row, self.rows[move.row].pop(at))
            case Steal():
                self.gain(by, move.pile, self.piles[move.victim][move.pile].pop(-move.depth))
            case Forced():
                tiles = before.bones or before.sushi
                kind: Kind = "bones" if before.bones else "sushi"
                self.gain(by, kind, self.rows[kind].pop(tiles.index(min(tiles))))

    def gain(self, by: By, kind: Kind, place: int) -> None:
        """Lay a tile on top."""
        self.piles[int(by)][kind].append(place)

    def covered(self, kind: Kind) -> list[int]:
        """List the places in the deal of the tiles that lie covered."""
        return [place for pile in self.piles for place in pile[kind][:-1]]


def with_others_covered(deal: Deal, places: Places, rng: Quick) -> Deal:
    """Deal anew, so that only tiles that lie covered now are other ones."""
    rows = {"sushi": list(deal.sushi), "bones": list(deal.bones)}
    for kind in KINDS:
        covered = places.covered(kind)
        values = shuffled([rows[kind][place] for place in covered], rng)
        for place, value in zip(covered, values, strict=True):
            rows[kind][place] = value
    return Deal(tuple(rows["sushi"]), tuple(rows["bones"]), deal.starter)


def replayed(seats: int, moves: Moves) -> State | None:
    """Play moves through; None if they are not legal."""
    state = sushizock.start(seats)
    try:
        for by, move in moves:
            state = sushizock.play(state, by, move)
    except IllegalMove:
        return None
    return state


def twins(seats: int, seed: int) -> Iterator[Twins | None]:
    """At every moment of a random game with something covered: it and its twin, if it has one."""
    moves: Moves = []
    places, rng = Places(seats), Quick(seed)
    for before, by, move, after in random_game("sushizock", seats, seed):
        places.follow(before, by, move)
        moves.append((by, move))
        others = [(NATURE, with_others_covered(moves[0][1], places, rng)), *moves[1:]]
        if others != moves and sushizock.to_move(after):
            there = replayed(seats, others)
            alike = there is not None and looks(there) == looks(after)
            yield Twins(([*moves], others), (after, there)) if there and alike else None


def looks(state: State) -> sushizock.View:
    """Show what everybody sees."""
    return sushizock.view(state, None)
