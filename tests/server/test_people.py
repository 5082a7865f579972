"""People at a table over real sockets: who is waited for, who has fallen silent, what they show."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.server.client import (
    Seat,
    ServerProcess,
    frames,
    open_table,
    play_to_the_end,
    post,
    server_process,
    settle,
    start,
)

NEVER = "600"


@pytest.fixture(scope="module")
def strict(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server where a hold lasts, and where who is silent for a moment is away."""
    limits = ("--set", f"hold_most={NEVER}", "--set", f"ready_within={NEVER}")
    silent = ("--set", "silent_after=0.5")
    with server_process(tmp_path_factory.mktemp("strict"), *limits, *silent) as running:
        yield running


def seat_of(frame: dict[str, Any], seat: int) -> Any:
    """Give what a frame tells of a seat."""
    return frame["table"]["seats"][seat] if frame["type"] == "state" else {}


async def test_a_bot_waits_for_whoever_holds_and_all_are_told(strict: ServerProcess) -> None:
    options = {"starter": 2}
    host, guest = await open_table(strict.url, "sushizock", 3, 2, options=options)
    await host.connect(hold=True)
    await guest.connect()
    await start(host)
    await guest.until(lambda frame: bool(seat_of(frame, 0).get("holds")) and frame["seq"] == 2)
    await settle(host, guest)
    assert guest.state["to_move"] == [2]
    await host.send({"type": "hold", "on": False})
    await guest.until(
        lambda frame: seat_of(frame, 0).get("holds") is False and frame["to_move"] != [2]
    )


async def test_the_first_roll_waits_until_everybody_is_ready(strict: ServerProcess) -> None:
    people = await open_table(strict.url, "kakerlaken", 2, 2)
    for seat in people:
        await seat.connect(hold=True)
    await start(people[0])
    await people[0].send({"type": "hold", "on": False})
    await people[1].until(lambda frame: seat_of(frame, 0).get("holds") is False)
    await settle(*people)
    assert people[1].state["race"] is None
    await people[1].send({"type": "hold", "on": False})
    for seat in people:
        await seat.until(lambda frame: bool(frame.get("race")))


async def test_watchers_hold_nothing_and_odd_holds_are_refused(server: ServerProcess) -> None:
    (host,) = await open_table(server.url, "sushizock", 2, options={"starter": 1})
    watcher = await Seat(server.url, host.table, None, None).connect(hold=True)
    await host.connect()
    await watcher.send({"type": "hold", "on": True})
    await start(host)
    await watcher.until(lambda frame: frame["type"] == "state" and frame["to_move"] == [0])
    await host.send({"type": "hold", "on": "yes"})
    refused = await host.until(lambda frame: frame["type"] == "refused")
    assert refused["code"] == "malformed"


async def test_who_promised_to_ping_and_falls_silent_is_away_until_heard(
    strict: ServerProcess,
) -> None:
    host, guest = await open_table(strict.url, "sushizock", 2, 2)
    await host.connect()
    await guest.connect(pings=True)
    await host.until(lambda frame: seat_of(frame, 1).get("here") is True)
    await host.until(lambda frame: seat_of(frame, 1).get("here") is False)
    await guest.send({"type": "ping", "t0": 1.0})
    await host.until(lambda frame: seat_of(frame, 1).get("here") is True)
    await host.until(lambda frame: seat_of(frame, 1).get("here") is False)
    assert seat_of(host.state, 0)["here"], "who never promised to ping is here while connected"


async def test_all_lines_that_want_to_see_a_reaction_see_it(server: ServerProcess) -> None:
    host, guest = await open_table(server.url, "sushizock", 2, 2)
    watcher = Seat(server.url, host.table, None, None)
    for seat in (host, watcher):
        await seat.connect(reactions=True)
    await guest.connect()
    await guest.send({"type": "react", "with": "laugh"})
    for seat in (host, watcher):
        told = await seat.until(lambda frame: frame["type"] == "reaction")
        assert told == {"type": "reaction", "seat": 1, "with": "laugh"}
    await settle(guest)
    assert not any('"reaction"' in frame for frame in frames(guest)), "it never asked for them"


async def test_reactions_are_limited_and_only_for_seats(server: ServerProcess) -> None:
    host, guest = await open_table(server.url, "sushizock", 2, 2)
    await host.connect(reactions=True)
    await guest.connect()
    for number in range(30):
        await guest.send({"type": "react", "with": "wow", "id": f"r{number}"})
    refused = await guest.until(lambda frame: frame.get("id") == "r29")
    assert refused["code"] == "too_fast"
    await settle(host)
    seen = [frame for frame in host.frames if frame["type"] == "reaction"]
    assert 5 <= len(seen) < 10
    watcher = await Seat(server.url, host.table, None, None).connect()
    await watcher.send({"type": "react", "with": "wow"})
    no = await watcher.until(lambda frame: frame["type"] == "refused")
    assert no["code"] == "watcher"
    await host.send({"type": "react", "with": "<b>" * 4000})
    no = await host.until(lambda frame: frame["type"] == "refused")
    assert no["code"] == "malformed"
    assert len(str(no)) < 1000, "nobody is sent back twice what they sent"


async def test_everybody_may_ask_for_a_rematch_when_the_game_is_over(server: ServerProcess) -> None:
    people = await open_table(server.url, "sushizock", 2, 2)
    for seat in people:
        await seat.connect()
    host, guest = people
    await guest.send({"type": "react", "with": "again"})
    no = await guest.until(lambda frame: frame["type"] == "refused")
    assert no["code"] == "not_over"
    await start(host)
    await host.until(lambda frame: frame["type"] == "state" and bool(frame["seq"]))
    await guest.until(lambda frame: frame["type"] == "state" and bool(frame["seq"]))
    await play_to_the_end(people)
    assert host.state["table"]["wishes"] == []
    await guest.send({"type": "react", "with": "again"})
    await host.until(lambda frame: frame["type"] == "state" and frame["table"]["wishes"] == [1])
    again = await post(host.url, f"/api/tables/{host.table}/rematch", seat=host)
    assert again.json()["wishes"] == []
