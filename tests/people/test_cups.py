"""What a cup keeps of people, beside its tables."""

from pathlib import Path

from tischlein.house.house import House
from tischlein.house.settings import Settings
from tischlein.people import People
from tischlein.people.cups import AT_ONCE
from tischlein.store.sqlite import SqliteStore


async def test_who_deletes_their_profile_is_somebody_in_every_cup(tmp_path: Path) -> None:
    house = House(SqliteStore(tmp_path / "t.sqlite"), Settings())
    people = People(house)
    anna = (await people.profiles.make("Anna")).id
    made = [await people.cups.make("Sunday", "sushizock", 2, {}, "at_once", "Bo")
            for _ in range(AT_ONCE + 2)]  # fmt: skip
    cups = [cup for cup, _ in made]
    for cup in sorted(cups)[-2:]:
        await people.cups.join(cup, "Anna", anna)
    await people.leaving.begin(anna)
    await people.leaving.finish(anna)
    for cup in sorted(cups)[-2:]:
        found, _ = await people.cups.load(cup)
        assert [member.name for member in found.members] == ["Bo", "somebody"]
    rows = await house.store.ask("SELECT body FROM cups")
    assert not any(anna.encode() in body or b"Anna" in body for (body,) in rows)
    await house.close()
