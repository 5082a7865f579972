"""The house's own addresses: for whoever has its key, and told to nobody else."""

import asyncio

import httpx

from tests.server.client import LIMIT, get, open_table, post, server_here
from tischlein.house.house import House
from tischlein.house.settings import Settings
from tischlein.people.operator import operators_key
from tischlein.store.sqlite import SqliteStore

WAYS = ("look", "table", "cup", "close", "rename")


async def test_without_the_key_nothing_is_told_or_done() -> None:
    house = House(SqliteStore(":memory:"), Settings())
    async with asyncio.timeout(LIMIT), server_here(house) as url:
        (me,) = await open_table(url, "sushizock", 2)
        key = await operators_key(house.store)
        body = {"table": me.table, "seat": 0}
        wrong = ("", "Bearer", f"Bearer {key}x", f"Basic {key}", f"Bearer {me.token}", key,
                 f"bearer \u00e9{key}")  # fmt: skip
        async with httpx.AsyncClient(base_url=url, timeout=LIMIT, trust_env=False) as client:
            for sent in wrong:
                for way in WAYS:
                    headers = {b"authorization": sent.encode()}
                    answer = await client.post(f"/api/house/{way}", json=body, headers=headers)
                    assert answer.status_code == 403
                    assert answer.json()["error"] == "not_yours"
                    assert me.table not in answer.text
        assert not house.tables[me.table].book.is_closed
        assert house.tables[me.table].book.names[0] == "p0"


async def test_with_the_key_it_is_done() -> None:
    house = House(SqliteStore(":memory:"), Settings())
    async with asyncio.timeout(LIMIT), server_here(house) as url:
        (me,) = await open_table(url, "sushizock", 2)
        await me.connect()
        headers = {"authorization": f"Bearer {await operators_key(house.store)}"}
        async with httpx.AsyncClient(
            base_url=url, timeout=LIMIT, trust_env=False, headers=headers
        ) as client:
            found = (await client.post("/api/house/look", json={})).json()
            assert [table["table"] for table in found["tables"]] == [me.table]
            both = {"table": me.table, "seat": 0, "profile": "Anna"}
            assert (await client.post("/api/house/rename", json=both)).status_code == 422
            gone = await client.post("/api/house/table", json={"table": "nowhere"})
            assert (gone.status_code, gone.json()["error"]) == (404, "no_table")
            named = await client.post("/api/house/rename", json={"table": me.table, "seat": 0})
            assert named.json() == {"before": "p0", "after": "somebody"}
            closed = await client.post("/api/house/close", json={"table": me.table})
            assert closed.json()["closed"] is True
        await me.until(lambda frame: frame["type"] == "state" and frame["table"]["closed"])


async def test_names_in_a_tournament_are_for_who_has_the_key() -> None:
    house = House(SqliteStore(":memory:"), Settings())
    async with asyncio.timeout(LIMIT), server_here(house) as url:
        wanted = {"name": "Rude!", "game": "sushizock", "seats": 2, "nickname": "Rude"}
        held = (await post(url, "/api/cups", wanted)).json()
        cup = held["cup"]
        mine = {"authorization": f"Bearer {held['token']}"}
        key = {"authorization": f"Bearer {await operators_key(house.store)}"}
        async with httpx.AsyncClient(base_url=url, timeout=LIMIT, trust_env=False) as client:
            for way, body in (("cup", {"cup": cup}), ("rename", {"cup": cup, "member": 0})):
                for headers in ({}, mine):
                    refused = await client.post(f"/api/house/{way}", json=body, headers=headers)
                    assert (refused.status_code, refused.json()["error"]) == (403, "not_yours")
                    assert "Rude" not in refused.text
            tag = {"if-none-match": (await get(url, f"/api/cups/{cup}")).headers["etag"]}
            seen = (await client.post("/api/house/cup", json={"cup": cup}, headers=key)).json()
            assert [(one["member"], one["name"]) for one in seen["members"]] == [(0, "Rude")]
            assert held["token"] not in str(seen)

            async def rename(**body: object) -> httpx.Response:
                return await client.post("/api/house/rename", json=body, headers=key)

            named = await rename(cup=cup, member=0)
            assert named.json() == {"before": "Rude", "after": "somebody"}
            titled = await rename(cup=cup)
            assert titled.json() == {"before": "Rude!", "after": "Tournament"}
            for wrong in ({"cup": cup, "name": "A"}, {"cup": cup, "table": "x", "seat": 0},
                          {"cup": cup, "profile": "A"}, {"cup": cup, "member": 5}, {"member": 0},
                          {"cup": cup, "member": -1}):  # fmt: skip
                assert (await rename(**wrong)).status_code == 422, wrong
            for way in ("cup", "rename"):
                body = {"cup": "nosuchcup222"}
                gone = await client.post(f"/api/house/{way}", json=body, headers=key)
                assert (gone.status_code, gone.json()["error"]) == (404, "no_cup")
            told = await get(url, f"/api/cups/{cup}", **tag)
            assert (told.status_code, told.json()["title"]) == (200, "Tournament")
            assert "Rude" not in told.text
            found = await client.post(f"/api/cups/{cup}/me", headers=mine)
            assert found.json() == {"member": 0, "name": "somebody"}


async def test_everybody_may_know_whom_to_ask() -> None:
    settings = Settings(contact="anna@tischlein.example", tidy_after=86_400.0)
    house = House(SqliteStore(":memory:"), settings)
    async with asyncio.timeout(LIMIT), server_here(house) as url:
        found = (await get(url, "/api/house")).json()
        assert found["contact"] == "anna@tischlein.example"
        assert found["tidy_after"] == 86_400.0
        assert found["tidy_cups_after"] == settings.tidy_cups_after
        assert (await post(url, "/api/house", {})).status_code == 405
