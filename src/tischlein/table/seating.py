"""Who sits where: what people do at a table beside playing, from the first seat to the rematch."""

import asyncio
import secrets
from typing import Any, Final

from tischlein.bots import check_level
from tischlein.bots.names import is_bots_name
from tischlein.chance import new_seed
from tischlein.game import BadStart, Refusal, traits
from tischlein.games import game_named
from tischlein.names import are_alike, proper_name
from tischlein.table import entries as e
from tischlein.table.book import Book, fingerprint
from tischlein.table.needs import Conflict, Do, House, StoreDown, Stranger
from tischlein.table.presence import Presence
from tischlein.table.queue import LATER, Change, Queue

SOMEBODY: Final = "somebody"
"""What is left of a name that was taken away; pages say it in their own language."""


def persons_name(text: str) -> str:
    """Make a name proper that nobody takes for a bot's."""
    name = proper_name(text)
    if is_bots_name(name):
        raise Refusal("bots_name", "bots are called that here; choose another name")
    return name


def check_speed(game: str, options: dict[str, Any], speed: e.Speed) -> None:
    """Refuse races among people who are not there at one time."""
    if speed in e.SLOW and "race" in traits(game_named(game), options):
        raise BadStart("no_slow_race", "quick hands need everybody at once: choose another speed")


