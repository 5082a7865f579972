"""What must hold for every game and number of seats: the checks, and what each is made of."""

import pickle
from collections import Counter
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tables import ALL_TABLES, position, random_game
from tischlein import game_named
from tischlein.chance import Quick
from tischlein.conformance import CHECKS, any_move
from tischlein.game import NATURE, REFEREE, AnyGame, Game, IllegalMove, Refusal, ranking
from tischlein.games.buffet import rules as buffet_rules
from tischlein.games.kakerlaken import rules as kakerlaken_rules
from tischlein.games.sushizock import rules as sushizock_rules

seeds = st.integers(0, 2**32)
steps = st.integers(0, 150)
every_table = pytest.mark.parametrize(("name", "seats"), ALL_TABLES)

# The type checker holds every module against the one vocabulary.
SUSHIZOCK: Game[sushizock_rules.State, sushizock_rules.Move, sushizock_rules.View] = sushizock_rules
BUFFET: Game[buffet_rules.State, buffet_rules.Move, buffet_rules.View] = buffet_rules
KAKERLAKEN: Game[kakerlaken_rules.State, kakerlaken_rules.Move, kakerlaken_rules.View] = (
    kakerlaken_rules
)
TYPED: list[AnyGame] = [SUSHIZOCK, BUFFET, KAKERLAKEN]


def test_every_game_is_held_against_the_vocabulary() -> None:
    assert {rules.NAME for rules in TYPED} == {name for name, _ in ALL_TABLES}


def material(name: str, state: Any) -> Any:
    """Count everything that lies on the table, wherever it lies."""
    if name == "sushizock":
        sushi = [*state.sushi, *(tile for piles in state.piles for tile in piles[0])]
        bones = [*state.bones, *(tile for piles in state.piles for tile in piles[1])]
        return sorted(sushi), sorted(bones)
    if name == "buffet":
        cards = [card for hand in state.hands for card in hand]
        cards += [*state.stock, *(card for card, _ in state.discard), *state.exchanged]
        cards += [card for card in state.played if card is not None]
        plates = [*state.plates, *state.buffet]
        for stacks in state.stacks:
            for food, values in zip(buffet_rules.FOODS, stacks, strict=True):
                plates += [(food, value) for value in values]
        return sorted(cards), sorted(plates)
    owned = [owner for owner in state.owners if owner is not None]
    assert max(Counter(owned).values(), default=0) <= kakerlaken_rules.MOST_TILES
    assert sum(state.coins) <= 16  # [K4]
    return len(state.owners), sorted(state.circle)


@every_table
@settings(max_examples=6)
@given(seed=seeds)
def test_games_end_and_keep_their_material(name: str, seats: int, seed: int) -> None:
    dealt = None
    coins: tuple[int, ...] = ()
    for _, _, _, after in random_game(name, seats, seed):
        dealt = dealt or material(name, after)
        assert material(name, after) == dealt
        if name == "kakerlaken":
            assert sum(after.coins) - sum(coins) in (0, 1)
            coins = after.coins
    rules = game_named(name)
    assert rules.winners(after) == ranking(rules, after)[0]
    assert len(rules.scores(after)) == seats
    assert rules.standing(after, None) == rules.scores(after)


@pytest.mark.parametrize("check", CHECKS)
@every_table
@settings(max_examples=8)
@given(seed=seeds)
def test_every_check_finds_nothing(name: str, seats: int, check: str, seed: int) -> None:
    assert next(CHECKS[check](game_named(name), seats, seed), None) is None


