"""Nudges: who plays when they have time is told that it is their turn, with the tab closed."""

import asyncio
import logging
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Final

import msgspec
from msgspec import Struct

from tischlein.game import Refusal
from tischlein.house.house import House
from tischlein.people import push
from tischlein.people.push import Letter, Target
from tischlein.people.subscriptions import Kept, Subscription, Subscriptions
from tischlein.store.keys import key_of
from tischlein.table.book import Book, fingerprint
from tischlein.table.needs import Conflict
from tischlein.table.settings import DAY
from tischlein.table.table import Table
from tischlein.words import LANGUAGES, Say, in_language

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey as PrivateKey

log = logging.getLogger("tischlein.nudges")

KEY: Final = "vapid"
"""The name of the house's own key in the store."""
NOBODY: Final = "mailto:operator@localhost"
"""Whom a push service would write to where nobody has said so."""
AT_ONCE: Final = 16
"""So many are sent at a time."""
AT_ONE_SERVICE: Final = 8
"""So many of them to one push service: where one is slow, others are not."""
MOST_WAITING: Final = 10_000
"""So many nudges may wait to be sent; more are not."""
TRIES: Final = 4


class Note(Struct, frozen=True):
    """What is told in a nudge, before it is worded."""

    table: str
    seat: int
    holder: str | None
    game: str
    others: tuple[str, ...]
    kept_for: int
    """So many seconds a push service keeps it for a device that is off."""
    begins: bool = False
    """Whether all seats are taken, and the game waits for its host to begin."""


class Nudges:
    """Tells players that it is their turn, on the browsers that they chose for it."""

    def __init__(self, house: House) -> None:
        self._house, self._settings = house, house.settings
        self._kept = Subscriptions(house.store, house.now)
        self._key: PrivateKey | None = None
        self._threads = ThreadPoolExecutor(AT_ONCE, "nudges")
        self._services: dict[str, asyncio.Semaphore] = {}
        self._waiting = 0

    async def key(self) -> "PrivateKey":
        """Give the house's own key: made at the first start, and the same for all servers."""
        if self._key is None:
            kept = await key_of(self._house.store, KEY, push.new_secret())
            self._key = push.private_key(kept)
        return self._key

    async def public_key(self) -> str:
        """Give the key that browsers subscribe with."""
        return push.encoded(push.point_of(await self.key()))

    def close(self) -> None:
        """Send no more."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def switch_on(
        self, table: Table, seat: int, target: Target, language: str, house: str = ""
    ) -> None:
        """Tell a seat's player on this browser from now on."""
        if not table.book.is_slow:
            raise Conflict("not_slow", "only a table for when you have time tells you your turn")
        if push.service_of(target.address, self._settings.push_hosts) is None:
            raise Refusal("bad_push", "this is not the address of a push service known here")
        holder = table.book.chairs[seat].token or ""
        await self.sweep(table)
        found = Subscription(target, language, holder, house)
        await self._kept.keep(table.book.name, seat, found)

    async def switch_off(self, table: Table, seat: int, address: str) -> None:
        """Tell a seat's player on this browser no more."""
        await self._kept.forget(table.book.name, seat, fingerprint(address))

    async def switch_all_off(self, address: str) -> None:
        """Tell this browser nothing any more: who knows its address may say so."""
        await self._kept.forget_all(fingerprint(address))

    async def sweep(self, table: Table) -> None:
        """Forget the browsers of people who got up, or were sent away."""
        await self._kept.sweep(table.book.name, [chair.token for chair in table.book.chairs])

    def nudge(self, table: Table, seat: int) -> None:
        """Tell a player that it is their turn, if they want that; whatever happens, go on."""
        if self._waiting >= MOST_WAITING:
            log.warning("table=%s too many nudges wait, one is left out", table.book.name)
            return
        self._waiting += 1
        self._house.spawn(self._tell(table.book, seat))

    async def _tell(self, book: Book, seat: int) -> None:
        try:
            note = note_of(book, seat, self._settings.clocks.get(book.speed, DAY))
            mine = [kept for kept in await self._kept.at(book.name) if kept.seat == seat]
            await asyncio.gather(*(self._send(note, kept) for kept in mine))
        except Exception as problem:  # what it says may hold an address
            log.warning("table=%s nudge failed: %s", book.name, type(problem).__name__)
        finally:
            self._waiting -= 1

    async def _send(self, note: Note, kept: Kept) -> None:
        """Send a nudge to one browser; again a little later where its service has trouble."""
        found = kept.subscription
        service = push.service_of(found.target.address, self._settings.push_hosts)
        if service is None or found.holder != note.holder:
            await self._kept.forget(note.table, kept.seat, kept.endpoint)
            return
        for number in range(TRIES):
            if number:
                await asyncio.sleep(self._settings.push_retry * 6.0 ** (number - 1))
                if not await self._kept.has(note.table, kept.seat, kept.endpoint):
                    return  # switched off meanwhile
            told = await self._try(note, found, service)
            log.info("table=%s seat=%d nudge %s: %s", note.table, note.seat, service, told)
            if told in push.GONE:
                await self._kept.forget_all(kept.endpoint)
            if isinstance(told, int) and told not in push.TRY_AGAIN:
                return

    async def _try(self, note: Note, found: Subscription, service: str) -> int | str:
        """Send once; give the service's status, or what went wrong."""
        contact = self._settings.push_contact or found.house or NOBODY
        signature = push.signature(
            await self.key(), found.target.address, contact, self._house.now()
        )
        letter = Letter(found.target, worded(note, found.language), headers_of(note), signature)
        loop = asyncio.get_running_loop()
        gate = self._services.setdefault(service, asyncio.Semaphore(AT_ONE_SERVICE))
        async with gate:
            try:
                return await loop.run_in_executor(self._threads, push.deliver, letter)
            except OSError as problem:
                return type(problem).__name__


def note_of(book: Book, seat: int, seconds: float) -> Note:
    """Say what a nudge tells: the game, and who else plays."""
    chairs = enumerate(book.chairs)
    others = [chair.name for n, chair in chairs if n != seat and chair.name and not chair.bot]
    holder = book.chairs[seat].token
    begins = book.phase == "open"
    return Note(book.name, seat, holder, book.rules.NAME, tuple(others), int(seconds), begins)


def headers_of(note: Note) -> dict[str, str]:
    """Say how a push service treats a nudge: a later one of the same seat takes its place."""
    topic = fingerprint(f"{note.table}/{note.seat}/{note.holder}")[:32]
    return {"TTL": str(note.kept_for), "Urgency": "normal", "Topic": topic}


def worded(note: Note, language: str) -> bytes:
    """Word a nudge: nothing of the game but its name."""
    say = in_language(language if language in LANGUAGES else "en", note.game)
    game = say("title")
    told = {
        "title": say("mine.full" if note.begins else "yourTurn"),
        "body": say("goOnWith", game=game, names=listed(note.others, say)) if note.others else game,
        "off": say("nudge.off"),
        "lang": language,
        "table": note.table,
    }
    return msgspec.json.encode(told)


def listed(names: tuple[str, ...], say: Say) -> str:
    """Name several people, as one says it."""
    *most, last = names
    return say("nudge.and", names=", ".join(most), last=last) if most else last
