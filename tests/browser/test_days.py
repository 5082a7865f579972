"""A slow game over three days, on real pages: only the clocks are moved.

Nudges come to a push service on loopback while nobody looks, and from there to each browser's own
worker; the server stops, and starts anew at the same address, once as a newer version.
"""

import contextlib
import json
import re
import shutil
import sqlite3
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Worker, expect

from tests.browser.beside import Beside, beside
from tests.browser.house import NO_LINE, another_tab, hurry_to_the_end, new_page, until
from tests.browser.players import said, sushizock_turn
from tests.browser.told import CLICK, WORKERS_STUB, delivery, may_be_told, shown, worker_of
from tests.days import HOUR, OLD, Days
from tests.engines import free_port
from tests.pushes import Device, Push, Service, push_service
from tischlein.store import moving, schema
from tischlein.table import entries as e
from tischlein.table.book import Book
from tischlein.words import in_language

DAY = 24 * HOUR
AWHILE = 700.0
"""So long somebody is away who is told that it is their turn, and a little longer."""
WEEKDAYS = {
    "de": ["Montag", "Dienstag", "Mittwoch", "Donnerstag", "Freitag", "Samstag", "Sonntag"],
    "fr": ["lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi", "dimanche"],
}
NEXT_VERSION = schema.both(schema.VERSION + 1, "CREATE TABLE tea (name TEXT PRIMARY KEY);")
"""What a version to come adds to the store."""


class Place:
    """A house at one address, with days that pass for it and for everybody who plays there."""

    def __init__(self, loop: Beside, file: Path, service: Service) -> None:
        self._loop, self.do, self.service = loop, loop.do, service
        self._port = free_port()
        self.url = f"http://127.0.0.1:{self._port}"
        self.days = Days(file, service, nudge_after=AWHILE - 100)
        self.people: list[Person] = []
        self.table = ""

    @contextlib.contextmanager
    def opens(self) -> Iterator[None]:
        """Serve, always at the same address."""
        with self._loop.within(lambda: self.days.house_opens(port=self._port)) as url:
            assert url == self.url
            yield

    def pass_by(self, seconds: float) -> None:
        """Let time pass: for the house, and on everybody's device."""
        for person in self.people:
            person.page.context.clock.fast_forward(int(seconds * 1000))
        self.days.pass_by(seconds)

    def book(self) -> Book:
        """Read how the table stands."""
        return self.do(self.days.book(self.table))

    def entries(self) -> list[Any]:
        """Read what has happened at the table."""
        return self.do(self.days.entries(self.table))

    def nudged(self) -> list[int]:
        """List the seats that were to be told, each time."""
        return [entry.seat for entry in self.entries() if isinstance(entry, e.Nudged)]

    def told(self) -> int:
        """Count the seats that are told on some browser."""
        ((count,),) = self.do(self.days.house.store.ask("SELECT COUNT(*) FROM pushes"))
        return int(count)

    def asleep(self) -> None:
        """Wait until nobody keeps the table in memory."""
        self.do(self.days.asleep(self.table))


