"""Waiting in tests: for what must happen, never for time to pass."""

import asyncio
from collections.abc import Callable
from typing import Final

LIMIT: Final = 150.0
"""No wait of a test is longer than this, in seconds: a busy machine may take its time."""


async def until(true: Callable[[], bool]) -> None:
    """Wait for something to be so."""
    async with asyncio.timeout(LIMIT):
        while not true():
            await asyncio.sleep(0.01)
