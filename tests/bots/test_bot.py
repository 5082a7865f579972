"""What a bot tells of its thought: advice, list and reason agree, and what is unsure is equal."""

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tables import random_game
from tischlein import game_named
from tischlein.bots import Answer, Turn, bot_named, turn_in_sight, turn_of
from tischlein.bots import doubt as doubts
from tischlein.bots.bot import TRIFLE, timeless
from tischlein.bots.searcher import searcher
from tischlein.chance import Quick
from tischlein.game import NATURE
from tischlein.games import game_names
from tischlein.games.buffet.bots.reasons import because_card
from tischlein.games.buffet.rules import Play
from tischlein.games.kakerlaken.bots.levels import tile_asked
from tischlein.games.kakerlaken.rules import Give, Grab, Name, Slap
from tischlein.games.sushizock.bots import reasons as sushizock_reasons
from tischlein.server.wire import told_hint
from tischlein.words import deed, in_language, reason


def turns(name: str, seed: int) -> Iterator[Turn]:
    """Find a few moments of a random game, as who was there and as an adviser sees them."""
    rules = game_named(name)
    moves: list[Any] = []
    found = []
    for state, by, move, _ in random_game(name, rules.SEATS[seed % len(rules.SEATS)], seed):
        for mover in rules.to_move(state):
            if mover != NATURE:
                found.append((state, list(moves), int(mover)))
        moves.append((by, move))
    for at in sorted({len(found) // 7, len(found) // 3, len(found) // 2, len(found) * 4 // 5}):
        state, before, seat = found[at]
        yield turn_of(rules, state, before, seat)
        yield turn_in_sight(rules, state, before, seat)


@pytest.mark.parametrize("name", game_names())
@settings(max_examples=6)
@given(seed=st.integers(0, 10_000))
def test_the_advice_is_the_top_of_the_list_for_a_reason_of_its_own(name: str, seed: int) -> None:
    rules, say = game_named(name), in_language("en", name)
    names = [f"p{seat}" for seat in range(6)]
    for turn in turns(name, seed):
        found = bot_named(rules, "expert")(turn, Quick(seed))
        told = told_hint(name, found, names, say)
        if not found.worth:
            assert told.move == found.move
            continue
        best, share = found.worth[0]
        assert timeless(told.move) == timeless(best)
        assert told.told == told.worth[0][0] == deed(name, best, names, say)
        assert share == max(share for _, share in found.worth)
        assert told.why == reason(*reason_of(turn, best), say)


def reason_of(turn: Turn, move: Any) -> tuple[str, dict[str, Any]]:
    """Say anew why somebody would make a move, by its kind and the table alone."""
    match move:
        case Play():
            return because_card(turn, move.card)
        case Give():
            return "give", {}
        case Name():
            return "name", {}
        case None:
            return "wait", {}
        case Slap() | Grab():
            return hurried(turn, move), {}
    if hasattr(move, "cards"):
        return "swap" if move.cards else "keep_all", {"count": len(move.cards)}
    found = sushizock_reasons.because(turn, move)
    return found.because, found.fields


def hurried(turn: Turn, move: Slap | Grab) -> str:
    """Say why a race is run: the expert may hurry, whatever for."""
    usual = "slap" if isinstance(move, Slap) else "own" if move.squeak else "steal"
    told = bot_named(game_named("kakerlaken"), "expert")(turn, Quick(0)).why
    assert told in [(usual, {}), ("hurry", {})]
    return told[0]


def test_who_mixes_still_gives_one_advice() -> None:
    """The expert lays now this card, now that; who asks is always told the same kind of thing."""
    mixing = 0
    for seed in range(12):
        for turn in turns("buffet", seed):
            if not isinstance(turn.legal[0], Play) or len(turn.legal) < 2:
                continue
            found = bot_named(game_named("buffet"), "expert")(turn, Quick(seed))
            mixing += found.move != found.advised.move
            assert found.advised.move == found.worth[0][0]
            assert found.advised.fields == {"card": found.worth[0][0].card}
    assert mixing, "no position in which the expert lays another card than the best"


shares = st.floats(0, 1, allow_nan=False)


@given(
    st.lists(st.tuples(shares, st.floats(0, 0.3)), min_size=1, max_size=9),
)
def test_moves_within_the_error_are_called_equal_and_no_others(
    ways: list[tuple[float, float]],
) -> None:
    ways.sort(key=lambda way: -way[0])
    worth = tuple((Play(at), share) for at, (share, _) in enumerate(ways))
    found = Answer(Play(0), worth=worth, doubt=tuple(doubt for _, doubt in ways))
    best = ways[0][0]
    for at, (share, doubt) in enumerate(ways):
        if at:
            near = best - share <= TRIFLE or best - share <= doubt
            assert (at in found.equals) == near
    assert 0 not in found.equals
    told = told_hint("buffet", found, ["a", "b", "c"], in_language("en", "buffet"))
    assert told.equal == found.equals


@pytest.mark.parametrize("name", game_names())
def test_every_expert_says_how_far_it_may_be_off(name: str) -> None:
    """A doubt for each move that was weighed, none for the best against itself."""
    rules = game_named(name)
    sampled = 0
    for seed in range(3):
        for turn in turns(name, seed):
            found = bot_named(rules, "expert")(turn, Quick(seed))
            if found.doubt:
                sampled += 1
                assert len(found.doubt) == len(found.worth)
                assert found.doubt[0] == 0
                assert all(doubt >= 0 for doubt in found.doubt)
    assert sampled or name == "kakerlaken"  # where nothing is sampled there is none


def test_what_few_tables_tell_is_not_believed() -> None:
    assert doubts.of_pairs([0.1]) == doubts.of_pairs([0.1, 0.2]) == doubts.UNKNOWN
    few, many = doubts.of_pairs([0.0, 0.2] * 4), doubts.of_pairs([0.0, 0.2] * 400)
    assert 0 < many < few < doubts.UNKNOWN
    assert doubts.of_pair((3, 3), (0, 3)) > doubts.of_pair((300, 300), (0, 300)) > 0


def test_more_tables_agree_within_the_doubt() -> None:
    """Thought through anew with many more tables, most gaps lie where they were said to."""
    rules, within = game_named("buffet"), []
    for turn in turns("buffet", 5):
        if not isinstance(turn.legal[0], Play) or len(turn.legal) < 2:
            continue
        first = bot_named(rules, "expert")(turn, Quick(1))
        better = dict(bot_named(rules, "expert*8")(turn, Quick(2)).worth)
        best, share = first.worth[0]
        for (move, other), doubt in zip(first.worth[1:], first.doubt[1:], strict=True):
            off = abs((share - other) - (better[best] - better[move]))
            within.append(off <= max(TRIFLE, doubt))
    assert len(within) > 5
    assert sum(within) >= 0.7 * len(within)


def test_a_plain_searcher_doubts_what_it_tried_seldom() -> None:
    rules = game_named("sushizock")
    turn = next(turns("sushizock", 1))
    short, long = (searcher(rules, tries)(turn, Quick(1)) for tries in (60, 1200))
    assert max(long.doubt[1:]) < max(short.doubt[1:])
    assert len(short.doubt) == len(short.worth)


def test_the_thief_on_the_tile_is_named_even_where_it_changes_nothing() -> None:
    """After a grab that was wrong anyway all names are worth the same; the reason is the tile's."""
    rules, named = game_named("kakerlaken"), 0
    for seed in range(8):
        moves: list[Any] = []
        for state, by, move, _ in random_game("kakerlaken", 3, seed):
            if isinstance(move, Name):
                turn = turn_of(rules, state, moves, int(by))
                found = bot_named(rules, "expert")(turn, Quick(seed))
                if found.worth:
                    named += 1
                    best, because, _ = found.advised
                    assert timeless(best) == (Name, (("thief", tile_asked(turn.view).thief),))
                    assert because == "name"
            moves.append((by, move))
    assert named > 10
