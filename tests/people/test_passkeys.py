"""A passkey lets its owner in, once for each challenge, and nobody else."""

from typing import Any

import pytest

from tests.authenticator import Authenticator
from tests.stores import Opener, again, conform
from tischlein.game import Refusal
from tischlein.people.codes import Codes
from tischlein.people.passkeys import MOST_PASSKEYS, Passkeys, Site
from tischlein.people.profiles import Profile, Profiles
from tischlein.store import Store

__all__ = ["again"]
HERE = "https://table.example"
SITE = Site("table.example", [HERE])


class Door:
    """A server's passkeys, with a clock that the test sets."""

    def __init__(self, store: Store) -> None:
        self.now = 1000.0
        self.store = store
        self.profiles = Profiles(store, lambda: self.now)
        self.codes = Codes(store, lambda: self.now)
        self.passkeys = Passkeys(store, self.profiles, self.codes, lambda: self.now)

    async def make(self, device: Authenticator, name: str = "Anna") -> tuple[Profile, str]:
        """Make a profile."""
        options = await self.passkeys.offer(SITE, name)
        return await self.passkeys.make(SITE, device.create(options), name, "phone")

    async def enter(self, device: Authenticator) -> tuple[Profile, str]:
        """Sign in."""
        sent = device.get(await self.passkeys.challenge(SITE))
        return await self.passkeys.enter(SITE, sent, "laptop")

    async def refused(self, sent: Any, site: Site = SITE) -> str:
        """Try to sign in; give the code of the refusal."""
        with pytest.raises(Refusal) as refused:
            await self.passkeys.enter(site, sent, "laptop")
        return refused.value.code


@conform
async def test_a_profile_is_made_with_its_passkey_and_known_by_it(
    store: Store, again: Opener
) -> None:
    door, device = Door(store), Authenticator(HERE)
    options = await door.passkeys.offer(SITE, "Anna")
    assert options["attestation"] == "none"
    assert options["authenticatorSelection"]["residentKey"] == "required"
    assert not await store.ask("SELECT * FROM profiles")
    anna, login = await door.passkeys.make(SITE, device.create(options), "Anna", "phone")
    assert await door.profiles.known(login) == anna.id
    assert device.user == anna.id.encode()
    other = Door(await again())  # another server
    found, second = await other.enter(device)
    assert (found, await door.profiles.known(second)) == (anna, anna.id)
    assert {one.device for one in await door.profiles.logins(anna.id)} == {"phone", "laptop"}
    await other.store.close()


@conform
async def test_what_is_begun_at_one_server_is_finished_at_another_once(
    store: Store, again: Opener
) -> None:
    here, there = Door(store), Door(await again())
    device = Authenticator(HERE)
    made = device.create(await here.passkeys.offer(SITE, "Anna"))
    await there.passkeys.make(SITE, made, "Anna", "phone")
    with pytest.raises(Refusal) as twice:
        await here.passkeys.make(SITE, made, "Anna", "phone")
    assert twice.value.code == "too_late"
    sent = device.get(await here.passkeys.challenge(SITE))
    await there.passkeys.enter(SITE, sent, "laptop")
    assert await here.refused(sent) == "too_late"
    assert len(await store.ask("SELECT * FROM profiles")) == 1
    await there.store.close()


@conform
async def test_a_challenge_is_short_lived_and_for_one_purpose(store: Store, again: Opener) -> None:
    door, device = Door(store), Authenticator(HERE)
    anna, _ = await door.make(device)
    late = device.get(await door.passkeys.challenge(SITE))
    door.now += 301
    assert await door.refused(late) == "too_late"
    for options in (
        await door.passkeys.offer(SITE, "Bo"),
        await door.passkeys.offer_more(SITE, anna),
    ):
        assert await door.refused(device.get(options | {"rpId": SITE.name})) == "too_late"
    asked = await door.passkeys.challenge(SITE)
    made = Authenticator(HERE).create({**asked, "user": {"id": "eA"}, "rp": {"id": SITE.name}})
    with pytest.raises(Refusal) as refused:
        await door.passkeys.make(SITE, made, "Bo", "phone")
    assert refused.value.code == "too_late"


