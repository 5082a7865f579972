"""Sealed words: neither the last to speak nor the operator chooses the dice."""

import hashlib
import random
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import pytest

from tests.sealed import Word, word
from tests.virtual import Guest, VirtualHouse, VirtualStore
from tests.waiting import until
from tischlein.chance import Fair, verify
from tischlein.game import Refusal
from tischlein.games.sushizock import rules as sushizock
from tischlein.house.settings import Settings
from tischlein.record import replay
from tischlein.table import entries as e
from tischlein.table.book import Book, header_of
from tischlein.table.needs import Conflict, Page
from tischlein.table.sealing import check_sealing, check_word
from tischlein.table.table import Table

GAMES = 10_000
TRIES = 12
"""So many words an operator tries for each game; each seems to give another first roll."""
SHARES = {"sushi": 2 / 6, "bones": 2 / 6, "blue": 1 / 6, "red": 1 / 6}
DEALT = sushizock.play(
    sushizock.start(2), "nature", sushizock.draw(sushizock.start(2), Fair("", [], "", 1))
)
HONEST, OPERATOR = 0, 1


def first_roll(seed: str, words: list[str]) -> tuple[str, ...]:
    """Throw the first dice of a game."""
    return sushizock.draw(DEALT, Fair(seed, words, "sushizock", 2)).dice  # type: ignore[union-attr]


def liked(seed: str, heard: str, rng: random.Random) -> Word:
    """Choose the word of an operator who knows the seed: the most sushi, by what was heard."""
    tries = [Word(f"{rng.getrandbits(64):x}", f"{rng.getrandbits(128):032x}") for _ in range(TRIES)]
    return max(tries, key=lambda found: first_roll(seed, [heard, found.text]).count("sushi"))


def opened(seed: str) -> Book:
    """Set a table for an honest player and the operator."""
    book = Book("t")
    book.fold(e.Opened(0.0, "sushizock", 2, {}, "relaxed", seed))
    for seat in (HONEST, OPERATOR):
        book.fold(e.Sat(0.0, seat, f"p{seat}", "x"))
    return book


def spoken_openly(book: Book, mine: Word, rng: random.Random) -> None:
    """As it was once: the honest word is told at once, and the operator speaks last."""
    book.fold(e.Salted(0.0, HONEST, mine.text))
    book.fold(e.Salted(0.0, OPERATOR, liked(book.seed, book.words.texts[HONEST], rng).text))


def sealed_first(book: Book, mine: Word, rng: random.Random) -> None:
    """As it is: at every step the operator takes what is shown, and what is not refused."""
    check_sealing(book)
    book.fold(e.Sealed(0.0, HONEST, mine.seal))
    theirs = liked(book.seed, book.words.shown(HONEST) or "", rng)
    check_sealing(book)
    book.fold(e.Sealed(0.0, OPERATOR, theirs.seal))
    book.fold(e.Unsealing(0.0))
    check_word(book, HONEST, mine.text, mine.salt)
    book.fold(e.Unsealed(0.0, HONEST, mine.text, mine.salt))
    better = liked(book.seed, book.words.shown(HONEST) or "", rng)
    if not refuses(lambda: check_sealing(book)):
        book.fold(e.Sealed(0.0, OPERATOR, better.seal))
    if not refuses(lambda: check_word(book, OPERATOR, better.text, better.salt)):
        theirs = better
    book.fold(e.Unsealed(0.0, OPERATOR, theirs.text, theirs.salt))


def refuses(do: Callable[[], None]) -> bool:
    """Say whether something is refused."""
    try:
        do()
    except Refusal:
        return True
    return False


def chi_squared(ceremony: Callable[[Book, Word, random.Random], None]) -> float:
    """Throw the first dice of many games, and say how far they are from even ones."""
    rng = random.Random("an operator who plays")
    counts: Counter[str] = Counter()
    for number in range(GAMES):
        book = opened(hashlib.sha256(f"game {number}".encode()).hexdigest())
        ceremony(book, word(f"{rng.getrandbits(64):x}"), rng)
        counts.update(first_roll(book.seed, book.words.texts))
    dice = counts.total()
    return sum(
        (counts[face] - share * dice) ** 2 / (share * dice) for face, share in SHARES.items()
    )