class Person:
    """Somebody with a device of their own, and what its browser needs to be told."""

    def __init__(
        self, browser: Browser, place: Place, name: str, language: str, phone: bool = False
    ) -> None:
        self.place, self.name, self.language = place, name, language
        self.say = in_language(language, "sushizock")
        self.page = new_page(browser, language, phone, trouble=NO_LINE, worker=True)
        self.page.context.clock.install()
        self.device = Device(len(place.people))
        self.wants = self.device.wants(f"{place.service.origin}/{name}", language)
        may_be_told(self.page, place.url, self.wants)
        place.people.append(self)

    @property
    def turn(self) -> Locator:
        """Find what says that it is one's turn."""
        return self.page.get_by_role("heading", name=said(self.say("yourTurn")))

    def chooses(self, level: str) -> None:
        """Choose the bot that plays when one does not come, and want to be told."""
        bot = f"{self.say('botIn')}: {self.say(f'level.{level}')}"
        self.page.get_by_label(self.say("whenAway")).select_option(label=bot)
        switch = self.page.get_by_role("switch", name=self.say("nudge.switch"))
        expect(switch).to_be_enabled()
        before = self.place.told()
        switch.click()
        until(self.page, lambda: self.place.told() == before + 1, lambda: False)
        expect(switch).to_be_checked()

    def goes(self) -> None:
        """Close the tab; the browser stays, with nothing of the house in it."""
        self.page = another_tab(self.page)

    @property
    def is_away(self) -> bool:
        """Say whether nothing of the house is open here."""
        return self.page.url == "about:blank"

    def comes(self) -> None:
        """Open the table again."""
        self.page.goto(f"{self.place.url}/t/{self.place.table}")

    def plays(self) -> None:
        """Make one's moves until others are waited for."""
        expect(self.turn).to_be_visible()
        until(
            self.page,
            lambda: self.page.get_by_text(self.waiting).is_visible(),
            lambda: sushizock_turn(self.page, language=self.language),
        )

    @property
    def waiting(self) -> re.Pattern[str]:
        """Give what is told to who may close the page."""
        return said(self.say("slow.mayClose"))

    def is_told_until(self, key: str, **fields: str) -> None:
        """See that the page tells the right day and hour for who is to move."""
        ((_, since),) = self.place.book().waits.since.items()
        due = datetime.fromtimestamp(since + DAY)
        day = WEEKDAYS[self.language][due.weekday()]
        when = f"{day},? {due:%H:%M}"
        text = said(self.say(key, when="@", **fields)).pattern.replace(".+", when)
        expect(self.page.get_by_role("status").filter(has_text=re.compile(text))).to_be_visible()

    def is_nudged(self) -> Worker:
        """Let a while pass, and get what the house then sends: shown with no tab of it open."""
        if all(person.is_away for person in self.place.people):
            self.place.asleep()
        assert self.is_away
        before = len(self.pushes())
        self.place.pass_by(AWHILE)
        until(self.page, lambda: len(self.pushes()) > before, lambda: False)
        told = self.device.told(self.pushes()[-1])
        delivery(self.page, self.place.url)(json.dumps(told))
        worker = worker_of(self.page)
        (seen,) = shown(self.page, 1, worker)
        (other,) = [one.name for one in self.place.people if one is not self]
        body = self.say("goOnWith", game=self.say("title"), names=other)
        assert seen == {"title": self.say("yourTurn"), "body": body, "tag": self.place.table,
                        "lang": self.language}  # fmt: skip
        return worker

    def taps(self, worker: Worker) -> None:
        """Tap the notification, and be where it leads."""
        ((address,), left) = worker.evaluate(CLICK, [""])
        assert left == 0
        self.page.goto(address)
        assert address == f"{self.place.url}/t/{self.place.table}"

    def wants_no_more(self, worker: Worker) -> None:
        """Tap what ends it, in the notification itself."""
        worker.evaluate(WORKERS_STUB, self.wants["endpoint"])
        self.page.context.add_init_script(
            "if (location.origin !== 'null') delete localStorage.stub"
        )
        assert worker.evaluate(CLICK, ["off"]) == [[], 0]
        assert worker.evaluate("self.unsubscribed")

    def pushes(self) -> list[Push]:
        """List what came to this browser's address."""
        return [push for push in self.place.service.got if push.path == f"/{self.name}"]


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    file = tmp_path / "tables.sqlite"
    shutil.copy(OLD, file)
    with push_service() as service, beside() as loop:
        yield Place(loop, file, service)


def set_the_table(place: Place, ada: Person, bo: Person) -> None:
    """Open a slow table, sit down, choose, and start."""
    ada.page.goto(f"{place.url}/#new-sushizock")
    ada.page.get_by_label(ada.say("nickname")).fill(ada.name)
    ada.page.get_by_text("2", exact=True).click()
    ada.page.get_by_label(ada.say("speed.day")).check()
    ada.page.get_by_role("button", name=ada.say("setTable")).click()
    ada.page.wait_for_url("**/t/*")
    place.table = ada.page.url[-12:]
    bo.comes()
    bo.page.get_by_label(bo.say("nickname")).fill(bo.name)
    bo.page.get_by_role("button", name=bo.say("sitDown")).click()
    ada.chooses("medium")
    bo.chooses("easy")
    ada.page.get_by_label(ada.say("whoBegins")).select_option(label=ada.name)
    ada.page.get_by_role("button", name=ada.say("start"), exact=True).click()
    for person in (ada, bo):
        person.page.get_by_role("button", name=person.say("gotIt")).click()