class Seating:
    """Lets people sit down and get up, and the host see to the seats."""

    def __init__(
        self, book: Book, queue: Queue, presence: Presence, house: House, look_around: Do
    ) -> None:
        self._book, self._queue, self._presence = book, queue, presence
        self._house, self._look_around = house, look_around

    async def open(
        self,
        game: str,
        seats: int,
        options: dict[str, Any],
        speed: e.Speed,
        hints: bool,
        lag_cap: float | None = None,
        stand_in: str | None = None,
        public: bool = False,
        seek: bool = False,
        cup: str | None = None,
        lang: str | None = None,
    ) -> None:
        """Set the table; `stand_in` is the bot that plays for whoever is away."""
        check_speed(game, options, speed)
        now, seed = self._house.now(), new_seed()
        who = (hints, lag_cap, stand_in, public, seek, cup, lang)
        entry = e.Opened(now, game, seats, options, speed, seed, *who)
        await self._queue.put(lambda: [Change(entry)])

    async def join(self, name: str, profile: str | None = None) -> tuple[int, str]:
        """Give somebody the first free seat, and the token that holds it."""
        name = persons_name(name)
        token = secrets.token_urlsafe(32)
        taken: list[int] = []

        def sit() -> list[Change]:
            self._check_open()
            free = [seat for seat, chair in enumerate(self._book.chairs) if chair.free]
            if not free:
                raise Conflict("full", "no seat is free at this table")
            if any(are_alike(name, chair.name) for chair in self._book.chairs if chair.name):
                raise Conflict("name_taken", "somebody here is called that already")
            self._check_one_seat(profile)
            taken[:] = free[:1]
            return [Change(e.Sat(self._house.now(), free[0], name, fingerprint(token), profile))]

        await self._queue.put(sit)
        return taken[0], token

    async def key(self, profile: str, seat: int | None = None) -> tuple[int, str]:
        """Give somebody one more token for a seat of theirs, for another device."""
        token = secrets.token_urlsafe(32)
        found: list[int] = []

        def hand() -> list[Change]:
            own = [
                number
                for number, chair in enumerate(self._book.chairs)
                if chair.profile == profile and chair.token is not None and seat in (None, number)
            ]
            if not own:
                raise Stranger("not_yours", "you do not sit here")
            found[:] = own[:1]
            return [Change(e.Keyed(self._house.now(), own[0], fingerprint(token)))]

        await self._queue.put(hand)
        return found[0], token

    async def forget(self, profile: str) -> None:
        """Take the name of somebody away who has no profile any more; everybody sees it."""

        def rename() -> list[Change]:
            now, chairs = self._house.now(), enumerate(self._book.chairs)
            return [
                Change(e.Renamed(now, seat, SOMEBODY, forget=True))
                for seat, chair in chairs
                if chair.profile == profile
            ]

        await self._queue.put(rename)

    async def seat_bot(self, by: int, seat: int, bot: str | None) -> None:
        """Let the host put a bot in a seat, or take it away."""

        def put() -> list[Change]:
            self._check_hosts(by, seat)
            chair = self._book.chairs[seat]
            if not chair.free and chair.bot is None:
                raise Conflict("taken", "somebody sits in seat {seat}", seat=str(seat))
            if bot is not None:
                check_level(self._book.rules, bot)
            return [Change(e.Seated(self._house.now(), seat, bot))]

        await self._queue.put(put)

    async def give_handicap(self, by: int, seat: int, handicap: float) -> None:
        """Let the host give a player some milliseconds in races; everybody sees it."""

        def give() -> list[Change]:
            self._check_hosts(by)
            if not 0 <= seat < len(self._book.chairs) or self._book.chairs[seat].token is None:
                raise Refusal("no_seat", "nobody sits in seat {seat}", seat=str(seat))
            return [Change(e.Handicapped(self._house.now(), seat, handicap))]

        await self._queue.put(give)

    async def appoint(self, by: int, seat: int | None) -> None:
        """Let the host name the seat that begins, or leave it to chance; everybody sees it."""

        def name() -> list[Change]:
            self._check_hosts(by, seat)
            return [Change(e.Appointed(self._house.now(), seat))]

        await self._queue.put(name)

    async def start(self, by: int) -> None:
        """Let the host start: sealed words are opened first, else nature deals at once."""

        def begin() -> list[Change]:
            self._check_hosts(by)
            if any(chair.free for chair in self._book.chairs):
                raise Conflict("empty_seats", "all seats must be taken, by people or by bots")
            now, sealed = self._house.now(), self._book.words.unopened
            absent = [seat for seat in sealed if not self._presence.is_here(seat)]
            if self._book.is_slow and absent:  # nobody need be here: it begins without words
                return [Change(e.HeldUp(now, tuple(absent))), Change(e.Started(now))]
            return [Change(e.Unsealing(now) if sealed else e.Started(now))]

        await self._queue.put(begin)

    async def publish(self, by: int, public: bool) -> None:
        """Let the host open the table to everybody, or only to who has its link."""

        def say() -> list[Change]:
            self._check_hosts(by)
            if self._book.public == public:
                return []
            return [Change(e.Published(self._house.now(), public))]

        await self._queue.put(say)

    async def leave(self, seat: int, held: str | None = None) -> None:
        """Let a player get up; the host's rights pass on.

        With the fingerprint of the token by which it is held: only before the game.
        """

        def go() -> list[Change]:
            if self._book.phase == "open":
                self._check_not_set()
            if held is not None:
                self._check_open()
                if self._book.chairs[seat].token != held:
                    raise Stranger("no_seat_held", "this seat is no longer yours")
            now = self._house.now()
            heir = self._presence.heir(seat) if seat == self._book.host else None
            passing = [] if heir is None else [Change(e.Hosted(now, heir))]
            return [*passing, Change(e.Left(now, seat))]

        await self._queue.put(go)

    async def remove(self, by: int, seat: int) -> None:
        """Let the host give a player's seat back to the table, before the game."""

        def take_back() -> list[Change]:
            self._check_hosts(by, seat)
            if seat == by or self._book.chairs[seat].token is None:
                raise Refusal("no_seat", "name the seat of another player")
            return [Change(e.Removed(self._house.now(), seat))]

        await self._queue.put(take_back)

    async def choose_stand_in(self, by: int, seat: int | None, bot: str) -> None:
        """Let a player choose who plays for them while away; before the game the host may."""
        chosen = by if seat is None else seat

        def choose() -> list[Change]:
            if chosen != by:
                self._check_hosts(by, chosen)
            if self._book.chairs[chosen].token is None:
                raise Refusal("no_seat", "nobody sits in seat {seat}", seat=str(chosen))
            check_level(self._book.rules, bot)
            return [Change(e.StandIn(self._house.now(), chosen, bot))]

        await self._queue.put(choose)

    async def relieve(self, by: int, seat: int) -> None:
        """Let the others have a bot play for somebody who is away: the one that was chosen."""

        def help_out() -> list[Change]:
            if by == seat or not 0 <= seat < len(self._book.chairs):
                raise Refusal("no_seat", "name the seat of another player")
            chair = self._book.chairs[seat]
            if self._book.phase != "playing" or chair.player is not None:
                raise Conflict("no_need", "seat {seat} needs no bot now", seat=str(seat))
            if self._book.is_slow:
                sentence = "at this table everybody has time; a bot plays for who is too late"
                raise Conflict("has_time", sentence)
            if not self.may_be_relieved(seat, self._house.servers.slack):
                after = self._house.settings.relief_after
                sentence = "a bot may play on when a player has been away for {after} seconds"
                raise Conflict("too_soon", sentence, after=f"{after:g}")
            return [Change(e.Relieved(self._house.now(), seat, chair.stand_in))]

        await self._look_around()  # who asks may have been told so by another server
        await self._queue.put(help_out)

    async def again(self, by: int, starter: str) -> None:
        """Let the host set the table for the same people once more."""

        def clear() -> list[Change]:
            self._check_host(by)
            self._check_not_set()
            if self._book.phase != "over":
                raise Conflict("not_over", "a rematch comes when the game is over")
            return self._once_more(
                secrets.choice(self._book.ranking[-1]) if starter == "loser" else None
            )

        await self._queue.put(clear)

    def _once_more(self, starts: int | None) -> list[Change]:
        """Set the table anew; by chance means so also where the opening named a seat."""
        now = self._house.now()
        again = Change(e.Again(now, new_seed(), starts))
        by_chance = starts is None and self._book.opened_for is not None
        return [again, Change(e.Appointed(now, None))] if by_chance else [again]

    async def pass_host(self) -> None:
        """Pass the host's rights on when the host stays away and somebody else is here."""

        def judge() -> list[Change]:
            host, is_here = self._book.host, self._presence.is_here
            heir = self._presence.heir(host)
            if is_here(host) or heir is None or not is_here(heir):
                return []
            return [Change(e.Hosted(self._house.now(), heir))]

        await self._queue.serve(judge)

    async def come_back(self, seat: int) -> None:
        """Let a player who was away take over again from the bot."""

        def judge() -> list[Change]:
            if self._book.chairs[seat].relief is None:
                return []
            return [Change(e.Relieved(self._house.now(), seat, None))]

        await self._queue.put(judge)

    def took_in(self, entry: e.AnyEntry) -> None:
        """See to it that no bot plays for somebody who came back while it was let in."""
        if isinstance(entry, e.Relieved) and entry.bot is not None:
            self._house.spawn(self.take_over(entry.seat))

    async def take_over(self, seat: int) -> None:
        """Let a player who is here take over; while the store is in trouble, later."""
        chairs, is_here = self._book.chairs, self._presence.is_at_this_server
        while chairs[seat].relief is not None and is_here(seat):
            try:
                await self.come_back(seat)
            except StoreDown:
                await asyncio.sleep(LATER)

    def may_be_relieved(self, seat: int, slack: float = 0.0) -> bool:
        """Say whether a player has been away for long enough, give or take so many ms."""
        if self._book.is_slow:
            return False
        away = self._presence.away_for(seat)
        return away is not None and away + slack / 1000 >= self._house.settings.relief_after

    def _check_open(self) -> None:
        if self._book.is_closed:
            raise Conflict("closed", "this table was closed")
        if self._book.phase != "open":
            raise Conflict("begun", "the game has begun")
        if self._book.words.is_opening:
            raise Conflict("opening", "the words for the dice are being opened; wait a moment")

    def _check_one_seat(self, profile: str | None) -> None:
        """Refuse somebody a second seat among strangers: no game would count for the others."""
        chairs = self._book.chairs
        if self._book.seek and profile and any(chair.profile == profile for chair in chairs):
            raise Conflict("sits_here", "you sit at this table already")

    def _check_not_set(self) -> None:
        """Refuse what changes a table of a cup: who sits there does not choose whom to meet."""
        if self._book.cup is not None:
            raise Conflict("cup_table", "this table belongs to a tournament, which sees to it")

    def _check_host(self, by: int) -> None:
        if by != self._book.host:
            raise Stranger("not_host", "only the host may do that")

    def _check_hosts(self, by: int, seat: int | None = None) -> None:
        """Let only the host pass, before the game, and name only seats that there are."""
        if self._book.seek:
            raise Stranger("no_host", "nobody is the host here: it starts when everybody is there")
        self._check_host(by)
        self._check_not_set()
        self._check_open()
        if seat is not None and not 0 <= seat < len(self._book.chairs):
            raise Refusal("no_seat", "there is no seat {seat} at this table", seat=str(seat))
