"""What a learner is shown, may do and is dealt: no leak, all moves, exact chances."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, permutations
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from tests.envs.golden import PLAYTHROUGHS, TABLES
from tests.tables import Table
from tischlein import game_named
from tischlein.chance import Quick
from tischlein.envs import pettingzoo
from tischlein.envs.draws import evenly, next_in_hand, pick
from tischlein.envs.games import env_names, process, process_of
from tischlein.envs.material import with_material
from tischlein.envs.process import WAIT, Process
from tischlein.games.kakerlaken.env import GRAB, Kakerlaken

every_table = pytest.mark.parametrize(("name", "seats"), TABLES)
every_game = pytest.mark.parametrize("name", env_names())


def walk(played: Process, seed: int, steps: int) -> Iterator[Any]:
    """Play at random; give each position where seats decide."""
    rng, position = Quick(seed), played.begin()
    for _ in range(steps):
        while played.nature_moves(position):
            position = played.draw(position, rng)
        if played.over(position):
            return
        yield position
        chosen = {}
        for seat in played.deciders(position):
            legal = played.legal(position, seat)
            chosen[seat] = legal[rng.below(len(legal))]
        position = played.act(position, chosen)


@every_table
@pytest.mark.parametrize("listed", [False, True])
def test_what_is_hidden_is_not_observed(name: str, seats: int, listed: bool) -> None:
    """Change only what a seat cannot see: its observation and its actions stay the same."""
    played, rng, changed = process(name, seats, listed=listed), Quick(9), 0
    for position in walk(played, 4, 60):
        for seat in range(seats):
            view = played.rules.view(position.state, seat)
            other = played.rules.imagine(view, rng)
            changed += other != position.state
            swapped = replace(position, state=other)
            same = played.observe(swapped, seat) == played.observe(position, seat)
            assert same.all()
            if seat in played.deciders(position):
                assert played.legal(swapped, seat) == played.legal(position, seat)
    assert changed


def test_hands_of_others_on_their_way_are_not_observed() -> None:
    """[K23]: of a deed in an open race others know nothing before it arrives."""
    played, moving = process("kakerlaken", 4), 0
    for position in walk(played, 4, 60):
        for seat in range(4):
            hands = [hand if at == seat else None for at, hand in enumerate(position.hands)]
            alone = replace(position, hands=tuple(hands))
            moving += alone != position
            assert (played.observe(alone, seat) == played.observe(position, seat)).all()
    assert moving


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_memory_knows_what_was_open_once(seats: int) -> None:
    """[S19]: what lies covered must be remembered; with `memory` it is, exactly."""
    forgetful, mindful = process("sushizock", seats), process("sushizock", seats, memory=True)
    covered = 0
    for position in walk(mindful, 2, 300):
        for seat in range(seats):
            shown = mindful.layout.parts(mindful.observe(position, seat))
            plain = forgetful.layout.parts(forgetful.observe(position, seat))
            for other in range(seats):
                sushi, bones = position.state.piles[(seat + other) % seats]
                assert [int(v) for v in shown["sushi_piles"][other] if v] == list(sushi)
                assert [int(v) for v in shown["bones_piles"][other] if v] == list(bones)
                in_sight = [int(v) for v in plain["sushi_piles"][other] if v]
                assert in_sight == list(sushi[-1:])
                covered += len(sushi) > 1
    assert covered


@every_table
def test_observations_stay_in_their_bounds(name: str, seats: int) -> None:
    played = process(name, seats)
    low, high = played.layout.low(), played.layout.high()
    for position in walk(played, 7, 150):
        for seat in range(seats):
            seen = played.observe(position, seat)
            assert (low <= seen).all()
            assert (seen <= high).all()


@every_table
def test_actions_are_the_legal_moves(name: str, seats: int) -> None:
    """Each legal move has a number of its own, and the number leads to the move."""
    played = process(name, seats)
    assert len(set(played.labels)) == len(played.labels)
    for position in walk(played, 8, 80):
        for seat in played.deciders(position):
            turn = played.turn(position, seat)
            numbers = played.legal(position, seat)
            assert numbers == sorted(set(numbers))
            if name == "buffet" and turn.view.exchanging is not None:
                continue
            moves = [played.move(turn, number) for number in numbers if number != WAIT]
            assert set(moves) == set(turn.legal)
            assert len(moves) == len(turn.legal)


def test_an_exchange_picks_every_choice_of_cards_once() -> None:
    """[B10], decided card by card in rising order."""
    played = process("buffet", 4)
    position = next(p for p in walk(played, 1, 200) if p.state.exchanging is not None)
    seat = position.state.exchanging
    found, open_ones = [], [position]
    while open_ones:
        here = open_ones.pop()
        found.append(here.giving)
        for number in played.legal(here, seat):
            after = played.act(here, {seat: number})
            if after.state is here.state:
                open_ones.append(after)
    legal = [move.cards for move in played.rules.legal(position.state, seat)]
    assert sorted(found) == sorted(tuple(sorted(cards)) for cards in legal)


def test_a_hand_drawn_in_order_is_as_likely_as_any_hand() -> None:
    """Compare with all ways to draw three of seven cards, two kinds of them twice or thrice."""
    counts, size = (2, 0, 3, 1, 1), 3
    pile = [kind for kind, n in enumerate(counts) for _ in range(n)]
    hands = Counter(tuple(sorted(hand)) for hand in combinations(pile, size))
    total = sum(hands.values())

    def paths(
        so_far: tuple[int, ...], chance: Fraction
    ) -> Iterator[tuple[tuple[int, ...], Fraction]]:
        if len(so_far) == size:
            yield so_far, chance
            return
        steps = next_in_hand(counts, so_far, size)
        assert sum(likely for _, likely in steps) == 1
        for kind, likely in steps:
            yield from paths((*so_far, kind), chance * likely)

    found = dict(paths((), Fraction(1)))
    assert found == {hand: Fraction(n, total) for hand, n in hands.items()}


def test_pick_follows_the_chances() -> None:
    class Counting:
        def __init__(self, number: int) -> None:
            self.number = number

        def below(self, n: int, /) -> int:
            assert n == 6
            return self.number

    chances = [(7, Fraction(1, 2)), (8, Fraction(1, 3)), (9, Fraction(1, 6))]
    assert [pick(chances, Counting(n)) for n in range(6)] == [7, 7, 7, 8, 8, 9]
    with pytest.raises(ValueError, match="do not add up"):
        pick([(1, Fraction(1, 6))], Counting(5))
    assert sum(chance for _, chance in evenly(7)) == 1


@every_table
def test_listed_chances_are_whole_and_lead_to_true_games(name: str, seats: int) -> None:
    """Each step of chance sums to one; the cards and plates of the game stay complete."""
    played, rng = process(name, seats, listed=True), Quick(seats)
    position, steps = played.begin(), 0
    while not played.over(position) and steps < 900:
        steps += 1
        chances = played.chances(position)
        if chances:
            assert sum(chance for _, chance in chances) == 1
            assert len(chances) <= played.most_chances()
            outcome = pick(chances, rng)
            assert played.chance_label(position, outcome)
            position = played.happen(position, outcome)
            if name == "buffet" and position.state.token is not None:
                complete(position.state)
        else:
            legal = {seat: played.legal(position, seat) for seat in played.deciders(position)}
            chosen = {seat: moves[rng.below(len(moves))] for seat, moves in legal.items()}
            position = played.act(position, chosen)
    assert position.state.options == played.empty.options


def complete(state: Any) -> None:
    """Check that no card and no plate was lost or made."""
    rules: Any = game_named("buffet")
    cards = [*state.stock, *(card for card, _ in state.discard), *state.exchanged]
    cards += [card for hand in state.hands for card in hand]
    cards += [card for card in state.played if card is not None]
    assert sorted(cards) == sorted(rules.CARDS)
    plates = [*state.plates, *state.buffet]
    for stacks in state.stacks:
        plates += [(f, v) for f, stack in zip(rules.FOODS, stacks, strict=True) for v in stack]
    assert sorted(plates) == sorted(rules.all_plates(state.options))


def test_listed_deals_are_as_likely_as_shuffled_ones() -> None:
    """In a small Buffet each pair of hands is as likely by steps as by shuffling."""
    sizes = {"values": 4, "copies": 1, "hand": 2, "foods": 1, "plates": 1, "starter": 0}
    played = process("buffet", 2, sizes, listed=True)
    found: dict[Any, Fraction] = defaultdict(Fraction)

    def follow(position: Any, chance: Fraction) -> None:
        if not (chances := played.chances(position)):
            found[position.state.hands] += chance
            return
        for outcome, likely in chances:
            follow(played.happen(position, outcome), chance * likely)

    follow(played.begin(), Fraction(1))
    shuffles = list(permutations([1, 2, 3, 4]))
    expected = Counter((tuple(sorted(p[:2])), tuple(sorted(p[2:]))) for p in shuffles)
    assert found == {hands: Fraction(n, len(shuffles)) for hands, n in expected.items()}


@every_game
def test_reduced_games_are_the_same_rules(name: str) -> None:
    """With the full material the compiled copy plays exactly the game."""
    kind, rules = process_of(name), game_named(name)
    seats = rules.SEATS[-1]
    copy = with_material(name, kind.material(seats, kind.reductions))
    assert copy is not rules
    state, other, rng, others = rules.start(seats), copy.start(seats), Quick(3), Quick(3)
    for _ in range(200):
        if not rules.to_move(state):
            break
        by = rules.to_move(state)[0]
        assert copy.to_move(other)[0] == by
        if by == "nature":
            move, same = rules.draw(state, rng), copy.draw(other, others)
        else:
            at = rng.below(len(rules.legal(state, int(by))))
            others.below(1)
            move, same = rules.legal(state, int(by))[at], copy.legal(other, int(by))[at]
            if hasattr(move, "at"):
                move, same = type(move)(**told(move)), type(same)(**told(same))
        assert repr(move) == repr(same)
        state, other = rules.play(state, by, move), copy.play(other, by, same)
    assert repr(state) == repr(other)


def told(move: Any) -> dict[str, Any]:
    """Give a race move a time."""
    return {field: getattr(move, field) for field in move.__struct_fields__} | {"at": 500.0}


def test_material_that_a_game_does_not_have() -> None:
    with pytest.raises(ValueError, match="buffet has no material called SPOONS"):
        with_material("buffet", {"SPOONS": 3})
    with pytest.raises(ValueError, match="there is no environment `chess`"):
        process("chess", 2)


@every_game
def test_reduced_games_come_to_their_end(name: str) -> None:
    sizes = dict(PLAYTHROUGHS[name])
    seats = sizes.pop("players", 2)
    played = process(name, seats, sizes, listed=True)
    positions = list(walk(played, 6, 5_000))
    assert 0 < len(positions) < 5_000


def race(noise: int = 0, **options: Any) -> tuple[Kakerlaken, Any]:
    """Open the first race of a game of three in which seat 0 rolls."""
    played = process("kakerlaken", 3, {"noise": noise, "starter": 0} | options)
    assert isinstance(played, Kakerlaken)
    position = played.happen(played.begin(), 0)
    return played, played.happen(position, 0)  # red chopsticks


RIGHT, WRONG = 1, 2


def test_who_acts_at_an_earlier_tick_is_quicker() -> None:
    """[K9] in ticks; a wrong slap, even a quicker one, gains nothing."""
    played, position = race()
    position = played.act(position, {0: WRONG, 1: WAIT, 2: WAIT})
    assert position.tick == 1
    assert played.deciders(position) == (1, 2)
    position = played.act(position, {1: WAIT, 2: RIGHT})
    assert position.state.last.seat == 2, "it is decided, so it is over [K8]"
    first, second, third = position.state.last.deeds
    assert (first.at, second, third.at) == (0.0, None, 100.0)


def test_at_the_same_tick_the_rollers_left_is_quicker() -> None:
    """[K7]."""
    played, position = race()
    position = played.act(position, {0: RIGHT, 1: RIGHT, 2: RIGHT})
    assert position.state.last.seat == 1


def test_noise_delays_hands() -> None:
    played, position = race(noise=2)
    position = played.act(position, {0: RIGHT, 1: RIGHT, 2: WAIT})
    assert played.chances(position) == evenly(3)
    assert not played.deciders(position)
    position = played.happen(played.happen(position, 1), 2)
    assert played.deciders(position) == (2,)
    assert played.progress(position, 0).moving
    assert not played.progress(position, 2).moving
    position = played.act(position, {2: WAIT})
    assert position.state.last.seat == 0
    first, second, _ = position.state.last.deeds
    assert (first.at, second) == (100.0, None), "the other hand comes too late to matter [K8]"


def test_a_race_ends_when_its_time_is_up() -> None:
    """[K8], and nobody right: the next player rolls [K11]."""
    played, position = race(race_ms=1000, tick_ms=400)
    for _ in range(3):
        assert played.deciders(position) == (0, 1, 2)
        position = played.act(position, dict.fromkeys(range(3), WAIT))
    assert position.state.last.outcome == "nobody_right"
    assert position.state.roller == 1
    assert played.nature_moves(position)


def test_who_grabs_late_may_still_name() -> None:
    """[K13]: the naming time runs from the grab, past the end of the race."""
    played, position = race(race_ms=1000, naming_ms=2000, tick_ms=1000)
    position = played.act(position, {0: RIGHT, 1: WRONG, 2: WRONG})
    position = played.happen(position, 0)  # the same roll again: now it lies before seat 0
    position = played.act(position, {0: WAIT, 1: WAIT, 2: WAIT})
    position = played.act(position, {0: GRAB + 1, 1: WAIT, 2: WAIT})
    assert (position.tick, played.deciders(position)) == (2, (0,)), "the others are too late [K8]"
    in_time = played.act(played.act(position, {0: WAIT}), {0: GRAB + 2})
    assert in_time.state.last.outcome == "coin_for_owner"
    late = played.act(played.act(position, {0: WAIT}), {0: WAIT})
    assert late.state.last.outcome == "owner_erred"


def test_a_hand_that_comes_after_its_time_does_nothing() -> None:
    """[K8]: the race stays open for a name, not for deeds."""
    played, position = race(noise=2, race_ms=1000, naming_ms=3000, tick_ms=1000)
    position = played.act(position, {0: RIGHT, 1: WAIT, 2: WAIT})
    position = played.happen(played.happen(position, 0), 0)  # red chopsticks lie before seat 0
    position = played.act(position, {0: GRAB + 1, 1: WAIT, 2: WAIT})
    position = played.happen(position, 0)
    position = played.act(position, {0: WAIT, 1: GRAB, 2: WAIT})
    position = played.happen(position, 2)
    while position.tick < 3:
        assert played.progress(position, 1).moving
        position = played.act(position, {0: WAIT})
    assert position.state.deeds[1] is None
    ended = played.happen(played.act(position, {0: GRAB + 2}), 0)
    assert ended.state.last.outcome == "coin_for_owner"


def test_choices_made_at_once_are_not_seen() -> None:
    """[B7]: in turns, too, nobody sees what the others are about to lay."""
    shown = []
    for card in (0, -1):
        table = pettingzoo.env("buffet", 4)
        table.reset(seed=3)
        table.step(np.flatnonzero(table.last()[0]["action_mask"])[card])
        shown.append(table.last()[0]["observation"])
    assert (shown[0] == shown[1]).all()


def test_the_table_of_a_test_is_the_table_of_an_environment() -> None:
    """Seats count from one's own: the same table looks the same from every seat."""
    played = process("sushizock", 3)
    for starter in range(3):
        table = Table("sushizock", 3, starter=starter)
        table.nature("deal", sushi=[1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6],
                     bones=[-4, -3, -3, -2, -2, -2, -2, -1, -1, -1, -1, -1],
                     starter=starter)  # fmt: skip
        table.nature("roll", dice=["blue", "blue", "blue", "sushi", "bones"])
        table.do(starter, "take", row="sushi")
        table.nature("roll", dice=["blue", "blue", "blue", "sushi", "bones"])
        position = type(played.begin())(table.state)
        mover = (starter + 1) % 3
        assert played.labels[played.legal(position, mover)[-1]] == "steal sushi 1 from +2"
        seen = played.layout.parts(played.observe(position, mover))
        assert seen["sushi_heights"].tolist() == [0, 0, 1]
        assert seen["turn"].tolist() == [1, 0, 0]
