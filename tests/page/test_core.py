"""Whole games in the core are the same in a page: what is told, stored and answered, byte by byte.

A short form of `python -m bench.same`, which plays two hundred games of each kind.
"""

from pathlib import Path

import pytest

from tests.page import games
from tests.page.same import apart, digests, first_difference, here, in_page, unpack_page

SOME = tuple(f"{kind}:{first}:{last}" for kind in games.KINDS for first, last in ((4, 5), (10, 10)))
"""Games with all levels, with a clock and without, with words, a hint, and somebody who watches."""


@pytest.fixture(scope="module")
def parts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Python as a page has it."""
    return unpack_page(tmp_path_factory.mktemp("page"))


def test_games_are_the_same_to_the_last_byte(parts: Path, tmp_path: Path) -> None:
    levels = set()
    for one, other in digests(here(*SOME), in_page(parts, *SOME)):
        assert one["frames"] > 20
        assert one["thoughts"] > 10
        levels |= {*one["levels"]}
        if found := apart(one, other):
            told = first_difference(one, other, tmp_path)
            pytest.fail(f"{one['game']}: {found} differ:\n{told}")
    assert levels >= {"easy", "medium", "hard", "expert"}


@pytest.mark.parametrize(
    ("wrong", "game", "differs"),
    [
        ("bots", "buffet:10:10", {"texts", "record", "entries", "answers"}),
        ("frames", "sushizock:0:0", {"texts"}),
    ],
)
def test_what_is_wrong_in_a_page_is_found(
    parts: Path, tmp_path: Path, wrong: str, game: str, differs: set[str]
) -> None:
    page = in_page(parts, wrong, game, module="tests.page.wrong")
    ((one, other),) = digests(here(game), page)
    assert {*apart(one, other)} == differs
    assert first_difference(one, other, tmp_path).startswith("texts ")
    assert (tmp_path / "here.txt").read_text() != (tmp_path / "page.txt").read_text()