def test_an_operator_who_speaks_last_cannot_choose_the_dice() -> None:
    """Who runs the table and plays at it knows the seed, and would roll sushi at will."""
    assert chi_squared(sealed_first) < 16.3, "chi squared of four faces, 0.1 %"


def test_the_same_operator_chose_the_dice_when_words_were_told_openly() -> None:
    """So the test above would find it."""
    assert chi_squared(spoken_openly) > 1000


@pytest.fixture
def settings() -> Settings:
    """The usual times."""
    return Settings(bot_pause=0.0)


async def seated(tmp_path: Path, settings: Settings, people: int = 2) -> tuple[VirtualHouse, Table]:
    """Set a table for some people."""
    house = VirtualHouse(VirtualStore(tmp_path / "t.sqlite"), settings)
    await house.wake()
    table = await house.open("sushizock", people, {})
    for seat in range(people):
        await table.seating.join(f"p{seat}")
    return house, table


def words_of(people: int) -> Iterator[tuple[int, Word]]:
    """Give each seat a word."""
    return ((seat, word(f"word {seat}")) for seat in range(people))


async def all_sealed(table: Table) -> list[Word]:
    """Let everybody seal a word."""
    for seat, mine in words_of(len(table.book.chairs)):
        await table.sealing.seal(seat, mine.seal)
    return [mine for _, mine in words_of(len(table.book.chairs))]


async def open_word(table: Table, seat: int, mine: Word) -> None:
    """Open a word."""
    await table.sealing.open(seat, mine.text, mine.salt)


@pytest.mark.virtual_time
async def test_a_game_starts_when_the_last_word_is_open(tmp_path: Path, settings: Settings) -> None:
    house, table = await seated(tmp_path, settings)
    words = await all_sealed(table)
    await table.seating.start(0)
    await open_word(table, 1, words[1])
    await open_word(table, 1, words[1])
    assert table.book.words.is_opening
    assert [table.book.words.shown(seat) for seat in (0, 1)] == [None, None]
    await open_word(table, 0, words[0])
    assert table.book.phase == "playing"
    assert table.book.words.texts == ["word 0", "word 1"]
    assert table.book.words.texts == [table.book.words.shown(seat) for seat in (0, 1)]
    await house.close()


@pytest.mark.virtual_time
async def test_the_record_proves_the_words_also_in_a_rematch(
    tmp_path: Path, settings: Settings
) -> None:
    house, table = await seated(tmp_path, settings)
    for game in (1, 2):
        words = await all_sealed(table)
        await table.seating.start(0)
        for seat, mine in enumerate(words):
            await open_word(table, seat, mine)
        await until_played(table)
        found = await house.store.record(table.book.name, game)
        assert found is not None
        assert verify(replay(found.splitlines())).proof == "sealed"
        await table.seating.again(0, "chance")
        assert table.book.words.seals == [None, None]
    await house.close()


async def until_played(table: Table) -> None:
    """Let bots play the game to its end, for people who stay away while somebody watches."""
    await table.arrive(Guest())
    await until(lambda: all(table.seating.may_be_relieved(seat) for seat in (0, 1)))
    for seat, chair in enumerate(table.book.chairs):
        if chair.relief is None:
            await table.seating.relieve(1 - seat, seat)
    await until(lambda: table.book.phase == "over")


@pytest.mark.virtual_time
async def test_who_does_not_open_a_word_holds_up_the_start_and_is_named(
    tmp_path: Path, settings: Settings
) -> None:
    """A rival who sees the other words first would play only when the dice please them."""
    house, table = await seated(tmp_path, settings)
    words, commitment = await all_sealed(table), table.book.commitment
    await table.seating.start(0)
    await open_word(table, 0, words[0])
    before = house.now()
    await until(lambda: not table.book.words.is_opening)
    assert settings.open_within <= house.now() - before < settings.open_within + 2
    assert table.book.phase == "open"
    assert [(found.seat, found.name) for found in table.book.words.held_up] == [(1, "p1")]
    assert table.book.words.texts == ["", ""]
    assert table.book.words.seals == [None, None]
    assert table.book.commitment == commitment
    with pytest.raises(Conflict, match="seal your word before the start"):
        await open_word(table, 1, words[1])
    await table.sealing.seal(0, word("new").seal)
    await table.seating.start(0)
    assert table.book.words.held_up == ()
    await open_word(table, 0, word("new"))
    assert table.book.words.texts == ["new", ""]
    await house.close()


