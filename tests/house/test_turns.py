"""Taking turns: who has much to ask for gets no more than who has little."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from tischlein.house.turns import Turns


def drained(turns: Turns[str]) -> list[str]:
    """Take all that waits."""
    found = []
    while turns:
        found.append(turns.take())
    return found


def test_an_address_with_two_hundred_tables_gets_no_more_than_one_with_a_single_table() -> None:
    """Somebody alone at a table would wait for all the tables of a stranger."""
    turns: Turns[str] = Turns()
    for number in range(200):
        turns.add("flood", f"t{number}", ["far"])
    for _ in range(4):
        turns.add("mine", "m", ["near"])
    assert drained(turns)[:8] == ["flood", "mine"] * 4


def test_the_tables_of_an_address_take_turns() -> None:
    """In a house with one address, five bots at one table would hold up the table beside it."""
    turns: Turns[str] = Turns()
    for _ in range(3):
        turns.add("a", "a", ["near"])
    turns.add("b", "b", ["near"])
    turns.add("c", "c", ["near"])
    assert drained(turns) == ["a", "b", "c", "a", "a"]


def test_who_asks_again_at_once_stands_behind_all_who_wait() -> None:
    """A table whose bots answer at once would come first again and again."""
    turns: Turns[str] = Turns()
    turns.add("hasty", "h", ["far"])
    turns.add("mine", "m", ["near"])
    assert turns.take() == "hasty"
    turns.add("hasty", "h", ["far"])
    assert drained(turns) == ["mine", "hasty"]


def test_a_table_of_two_networks_has_the_turns_of_both() -> None:
    """A stranger who watches my table would put it into the stranger's own long line."""
    turns: Turns[str] = Turns()
    for number in range(9):
        turns.add("flood", f"t{number}", ["far"])
    turns.add("ours", "o", ["far", "near"])
    assert turns.take() == "flood"
    assert turns.take() == "ours"
    turns.add("ours", "o", ["far"])
    turns.join("o", "near")
    turns.join("gone", "near")
    assert drained(turns).index("ours") == 1


def test_what_is_no_longer_wanted_waits_no_longer() -> None:
    """Thoughts that nobody waits for would be thought before mine."""
    turns: Turns[str] = Turns()
    turns.add("stale", "t", ["far", "near"])
    turns.add("mine", "m", ["near"])
    assert turns.remove("stale", "t")
    assert not turns.remove("stale", "t")
    assert drained(turns) == ["mine"]
    assert not turns
    assert len(turns) == 0


places = st.tuples(st.sampled_from("abcd"), st.sampled_from(["n1", "n2", "n3"]))


@given(st.lists(places), st.lists(st.booleans()))
def test_nothing_is_lost_and_nobody_is_served_twice_before_another(
    asked: list[tuple[str, str]], leave: list[bool]
) -> None:
    """With one network a table, no network is ahead of another that waits by more than one."""
    turns: Turns[tuple[int, str]] = Turns()
    kept = []
    for number, (table, network) in enumerate(asked):
        turns.add((number, network), table + network, [network])
        if number < len(leave) and leave[number]:
            assert turns.remove((number, network), table + network)
        else:
            kept.append((number, network))
    assert sorted(turns) == sorted(kept)
    left, served = Counter(network for _, network in kept), Counter[str]()
    taken = []
    while turns:
        taken.append(turns.take())
        served[taken[-1][1]] += 1
        waiting = [network for network in left if left[network] > served[network]]
        assert all(served[taken[-1][1]] <= served[other] + 1 for other in waiting)
    assert sorted(taken) == sorted(kept)
