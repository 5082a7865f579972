"""The alarms of sleeping tables: when a server must look at each of them again."""

from typing import Final

from tischlein.store import Asks
from tischlein.table.needs import NEVER

CLAIM: Final = """
    UPDATE alarms SET due = $2 WHERE due <= $1 AND name IN (
        SELECT name FROM alarms WHERE due <= $1 ORDER BY due LIMIT $3
    ) RETURNING name
"""
MOVE: Final = "UPDATE alarms SET due = $3 WHERE name = $1 AND due = $2"
FORGET: Final = "DELETE FROM alarms WHERE name = $1 AND due = $2"


async def claim(store: Asks, now: float, later: float, most: int) -> list[str]:
    """Name tables whose time has come; of each no other server hears before the later time."""
    return [row[0] for row in await store.ask(CLAIM, now, later, most)]


async def move(store: Asks, table: str, due: float, alarm: float) -> None:
    """Set an alarm to another time, or to NEVER, unless somebody else did so meanwhile."""
    if alarm == NEVER:
        await store.ask(FORGET, table, due)
    else:
        await store.ask(MOVE, table, due, alarm)