@every_table
@settings(max_examples=15)
@given(seed=seeds, moves=steps, viewer=st.integers(-1, 5))
def test_what_others_do_leaks_nothing(
    name: str, seats: int, seed: int, moves: int, viewer: int
) -> None:
    """Also after a move of somebody else, which uncovers nothing, nobody can tell them apart."""
    rules, rng = game_named(name), Quick(seed)
    who = viewer if 0 <= viewer < seats else None
    here = position(name, seats, seed, moves)
    there = rules.imagine(rules.view(here, who), rng)
    assert told(rules, there, who) == told(rules, here, who)
    for by in rules.waits_for(here, who):
        if by in (NATURE, who):
            continue
        one = any_move(rules, here, by, rng)
        other = any_move(rules, there, by, rng)
        if name == "sushizock" or isinstance(one, kakerlaken_rules.Give):
            other = one  # what is done here is open
        if isinstance(one, buffet_rules.Exchange):  # how many cards are exchanged is open
            other = buffet_rules.Exchange(there.hands[int(by)][: len(one.cards)])
        assert rules.seen(by, one, who) == rules.seen(by, other, who)
        after_one, after_other = rules.play(here, by, one), rules.play(there, by, other)
        if not reveals(name, one, here, after_one) and not reveals(name, other, there, after_other):
            assert told(rules, after_one, who) == told(rules, after_other, who)


def told(rules: AnyGame, state: Any, who: int | None) -> bytes:
    """Give all that a viewer is told of a state."""
    legal = [] if who is None else list(rules.legal(state, who))
    seen = rules.view(state, who), rules.waits_for(state, who), rules.standing(state, who)
    return msgspec.json.encode((seen, legal, rules.winners(state)))


def reveals(name: str, move: Any, before: Any, after: Any) -> bool:
    """Say whether a move uncovers, by the rules, what was hidden."""
    if name == "sushizock":
        return isinstance(move, sushizock_rules.Steal) or not (after.sushi or after.bones)
    if name == "buffet":
        return bool(after.revealed != before.revealed)
    return after.roll is None


@every_table
@settings(max_examples=15)
@given(seed=seeds, moves=steps, viewer=st.integers(-1, 5))
def test_imagine_agrees_with_the_view(
    name: str, seats: int, seed: int, moves: int, viewer: int
) -> None:
    rules = game_named(name)
    who = viewer if 0 <= viewer < seats else None
    state = position(name, seats, seed, moves)
    view = rules.view(state, who)
    sent = msgspec.json.decode(msgspec.json.encode(view), type=rules.View)
    imagined = rules.imagine(sent, Quick(seed))
    assert rules.view(imagined, who) == view
    if len(rules.to_move(state)) and state != rules.start(seats):
        assert material(name, imagined) == material(name, state)
    if name != "buffet":  # there even the referee's view only counts what lies face down
        assert rules.imagine(rules.view(state, REFEREE), Quick(1)) == state


@every_table
def test_wrong_set_ups_are_refused_with_a_sentence(name: str, seats: int) -> None:
    rules = game_named(name)
    for wrong in (rules.SEATS[0] - 1, rules.SEATS[-1] + 1, 0, -1):
        with pytest.raises(Refusal, match="this game is for"):
            rules.start(wrong)
    for options in ({"starter": seats}, {"starter": True}, {"starter": "me"}, {"starter": -1}):
        with pytest.raises(Refusal, match=r"`starter` must be a seat"):
            rules.start(seats, options)
    with pytest.raises(Refusal, match="there is no house rule `rain`"):
        rules.start(seats, {"rain": True})


@every_table
def test_a_named_starter_starts(name: str, seats: int) -> None:
    rules = game_named(name)
    for starter in range(seats):
        state = rules.start(seats, {"starter": starter})
        deal = rules.draw(state, Quick(starter))
        assert deal.starter == starter
        wrong = msgspec.structs.replace(deal, starter=(starter + 1) % seats)
        with pytest.raises(IllegalMove, match=f"seat {starter} starts"):
            rules.play(state, NATURE, wrong)
        with pytest.raises(IllegalMove, match="cannot start"):
            rules.play(state, NATURE, msgspec.structs.replace(deal, starter=seats))


def test_a_refusal_comes_back_from_another_process_as_it_was() -> None:
    refused = IllegalMove("few_blue", "you have {have} blue {odd}", have=2, odd="{sticks}")
    again = pickle.loads(pickle.dumps(refused))
    told = type(again), str(again), again.code, again.fields
    assert told == (IllegalMove, "you have two blue {sticks}", "few_blue", refused.fields)
