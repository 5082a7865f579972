"""Bots and the coach think where the table is: a page has no other process."""

import asyncio
from collections.abc import Callable
from typing import TypeVar

from tischlein.bots import Answer
from tischlein.house.thinking import Thought

T = TypeVar("T")


class Here:
    """Does one thing at a time, between the frames; nothing can break it off."""

    for_short = False
    is_ready = True

    async def get_ready(self) -> None:
        """Be ready already."""

    def think(self, *what: *Thought) -> "asyncio.Future[Answer | None]":
        """Let a bot answer."""
        choose, game, level, turn, seed = what
        return self.do(choose, game, level, turn, seed)

    def do(self, work: Callable[..., T], *args: object) -> "asyncio.Future[T]":
        """Do something as soon as what is on its way to the page has gone."""

        async def soon() -> T:
            await asyncio.sleep(0)
            return work(*args)

        return asyncio.ensure_future(soon())

    def interrupt(self) -> None:
        """Go on: what has begun is finished."""

    def end(self) -> None:
        """Leave nothing behind."""
