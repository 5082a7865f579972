"""Who wants to be told is kept with every engine, a few for each seat, and forgotten in time."""

from tests.stores import Opener, again, conform
from tischlein.people.push import Target
from tischlein.people.subscriptions import MOST, Subscription, Subscriptions
from tischlein.store import Page, Store
from tischlein.table.book import fingerprint

__all__ = ["again"]


def browser(name: str, holder: str = "anna", language: str = "en") -> Subscription:
    """Give a browser that wants to be told."""
    target = Target(f"https://push.example/{name}", name.encode(), bytes(range(16)))
    return Subscription(target, language, holder, "https://tisch.example")


def shown(kept: Subscription) -> str:
    """Name a browser."""
    return kept.target.address.rpartition("/")[2]


@conform
async def test_a_browser_is_told_at_its_seats(store: Store, again: Opener) -> None:
    now = [1000.0]
    kept = Subscriptions(store, lambda: now[0])
    await kept.keep("t1", 0, browser("phone"))
    await kept.keep("t1", 1, browser("tablet", "bo"))
    await kept.keep("t2", 0, browser("phone"))
    await kept.keep("t1", 0, browser("phone", language="fr"))  # renewed, not twice
    found = await kept.at("t1")
    assert [(one.seat, one.subscription) for one in found] == [
        (0, browser("phone", language="fr")),
        (1, browser("tablet", "bo")),
    ]
    phone = fingerprint("https://push.example/phone")
    assert found[0].endpoint == phone
    other = Subscriptions(await again(), lambda: now[0])
    assert await other.at("t1") == found
    await kept.forget("t1", 0, phone)
    assert not await kept.has("t1", 0, phone)
    assert await kept.has("t2", 0, phone)
    await kept.keep("t1", 1, browser("phone", "bo"))
    await other.forget_all(phone)
    assert [shown(one.subscription) for one in await kept.at("t1")] == ["tablet"]
    assert await kept.at("t2") == []
    await kept.forget_all(phone)


@conform
async def test_a_seat_has_a_few_and_the_oldest_gives_way(store: Store, again: Opener) -> None:
    now = [1000.0]
    kept = Subscriptions(store, lambda: now[0])
    await kept.keep("t", 1, browser("other"))
    for number in range(MOST + 2):
        now[0] += 1
        await kept.keep("t", 0, browser(f"b{number}"))
    now[0] += 1
    await kept.keep("t", 0, browser("b2"))
    await kept.keep("t", 0, browser("new"))
    names = [shown(one.subscription) for one in await kept.at("t") if one.seat == 0]
    assert sorted(names) == ["b2", "b4", "b5", "new"]
    assert [shown(one.subscription) for one in await kept.at("t") if one.seat == 1] == ["other"]


@conform
async def test_who_no_longer_holds_the_seat_is_forgotten(store: Store, again: Opener) -> None:
    kept = Subscriptions(store, lambda: 1000.0)
    for seat, holder in enumerate(("anna", "bo", "cleo")):
        await kept.keep("t", seat, browser(holder, holder))
    await kept.sweep("t", ["anna", None, "dora"])
    assert [shown(one.subscription) for one in await kept.at("t")] == ["anna"]


@conform
async def test_they_go_with_their_table(store: Store, again: Opener) -> None:
    kept = Subscriptions(store, lambda: 1000.0)
    for table in ("old", "new"):
        when = 1000.0 if table == "old" else 9000.0
        await store.append(Page(table, 1, [b"{}"], when, live=True))
        await kept.keep(table, 0, browser("phone"))
    assert await store.tidy(5000.0, 5000.0) == ["old"]
    assert await kept.at("old") == []
    assert len(await kept.at("new")) == 1