@pytest.mark.long
def test_three_days_with_nudges_a_restart_and_an_upgrade(
    browser: Browser, place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    with place.opens():  # its store is of an older version
        ada = Person(browser, place, "Ada", "de")
        bo = Person(browser, place, "Bo", "fr", phone=True)
        set_the_table(place, ada, bo)
        ada.is_told_until("slow.yours")
        bo.is_told_until("slow.theirs", name="Ada")
        bo.goes()
        ada.plays()
        ada.is_told_until("slow.theirs", name="Bo")
        ada.goes()
        note = bo.is_nudged()
    place.pass_by(20 * HOUR)
    with place.opens():
        bo.taps(note)
        bo.is_told_until("slow.yours")
        bo.plays()
        bo.is_told_until("slow.theirs", name="Ada")
        ada.is_nudged()
    upgrade(monkeypatch)
    place.pass_by(25 * HOUR)  # Ada does not come; Bo's tab is left open
    with place.opens():
        expect(bo.turn).to_be_visible()
        bo.is_told_until("slow.yours")
        bo.plays()
        bo.goes()
        note = ada.is_nudged()
        place.pass_by(23 * HOUR)
        ada.taps(note)
        ada.is_told_until("slow.yours")
        expect(ada.page.get_by_text(ada.say("slow.late"))).to_be_visible()
        ada.plays()
        expect(ada.page.get_by_text(ada.say("slow.late"))).to_have_count(0)
        ada.goes()
        bo.wants_no_more(bo.is_nudged())
        assert place.told() == 1
        for person in (bo, ada):
            person.comes()
            person.plays()
            person.goes()
        nobody_is_told(place, bo)
        play_to_the_end(place, ada, bo)
        look_back(place, ada, bo)


def upgrade(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the next server be of a later version."""
    monkeypatch.setattr(schema, "MIGRATIONS", (*schema.MIGRATIONS, NEXT_VERSION))
    monkeypatch.setattr(schema, "VERSION", NEXT_VERSION.version)


def nobody_is_told(place: Place, person: Person) -> None:
    """Let a while pass in which somebody would be told who wants it no more."""
    seat, before = place.people.index(person), len(place.service.got)
    told = place.nudged().count(seat)
    place.asleep()
    place.pass_by(AWHILE)
    until(person.page, lambda: place.nudged().count(seat) > told, lambda: False)
    until(person.page, lambda: not place.days.house.nudges._waiting, lambda: False)  # type: ignore[attr-defined]
    assert len(place.service.got) == before


def play_to_the_end(place: Place, *people: Person) -> None:
    """Let everybody come, and play quickly now; each is shown how it ended."""
    for person in people:
        person.comes()
        expect(person.page.locator(".board")).to_be_visible()
    hurry_to_the_end(*(person.page for person in people))
    for person in people:
        expect(person.page.get_by_role("button", name=person.say("fairCheck"))).to_be_visible()


def look_back(place: Place, ada: Person, bo: Person) -> None:
    """See that nothing was lost or doubled, and nobody was played for who was in time."""
    found = place.entries()
    book, turn, before = Book(place.table), 0, [0]
    nudged: list[tuple[int, int]] = []
    late: list[tuple[int, int]] = []
    for entry in found:
        match entry:
            case e.Nudged():
                nudged.append((entry.seat, turn))
            case e.Moved(by=int(by)):
                is_late = book.waits.since[by] + DAY <= entry.when
                assert is_late == entry.for_seat
                late += [(by, turn)] * is_late
        book.fold(entry)
        now = list(book.waits.since) or before
        turn, before = turn + (now != before), now
    assert len(nudged) == len(set(nudged)), "once a turn"
    assert {by for by, _ in late} == {0}
    assert len(set(late)) == 1
    assert set(place.days.thought) == {"medium"}, "the bot that Ada chose"
    assert len(ada.pushes()) == place.nudged().count(0) == 2
    assert len(bo.pushes()) == place.nudged().count(1) - 1 == 2
    ids = [(entry.by, entry.id) for entry in found if isinstance(entry, e.Moved) and entry.id]
    assert len(ids) == len(set(ids))
    assert book.is_over
    assert found[-1].when - found[0].when > 2.8 * DAY
    place.do(moving.check(place.days.house.store))
    with contextlib.closing(sqlite3.connect(OLD)) as old:
        for name, game, record in old.execute("SELECT name, game, record FROM records"):
            assert place.do(place.days.house.store.record(name, game)) == record