@conform
async def test_wrong_pages_names_signatures_and_counts_are_refused(
    store: Store, again: Opener
) -> None:
    door, device = Door(store), Authenticator(HERE, count=5)
    anna, _ = await door.make(device)
    bo, _ = await door.make(Authenticator(HERE), "Bo")

    async def asked() -> dict[str, Any]:
        return await door.passkeys.challenge(SITE)

    assert (
        await door.refused(device.get(await asked(), origin="https://evil.example"))
        == "bad_passkey"
    )
    assert (
        await door.refused(device.get(await asked(), origin="http://table.example"))
        == "bad_passkey"
    )
    assert await door.refused(device.get(await asked(), rp="evil.example")) == "bad_passkey"
    stranger = Authenticator(HERE, count=99)
    assert await door.refused(stranger.get(await asked())) == "no_passkey"
    stranger.id, stranger.user = device.id, anna.id.encode()  # knows her id, not her key
    assert await door.refused(stranger.get(await asked())) == "bad_passkey"
    device.user = bo.id.encode()  # her own key, and another's name
    assert await door.refused(device.get(await asked())) == "bad_passkey"
    device.user = anna.id.encode()
    await door.enter(device)
    device.count -= 2  # a copy that is behind
    assert await door.refused(device.get(await asked())) == "bad_passkey"
    rubbish: list[Any] = [{}, {"id": 1}, {"response": []}, {"response": {"clientDataJSON": "!"}}]
    for junk in rubbish:
        assert await door.refused(junk) == "bad_passkey"


@conform
async def test_a_device_that_does_not_count_is_let_in_again_and_again(
    store: Store, again: Opener
) -> None:
    door, device = Door(store), Authenticator(HERE, count=0)
    anna, _ = await door.make(device)
    for _ in range(2):
        assert (await door.enter(device))[0] == anna


@conform
async def test_nobody_adds_a_passkey_to_another_or_takes_a_known_one(
    store: Store, again: Opener
) -> None:
    door, device = Door(store), Authenticator(HERE)
    (anna, _), (bo, _) = await door.make(device), await door.make(Authenticator(HERE), "Bo")
    for_anna = Authenticator(HERE).create(await door.passkeys.offer_more(SITE, anna))
    with pytest.raises(Refusal) as other:
        await door.passkeys.add(SITE, for_anna, bo.id, "Bo's")
    assert other.value.code == "other_profile"
    sent = device.create(await door.passkeys.offer_more(SITE, bo))
    with pytest.raises(Refusal) as known:
        await door.passkeys.add(SITE, sent, bo.id, "mine")
    assert known.value.code == "known_passkey"
    sent = device.create(await door.passkeys.offer(SITE, "Zoe"))
    with pytest.raises(Refusal) as known:
        await door.passkeys.make(SITE, sent, "Zoe", "phone")
    assert known.value.code == "known_passkey"
    assert len(await store.ask("SELECT * FROM profiles")) == 2


@conform
async def test_passkeys_are_named_removed_and_bounded(store: Store, again: Opener) -> None:
    door = Door(store)
    anna, _ = await door.make(Authenticator(HERE))
    (only,) = await door.passkeys.all(anna.id)
    assert only.name == "phone"
    with pytest.raises(Refusal, match="only way back"):
        await door.passkeys.remove(anna.id, only.id)
    laptop = Authenticator(HERE)
    options = await door.passkeys.offer_more(SITE, anna)
    assert len(options["excludeCredentials"]) == 1
    await door.passkeys.add(SITE, laptop.create(options), anna.id, "Anna's laptop")
    await door.passkeys.rename(anna.id, only.id, "old  phone\n")
    assert {one.name for one in await door.passkeys.all(anna.id)} == {"old phone", "Anna's laptop"}
    await door.passkeys.remove(anna.id, only.id)
    (left,) = await door.passkeys.all(anna.id)
    assert (await door.enter(laptop))[0] == anna
    await door.codes.new("paper", anna.id)
    await door.passkeys.remove(anna.id, left.id)
    assert await door.passkeys.all(anna.id) == []
    with pytest.raises(Refusal, match="no such passkey"):
        await door.passkeys.remove(anna.id, left.id)
    for _ in range(MOST_PASSKEYS):
        sent = Authenticator(HERE).create(await door.passkeys.offer_more(SITE, anna))
        await door.passkeys.add(SITE, sent, anna.id, "one more")
    sent = Authenticator(HERE).create(await door.passkeys.offer_more(SITE, anna))
    with pytest.raises(Refusal, match="enough"):
        await door.passkeys.add(SITE, sent, anna.id, "one more")


@conform
async def test_a_passkey_whose_name_is_too_long_makes_no_profile(
    store: Store, again: Opener
) -> None:
    door, device = Door(store), Authenticator(HERE)
    device.id = bytes(5000)
    with pytest.raises(Refusal) as refused:
        await door.make(device)
    assert refused.value.code == "bad_passkey"
    assert not await store.ask("SELECT * FROM profiles")
    device.id = bytes(1023)  # the longest that there may be
    await door.make(device)
    await door.enter(device)