@pytest.mark.virtual_time
async def test_who_gets_up_while_words_are_opened_cannot_choose_either(
    tmp_path: Path, settings: Settings
) -> None:
    """By leaving, a rival would choose between the dice with their word and those without."""
    house, table = await seated(tmp_path, settings, people=3)
    words = await all_sealed(table)
    await table.seating.start(0)
    await open_word(table, 0, words[0])
    await open_word(table, 1, words[1])
    await table.seating.leave(2)
    assert not table.book.words.is_opening
    assert table.book.words.texts == ["", "", ""]
    assert [(found.seat, found.name) for found in table.book.words.held_up] == [(2, "p2")]
    await house.close()


@pytest.mark.virtual_time
async def test_nothing_at_the_table_changes_while_words_are_opened(
    tmp_path: Path, settings: Settings
) -> None:
    """A host who has heard the words would else name who begins, or begin without somebody."""
    house, table = await seated(tmp_path, settings)
    await all_sealed(table)
    await table.seating.start(0)
    for change in (
        lambda: table.seating.appoint(0, 1),
        lambda: table.seating.seat_bot(0, 1, None),
        lambda: table.seating.give_handicap(0, 1, 100.0),
        lambda: table.seating.join("late"),
        lambda: table.seating.start(0),
        lambda: table.sealing.seal(0, word("another").seal),
    ):
        with pytest.raises(Conflict, match="being opened"):
            await change()
    await house.close()


@pytest.mark.virtual_time
async def test_an_opening_ends_also_after_a_restart(tmp_path: Path, settings: Settings) -> None:
    """A server that dies amid the opening would else leave a table at which nobody can play."""
    house, table = await seated(tmp_path, settings)
    words = await all_sealed(table)
    await table.seating.start(0)
    await open_word(table, 0, words[0])
    await house.close()
    again = VirtualHouse(VirtualStore(tmp_path / "t.sqlite"), settings)
    await again.wake()
    found = await again.find(table.book.name)
    assert found is not None
    assert found.book.words.is_opening
    assert found.book.words.unopened == [1]
    await until(lambda: not found.book.words.is_opening)
    assert [hindrance.seat for hindrance in found.book.words.held_up] == [1]
    await again.close()


@pytest.mark.virtual_time
async def test_a_start_between_two_words_and_a_crash_goes_on(
    tmp_path: Path, settings: Settings
) -> None:
    """All words are open when the server dies: the game starts when somebody looks."""
    house, table = await seated(tmp_path, settings)
    words = await all_sealed(table)
    await table.seating.start(0)
    entries = table.book.entries
    for seat, mine in enumerate(words):
        line = e.encoder.encode(e.Unsealed(house.now(), seat, mine.text, mine.salt))
        page = Page(table.book.name, entries + 1 + seat, [line], house.now(), live=False)
        await house.store.append(page)
    await house.close()
    again = VirtualHouse(VirtualStore(tmp_path / "t.sqlite"), settings)
    await again.wake()
    found = await again.find(table.book.name)
    assert found is not None
    await until(lambda: found.book.phase == "playing")
    assert found.book.words.texts == ["word 0", "word 1"]
    await again.close()


@pytest.mark.virtual_time
async def test_where_nobody_seals_a_word_the_game_starts_at_once(
    tmp_path: Path, settings: Settings
) -> None:
    """Clients that take no part still play."""
    house, table = await seated(tmp_path, settings)
    await table.seating.start(0)
    assert table.book.phase == "playing"
    told = msgspec.to_builtins(header_of(table.book))
    assert (told["contributions"], told["seals"]) == (["", ""], [None, None])
    await house.close()
