"""What is made of a finished game is made once; luck is never lost to who only counts."""

from msgspec.structs import replace

from tests.stores import Opener, again, conform
from tischlein.figures import Figure
from tischlein.people.insights import MOST_TIMES, Insight, Insights, summed, told
from tischlein.store import KeptRecord, Store

__all__ = ["again"]

ONE = Insight("buffet", (1,), ((Figure("food", {"pizza": 2}),), (Figure("food", {"pizza": 1}),)))


@conform
async def test_figures_never_take_the_place_of_luck(store: Store, again: Opener) -> None:
    insights = Insights(store)
    assert await insights.find([]) == await insights.find([("a", 1)]) == {}
    await insights.keep(("a", 1), ONE)
    lucky = replace(ONE, luck=(0.25, -0.25))
    await insights.keep(("a", 1), lucky)
    await insights.keep(("a", 1), ONE)
    await insights.keep(("a", 3), ONE)
    assert await insights.find([("a", 1), ("a", 2), ("b", 1)]) == {("a", 1): lucky}


@conform
async def test_who_played_is_read_from_the_record_itself(store: Store, again: Opener) -> None:
    """So that a name which was taken out of a record is told nowhere."""
    header = '{"format":"tischlein/1","game":"buffet","seats":["Anna","Bo","Cy"]}\n'
    await store.keep(KeptRecord("a", 2, header + "x" * 9000, 1.0))
    await store.keep(KeptRecord("b", 1, "y" * 9000, 1.0))
    insights, asked = Insights(store), [("a", 1), ("a", 2), ("b", 1)]
    assert await insights.names(asked) == {("a", 2): ("Anna", "Bo", "Cy")}
    assert await insights.there(asked) == [("a", 2), ("b", 1)]


def test_figures_add_up_and_people_go_by_name() -> None:
    steals = Insight("sushizock", (0, 1), ((Figure("victim", {"1": 2}, people=True),), ()))
    rows = [(("a", 1, 0), ONE), (("a", 2, 1), ONE), (("b", 1, 0), steals), (("c", 1, 0), steals)]
    names = {("b", 1): ("Anna", "Bo"), ("c", 1): ("Anna", "Bo")}
    found = {(it.game, it.key): it.counts for it in summed(rows, names)}
    assert found == {("buffet", "food"): {"pizza": 3}, ("sushizock", "victim"): {"Bo": 4}}
    assert summed([(("d", 1, 0), steals)], {}) == []
    one, shared = told(("a", 1, 0), ONE), told(("b", 1, 0), steals)
    assert one is not None
    assert shared is not None
    assert (one.won, one.seats, one.luck, shared.won) == (0.0, 2, None, 0.5)
    assert told(("a", 1, 2), ONE) is None


def test_times_are_bounded() -> None:
    quick = Insight("race", (0,), ((Figure("reaction", times=(5,) * 300),),))
    (found,) = summed([((table, 1, 0), quick) for table in "abc"], {})
    assert len(found.times) == MOST_TIMES
