"""Nothing leaks: where only hidden things differ, frames and refusals are the same to the byte."""

import contextlib
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.server.client import Seat, frames, get, open_table, server_here, settle, start
from tests.tables import TABLES, position, random_game
from tests.waiting import until
from tischlein.chance import Quick
from tischlein.game import IllegalMove, Refusal, without
from tischlein.games import game_named
from tischlein.games.buffet import rules as buffet
from tischlein.games.kakerlaken import rules as kakerlaken
from tischlein.house.house import House
from tischlein.house.settings import Settings
from tischlein.server.frames import frames_of
from tischlein.store.sqlite import SqliteStore
from tischlein.table.book import Book, Scene, Step, scene_of
from tischlein.table.settings import RaceRules
from tischlein.table.table import Table
from tischlein.words import news_of

QUIET = Settings(bot_pause=0.0, race=RaceRules(lead_ms=10.0, pause_ms=0.0))
LONG = {"race_ms": 60_000, "naming_ms": 60_000}


@pytest.mark.parametrize(("name", "seats", "options"), TABLES)
async def test_frames_tell_only_what_may_be_seen(
    name: str, seats: int, options: dict[str, Any], tmp_path: Path
) -> None:
    """In random positions, swap everything that a viewer may not see: the frame stays the same."""

    house = House(SqliteStore(tmp_path / "t.sqlite"), QUIET)
    table = await house.open(name, seats, options)
    for number in range(seats):
        await table.seating.join(f"p{number}")
    table.book.phase = "playing"
    rules = game_named(name)
    for seed in range(40):
        here = position(name, seats, seed, seed * 5 % 120, **options)
        for viewer in (None, *range(seats)):
            there = rules.imagine(rules.view(here, viewer), Quick(seed))
            frames = [frame_of(table, state, viewer) for state in (here, there)]
            assert frames[0] == frames[1]
            if viewer is not None:
                said = [tries(table, state, viewer) for state in (here, there)]
                assert said[0] == said[1]
    await house.close()


def frame_of(table: Table, state: Any, viewer: int | None) -> bytes:
    """Build a viewer's frame for a state."""
    table.book.state = state
    table.version += 1
    return frames_of(table).body(viewer)


def tries(table: Table, state: Any, seat: int) -> list[str]:
    """Try moves that are refused, and tell what is said."""
    table.book.state = state
    said = []
    for move in (b'{"do":"forced"}', b'{"do":"play","card":4}', b'{"do":"play","card":99}',
                 b'{"do":"exchange","cards":[3,3,3]}', b'{"do":"give","tile":["rice","red"]}',
                 b'{"do":"keep","dice":["red","red","red"]}', b'{"do":"name","thief":"rat","at":1}',
                 b'{"do":"steal","pile":"sushi","from":1,"depth":9}', b"[]"):  # fmt: skip
        try:
            table.try_out(seat, msgspec.Raw(move))
        except Refusal as refusal:
            said.append(f"{refusal.code} {refusal} {refusal.fields}")
        else:
            said.append("accepted")
    return said


@pytest.mark.parametrize(("name", "seats", "options"), TABLES)
def test_steps_tell_only_what_may_be_seen(name: str, seats: int, options: dict[str, Any]) -> None:
    """Swap what a viewer may not see and make the same move: who then sees the same is told so.

    And a move tells something to all or to nobody: who watches a scene gives nothing away by it.
    """
    rules, book = game_named(name), Book("steps")
    book.rules, book.tell = rules, news_of(rules)
    for number, (before, by, move, after) in enumerate(random_game(name, seats, 1, **options)):
        found = []
        for viewer in (None, *range(seats)):
            here = scene(book, Step(before, by, move, after), viewer)
            found.append(bool(here.news))
            there = rules.imagine(rules.view(before, viewer), Quick(number))
            with contextlib.suppress(IllegalMove):
                other = scene(book, Step(there, by, move, rules.play(there, by, move)), viewer)
                if msgspec.json.encode((here.view, here.to_move)) == msgspec.json.encode(
                    (other.view, other.to_move)
                ):
                    assert msgspec.json.encode(here) == msgspec.json.encode(other)
        assert len(set(found)) == 1


