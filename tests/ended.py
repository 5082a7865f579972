"""Tables whose Buffet has just ended with a tie, laid into a store for others to look at."""

import asyncio
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path
from typing import Any, Final

import msgspec

from tischlein import game_named
from tischlein.chance import Fair, Quick
from tischlein.game import NATURE, By
from tischlein.games.buffet.rules import Tie
from tischlein.store import Page
from tischlein.store.sqlite import SqliteStore
from tischlein.table import entries as e
from tischlein.table.book import Book, fingerprint, record_of

BUFFET: Final = game_named("buffet")
NAMES: Final = ("Ada", "Bo", "Cleo")
NAME: Final = "tiedtabke234"
TOKEN: Final = "t" * 43
WHEN: Final = time.time()


def tied_at_the_top() -> Book:
    """Give the first game of chance in which the best two have equal points [B18]."""
    return next(book for book in map(played, count()) if is_tied(book, 0, 1))


def tied_at_the_bottom() -> Book:
    """Give the first game of chance in which the last two have equal points [B18]."""
    return next(book for book in map(played, count()) if is_tied(book, 1, 2))


def is_tied(book: Book, better: int, worse: int) -> bool:
    """Say whether plates alone put these two places in order, against that of the seats."""
    ties: tuple[Tie, ...] = book.rules.view(book.state, None).ties
    places = [seat for level in book.ranking for seat in level]
    pair = places[better], places[worse]
    return pair[0] > pair[1] and [(tie.better, tie.worse) for tie in ties] == [pair]


def played(number: int) -> Book:
    """Play a game of three by chance, as a book folds it."""
    book = Book(NAME)
    for entry in entries(f"{number:064x}"):
        book.fold(entry)
    return book


def entries(seed: str) -> Iterator[e.AnyEntry]:
    """Tell a whole game of three at a table, from its opening."""
    yield e.Opened(WHEN, "buffet", len(NAMES), {}, "relaxed", seed)
    for seat, name in enumerate(NAMES):
        yield e.Sat(WHEN, seat, name, fingerprint(TOKEN if seat == 0 else f"{TOKEN}{seat}"))
    yield e.Started(WHEN)
    state, rng, numbers = BUFFET.start(len(NAMES)), Quick(int(seed, 16)), count(1)
    while movers := BUFFET.to_move(state):
        by, move = movers[0], chosen(state, movers[0], Fair(seed, [], "buffet", next(numbers)), rng)
        state = BUFFET.play(state, by, move)
        yield e.Moved(WHEN, by, msgspec.Raw(e.encoder.encode(move)), 0)


def chosen(state: Any, by: By, fair: Fair, rng: Quick) -> Any:
    """Choose a legal move; nature's follows from the seed."""
    if by == NATURE:
        return BUFFET.draw(state, fair)
    moves = BUFFET.legal(state, by)
    return moves[rng.below(len(moves))]


def lay_into(file: Path, book: Book) -> None:
    """Write the entries of a book's game into a store; the host's token is `TOKEN`."""
    lines = [e.encoder.encode(entry) for entry in entries(book.seed)]
    record = record_of(book, [], book.state)

    async def write() -> None:
        store = SqliteStore(file)
        await store.open()
        await store.append(Page(NAME, 1, lines, WHEN, False, (1, record)))
        await store.close()

    with ThreadPoolExecutor() as apart:  # a browser test has a loop running in its own thread
        apart.submit(asyncio.run, write()).result()
