"""Games that wait to be rated, laid into a store."""

from collections.abc import Sequence
from functools import cache

from tests.tables import random_game
from tischlein import game_named
from tischlein.game import ranking
from tischlein.people.profiles import Profile, Profiles
from tischlein.record import FORMAT, Header, Replay, write
from tischlein.store import Page, Store

GAME = "sushizock"
NOVEMBER = 1_793_491_200.0
"""The first moment of November 2026, UTC."""


@cache
def ended_game(seats: int, first: int) -> str:
    """Give the record of a game of chance that this seat has won, and the last did not."""
    for seed in range(1000):
        game = Replay(Header(FORMAT, GAME, tuple(f"p{seat}" for seat in range(seats))))
        for _, by, move, _ in random_game(GAME, seats, seed):
            game.play(by, move)
        game.end()
        order = ranking(game_named(GAME), game.state)
        if order[0] == (first,) and len(order) == seats:
            return write(game)
    raise AssertionError("no such game")


async def people(store: Store, *names: str) -> list[Profile]:
    """Make profiles."""
    profiles = Profiles(store, lambda: NOVEMBER)
    return [await profiles.make(name) for name in names]


async def wins(
    store: Store,
    winner: Profile,
    *others: Profile,
    table: str,
    ended: float = NOVEMBER,
    left: Sequence[int] = (),
    record: str | None = None,
) -> None:
    """Let somebody win against others at an open table; seats are in the order of arguments."""
    guests = [(seat, profile.id) for seat, profile in enumerate((winner, *others))]
    text = ended_game(len(guests), 0) if record is None else record
    page = Page(table, 1, [b"x"], ended, False, (1, text), guests=guests, rated=True, left=left)
    await store.append(page)