def scene(book: Book, step: Step, viewer: int | None) -> Scene:
    """Show a move to somebody."""
    return scene_of(book, step, book.tell(*step, viewer), viewer)


Script = dict[str, list[Any]]


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> Script:
    """Let nature do what the test says, table by table."""
    moves: Script = {}

    def scripted(book: Book, state: Any, number: int) -> Any:
        return moves[book.name][number - 1]

    monkeypatch.setattr(Book, "natures_move", scripted)
    return moves


def buffet_deals() -> list[buffet.Deal]:
    """Make two deals that are the same for seat 0 and for the first buffet."""
    mine = [1, 2, 3, 4, 5, 6, 7, 8, 9]
    rest = sorted(without(buffet.CARDS, mine))
    plates = buffet.all_plates(buffet.Options())
    one = buffet.Deal((*mine, *rest), tuple(plates), 0)
    other = buffet.Deal((*mine, *reversed(rest)), (*plates[:5], *reversed(plates[5:])), 0)
    return [one, other]


async def begun(people: list[Seat]) -> Seat:
    """Begin a game step by step, so that everybody hears the same, and give one who watches."""
    watcher = await Seat(people[0].url, people[0].table, None, None).connect(steps=True)
    for number, seat in enumerate(people, start=1):
        await seat.connect(steps=True)
        await settle(watcher, *people[:number])
    await start(people[0])
    await people[1].until(lambda frame: bool(frame.get("legal")))
    await settle(*people, watcher)
    return watcher


async def test_secret_cards_over_the_wire(script: Script, tmp_path: Path) -> None:
    house = House(SqliteStore(tmp_path / "t.sqlite"), QUIET)
    async with server_here(house) as url:
        told = []
        for deal in buffet_deals():
            people = await open_table(url, "buffet", 3, people=3)
            script[people[0].table] = [deal]
            watcher = await begun(people)
            await people[1].move(people[1].legal[0])
            await people[1].until(lambda frame: bool(frame["log"]))
            await settle(*people, watcher)
            await people[0].move({"do": "play", "card": 0}, "no")
            await people[0].until(lambda frame: frame["type"] == "refused")
            await people[0].move({"do": "exchange", "cards": []}, "no")
            await people[0].until(lambda frame: frame["type"] == "refused")
            await settle(*people, watcher)
            told.append((frames(people[0]), frames(watcher)))
            record = await get(url, f"/api/tables/{people[0].table}/record")
            assert record.status_code == 409
            assert house.tables[people[0].table].book.seed not in str(told)
        assert told[0][0] == told[1][0]
        assert told[0][1] == told[1][1]
        assert any("refused" in frame for frame in told[0][0])
        assert any(frame.get("steps") for frame in people[0].frames), "move by move, too"


async def test_deeds_of_an_open_race_over_the_wire(script: Script, tmp_path: Path) -> None:
    """Another's slap, or grab and name: the others hear the same, and equally often."""
    house = House(SqliteStore(tmp_path / "t.sqlite"), QUIET)
    async with server_here(house, ws="websockets-sansio") as url:  # measures no lines
        told = []
        for grabs in (False, True):
            people = await open_table(url, "kakerlaken", 3, people=3, options=LONG)
            deal = kakerlaken.Deal(kakerlaken.TILES, 0)
            script[people[0].table] = [deal, kakerlaken.Roll("rice", "red")]
            watcher = await begun(people)
            if grabs:
                await people[1].move({"do": "grab", "squeak": True, "at": 250})
                await people[1].until(lambda frame: frame["view"]["acted"] == [1])
                await people[1].move({"do": "name", "thief": "rat", "at": 270})
            else:
                await people[1].move({"do": "slap", "tile": ["rice", "green"], "at": 250})
            moves = house.tables[people[0].table].book.moves
            await until(lambda moves=moves, n=3 + grabs: len(moves) == n)  # type: ignore[misc]
            await settle(*people, watcher)
            told.append((frames(people[0]), frames(watcher)))
            assert people[0].state["view"]["acted"] == [1]
        assert told[0][0] == told[1][0]
        assert told[0][1] == told[1][1]
