"""Keys of a house: whoever asks first makes one, and all have the same."""

import asyncio

from tests.stores import Opener, again, conform
from tischlein.store import Store
from tischlein.store.keys import key_of

__all__ = ["again"]


@conform
async def test_a_key_is_made_once_for_all_servers(store: Store, again: Opener) -> None:
    other = await again()
    try:
        asked = [key_of(one, "k", bytes([n])) for n, one in enumerate([store, other] * 5)]
        found = set(await asyncio.gather(*asked))
        assert len(found) == 1
        assert await key_of(other, "k", b"later") in found
        assert await key_of(other, "another", b"later") == b"later"
    finally:
        await other.close()
