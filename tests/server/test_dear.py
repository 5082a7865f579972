"""What takes long is made once, by turns, and what is kept is bounded."""

import asyncio
import threading

import pytest

from tests.waiting import LIMIT
from tischlein.server import dear
from tischlein.server.answers import Problem
from tischlein.server.dear import Dear


async def test_callers_have_their_turn_one_after_the_other() -> None:
    """Else: who asks for a hundred things at once has all others wait for them."""
    worker, may, order = Dear(1000), threading.Event(), list[str]()

    def make(name: str) -> bytes:
        may.wait(LIMIT)
        order.append(name)
        return name.encode()

    first = asyncio.ensure_future(worker.give("first", "greedy", lambda: make("first")))
    await asyncio.sleep(0)
    greedy = [worker.give(n, "greedy", lambda n=n: make(f"greedy {n}")) for n in range(5)]  # type: ignore[misc]
    waiting = [asyncio.ensure_future(one) for one in greedy]
    await asyncio.sleep(0)
    waiting.append(asyncio.ensure_future(worker.give("x", "modest", lambda: make("modest"))))
    await asyncio.sleep(0)
    may.set()
    await asyncio.wait_for(asyncio.gather(first, *waiting), LIMIT)
    assert order.index("modest") <= 2
    worker.close()


async def test_what_is_kept_is_bounded_and_the_newest_stays() -> None:
    worker, made = Dear(100), list[int]()

    def make(number: int) -> bytes:
        made.append(number)
        return bytes(30)

    for number in (1, 2, 3, 1, 4, 1, 2):
        await worker.give(number, "", lambda n=number: make(n))  # type: ignore[misc]
    assert made == [1, 2, 3, 4, 2], "1 was asked for again and again, and stayed"
    assert len(await worker.give(5, "", lambda: bytes(500))) == 500
    worker.close()


async def test_what_fails_is_told_and_the_next_is_made() -> None:
    worker = Dear(100)

    def fail() -> bytes:
        raise ValueError("no ink")

    with pytest.raises(ValueError, match="no ink"):
        await worker.give(1, "", fail)
    assert await worker.give(1, "", lambda: b"again") == b"again"
    worker.close()


async def test_too_much_at_once_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else: many addresses together fill the memory with things to make."""
    monkeypatch.setattr(dear, "MOST_WAITING", 2)
    worker, may = Dear(100), threading.Event()

    def make() -> bytes:
        may.wait(LIMIT)
        return b""

    waiting = [asyncio.ensure_future(worker.give(n, str(n), make)) for n in range(2)]
    await asyncio.sleep(0)
    with pytest.raises(Problem, match="too much"):
        await worker.give(3, "3", make)
    may.set()
    await asyncio.wait_for(asyncio.gather(*waiting), LIMIT)
    worker.close()
