"""Codes that people read and type: good once or for long, and not to be guessed."""

import asyncio

import pytest

from tests.stores import Opener, again, conform
from tischlein.game import Refusal
from tischlein.people.codes import MOST_TRIES, MOST_TRIES_HERE, Codes, TooManyTries, grouped, plain
from tischlein.store import Store

__all__ = ["again"]


async def told(codes: Codes, code: str, purpose: str, network: str = "a") -> str:
    """Try a code; give whose it is, or why not."""
    try:
        return await codes.redeem(code, purpose, network)  # type: ignore[arg-type]
    except Refusal as refused:
        return refused.code


@conform
async def test_a_link_is_good_once_for_some_minutes_at_any_server(
    store: Store, again: Opener
) -> None:
    now = [1000.0]
    here, there = Codes(store, lambda: now[0]), Codes(await again(), lambda: now[0])
    first, second = await here.new("link", "anna"), await here.new("link", "anna")
    assert len(second) == 9
    assert await told(there, first, "link") == "wrong_code"  # the newer one took its place
    assert await told(there, second, "paper") == "wrong_code"
    assert await told(there, f" {second.lower()} ".replace("-", " "), "link") == "anna"
    assert await told(here, second, "link") == "wrong_code"
    late = await here.new("link", "anna")
    now[0] += 601
    assert await told(here, late, "link") == "wrong_code"
    await there._store.close()  # type: ignore[attr-defined]


@conform
async def test_a_printed_code_stays_good_until_another_is_made(store: Store, again: Opener) -> None:
    now = [1000.0]
    codes = Codes(store, lambda: now[0])
    assert not await codes.has_paper("anna")
    old = await codes.new("paper", "anna")
    assert await codes.has_paper("anna")
    now[0] += 10 * 365 * 86_400
    await codes.tidy()
    assert [await told(codes, old, "paper") for _ in range(2)] == ["anna", "anna"]
    assert await told(codes, old, "link") == "wrong_code"
    new = await codes.new("paper", "anna")
    assert await told(codes, old, "paper") == "wrong_code"
    assert await told(codes, new, "paper") == "anna"
    rows = await store.ask("SELECT code FROM codes")
    assert all(new.replace("-", "").lower() not in row[0] for row in rows)


@conform
async def test_who_guesses_is_not_heard_for_a_while_also_at_another_server(
    store: Store, again: Opener
) -> None:
    now = [1000.0]
    here, there = Codes(store, lambda: now[0]), Codes(await again(), lambda: now[0])
    code = await here.new("link", "anna")
    many = [told((here, there)[n % 2], f"2222-22{n:02}", "link") for n in range(40)]
    answers = await asyncio.gather(*many)
    assert answers.count("wrong_code") <= MOST_TRIES_HERE
    assert answers.count("too_many_tries") >= 40 - MOST_TRIES_HERE
    while await told(here, "2222-2222", "link") == "wrong_code":
        """Use up what is left."""
    assert await told(there, code, "link") == "too_many_tries"  # even the right one
    assert await told(there, code, "link", "another house") == "anna"
    now[0] += 601
    assert await told(there, "2222-2222", "link") == "wrong_code"
    await here.tidy()
    rows = await store.ask("SELECT profile FROM codes")
    assert [row[0] for row in rows] == ["tries"]
    await there._store.close()  # type: ignore[attr-defined]


@conform
async def test_many_houses_together_cannot_guess_either(store: Store, again: Opener) -> None:
    codes = Codes(store, lambda: 1000.0)
    words = "INSERT INTO codes (code, profile, purpose, until) VALUES ($1, 'tries', $1, 1500.0)"
    for n in range(MOST_TRIES):
        await store.ask(words, f"house {n}")
    with pytest.raises(TooManyTries):
        await codes.redeem("2222-2222", "link", "one more house")
    rows = await store.ask("SELECT count(*) FROM codes")
    assert rows[0][0] == MOST_TRIES  # who is not heard leaves nothing behind


def test_what_is_read_wrong_is_meant_right() -> None:
    assert plain("I0-lo aB") == plain("10-10-AB") == "1010ab"
    assert grouped("0123456789ab") == "0123-4567-89AB"
