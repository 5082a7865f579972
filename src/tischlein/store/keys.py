"""The keys of a house: each made when it is first asked for, and the same for all its servers."""

from typing import Final

from tischlein.store import Asks

OPERATOR: Final = "operator"
"""The key of whoever runs a house."""
NETWORKS: Final = "networks"
"""The key by which a house tells networks apart without their addresses."""
STAY: Final = (OPERATOR, NETWORKS)
"""These do not move house: another one makes its own."""
MAKE: Final = "INSERT INTO keys (name, body) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING"
FIND: Final = "SELECT body FROM keys WHERE name = $1"


async def key_of(store: Asks, name: str, fresh: bytes) -> bytes:
    """Give a key of this house: what is kept, or from now on this one."""
    await store.ask(MAKE, name, fresh)
    return bytes((await store.ask(FIND, name))[0][0])
