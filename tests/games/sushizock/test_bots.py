"""The bots of Sushizock: the turn is exact, memory is whole, and no seat sees more than its own."""

from collections.abc import Iterator
from functools import cache
from itertools import combinations, pairwise

import numpy as np
import pytest
from msgspec import convert
from msgspec.structs import replace
from research.figures import kept
from research.sushizock_endgames import Unsolved, solve_endgame

from tests.games.sushizock.brute import brute, difference, positions, random_states
from tests.memory import twins
from tischlein.bots import Turn, appraiser, bot_named, levels, turn_in_sight, turn_of
from tischlein.chance import Quick
from tischlein.game import NATURE, By
from tischlein.games.sushizock import rules as sushizock
from tischlein.games.sushizock.bots import turn as solver
from tischlein.games.sushizock.bots.memory import remember
from tischlein.games.sushizock.bots.search import ahead
from tischlein.games.sushizock.bots.table import board_of
from tischlein.games.sushizock.bots.value import net_for, value
from tischlein.games.sushizock.rules import Move, State
from tischlein.words import LANGUAGES, in_language

BOTS = (*levels(sushizock), "onepage")


@cache
def watched(seats: int, seed: str) -> tuple[tuple[State, Turn], ...]:
    """Play a random game and collect its decisions with all that the player may know."""
    rng, state, moves = Quick(seed), sushizock.start(seats), list[tuple[By, Move]]()
    found = []
    while movers := sushizock.to_move(state):
        by = movers[0]
        if by == NATURE:
            move = sushizock.draw(state, rng)
        else:
            told = turn_of(sushizock, state, list(moves), int(by))
            found.append((state, told))
            move = told.legal[rng.below(len(told.legal))]
        state = sushizock.play(state, by, move)
        moves.append((by, move))
    return tuple(found)


@pytest.mark.parametrize("part", range(4))
def test_the_solver_agrees_with_plain_enumeration(part: int) -> None:
    """All of a turn [S5] to [S18] at 400 positions, with made-up values of what follows."""
    assert max(map(difference, positions(100, f"part {part}"))) < 1e-9


def test_a_batch_gives_what_its_positions_give_to_the_last_bit() -> None:
    options = np.random.default_rng(1).random((16, 30))
    options[0] = solver.NEVER
    together = solver.solve(options)
    ends = solver.ends_of(together)
    for at in range(30):
        alone = solver.solve(options[:, at : at + 1])
        assert alone.worth[0] == together.worth[at]
        assert (solver.ends_of(alone)[:, 0] == ends[:, at]).all()
    assert (ends[1:] * options[1:]).sum(axis=0) == pytest.approx(together.worth)


SMALL = {
    "last bone, two seats": ((), (-1,), (((3,), (-2,)), ((2,), (-1,)))),
    "last sushi, two seats": ((4,), (), (((1,), (-1,)), ((5,), ()))),
    "one of each, two seats": ((2,), (-3,), (((3,), ()), ((), (-1,)))),
    "last bone, three seats": ((), (-2,), (((4,), ()), ((2,), (-1,)), ((), (-1,)))),
}


@pytest.mark.parametrize("name", SMALL)
def test_small_endgames_are_solved_outright_and_the_search_agrees(name: str) -> None:
    """What the search finds comes the closer to the solution the further it looks."""
    sushi, bones, piles = SMALL[name]
    board = board_of(sushi, bones, piles, 0)
    game = solve_endgame(board)
    off = [
        np.abs(ahead(value, turns)(board[None]) - game.value(board[None])).max()
        for turns in (1, 100, 10_000)
    ]
    assert off[-1] < 1e-4
    assert off[-1] <= off[0]


def test_a_solved_endgame_is_its_own_expectation() -> None:
    """By plain enumeration with the rules: nobody can do better in any of its positions."""
    sushi, bones, piles = SMALL["last bone, three seats"]
    game = solve_endgame(board_of(sushi, bones, piles, 0))
    options = sushizock.Options()

    def leaf(state: State) -> tuple[float, ...]:
        board = board_of(state.sushi, state.bones, state.piles, state.turn or 0)
        return tuple(np.roll(game.value(board[None])[0], state.turn or 0).tolist())

    state = State(3, options, sushi, bones, piles, 0)
    assert brute(state, leaf, {}) == pytest.approx(leaf(state), abs=1e-9)


def test_real_endgames_are_too_large_to_be_solved_outright() -> None:
    state = random_states(3, "long")[-2]
    board = board_of(state.sushi, state.bones, state.piles, state.turn or 0)
    with pytest.raises(Unsolved):
        solve_endgame(board, most=500)


@pytest.mark.parametrize("seats", sushizock.SEATS)
def test_chances_before_a_roll_are_the_average_of_those_after(seats: int) -> None:
    """So the luck of the dice is exact, and sums up."""
    appraise = appraiser(sushizock)
    for state in random_states(seats, f"luck {seats}")[::7]:
        shares = appraise(state)
        assert sum(shares) == pytest.approx(1)
        assert min(shares) >= 0
        rolls = sushizock.chances(state)
        if rolls:
            after = [
                float(chance) * np.array(appraise(sushizock.play(state, NATURE, roll)))
                for roll, chance in rolls
            ]
            assert sum(after) == pytest.approx(np.array(shares), abs=1e-10)


def test_no_keep_is_better_than_the_appraisal_and_one_is_as_good() -> None:
    appraise = appraiser(sushizock)
    for state, told in watched(3, "keep")[::9]:
        best = dict(bot_named(sushizock, "expert")(told, Quick(1)).worth)
        mine = appraise(state)[told.seat]
        assert mine == pytest.approx(max(best.values()), abs=1e-10)
        for move in told.legal:
            if isinstance(move, sushizock.Keep):
                after = appraise(sushizock.play(state, told.seat, move))[told.seat]
                assert after == pytest.approx(best[move], abs=1e-10)


def test_the_end_is_appraised_exactly() -> None:
    state = random_states(4, "end")[-1]
    won = sushizock.winners(state)
    shares = appraiser(sushizock)(state)
    assert shares == tuple((seat in won) / len(won) for seat in range(4))
    assert appraiser(sushizock)(sushizock.start(4)) == (0.25,) * 4


@pytest.mark.parametrize("seats", sushizock.SEATS)
def test_the_expert_remembers_every_covered_tile(seats: int) -> None:
    """[S19] What lies covered must be remembered: history tells all that was laid there."""
    for state, told in watched(seats, f"memory {seats}"):
        assert remember(told) == state


def test_who_came_late_does_not_remember() -> None:
    _, told = watched(3, "late")[-1]
    assert remember(replace(told, history=())) is None
    move = bot_named(sushizock, "expert")(replace(told, history=()), Quick(1)).move
    assert move in told.legal


def test_only_the_expert_uses_what_was_told_before() -> None:
    for _, told in watched(3, "told")[::11]:
        for level in BOTS:
            if level != "expert":
                bot = bot_named(sushizock, level)
                assert bot(told, Quick(5)) == bot(replace(told, history=()), Quick(5))


def other_worlds(told: Turn) -> Iterator[tuple[State, Turn]]:
    """Swap two sushi of the deal wherever that changes nothing that this seat can see now."""
    deal = told.history[0]
    for one, other in combinations(range(len(deal["sushi"])), 2):
        sushi = list(deal["sushi"])
        sushi[one], sushi[other] = sushi[other], sushi[one]
        history = [{**deal, "sushi": sushi}, *list(told.history)[1:]]
        state = remember(replace(told, history=history))
        if sushi != deal["sushi"] and state and sushizock.view(state, told.seat) == told.view:
            yield state, replace(told, history=history)


def test_the_expert_plays_by_what_lies_covered_and_the_others_do_not() -> None:
    """Two worlds that look the same now: only who remembers tells them apart [S19]."""
    _, told = next(pair for pair in reversed(watched(3, "worlds")) if len(pair[1].legal) > 3)
    worlds = [world for _, world in other_worlds(told)]
    assert worlds
    for level in BOTS:
        bot = bot_named(sushizock, level)
        answers = {bot(world, Quick(9)).worth for world in (told, *worlds)}
        assert (len(answers) > 1) == (level == "expert")


@pytest.mark.parametrize("level", BOTS)
def test_bots_answer_alike_when_asked_twice(level: str) -> None:
    bot = bot_named(sushizock, level)
    for _, told in watched(4, "twice")[::13]:
        assert bot(told, Quick(3)) == bot(told, Quick(3))


@pytest.mark.parametrize("level", BOTS)
@pytest.mark.parametrize("seats", sushizock.SEATS)
def test_bots_play_whole_games_and_say_why(level: str, seats: int) -> None:
    """Every move is legal, every reason has a sentence in every language."""
    bot, rng = bot_named(sushizock, level), Quick(7)
    state, moves = sushizock.start(seats), list[tuple[By, Move]]()
    while movers := sushizock.to_move(state):
        by = movers[0]
        if by == NATURE:
            move = sushizock.draw(state, rng)
        else:
            answer = bot(turn_of(sushizock, state, moves, int(by)), rng)
            assert answer.move is not None
            move = answer.move
            assert move in sushizock.legal(state, int(by))
            if answer.worth:
                assert answer.worth[0][0] == move
                assert len(answer.worth) == len(sushizock.legal(state, int(by)))
            for language in LANGUAGES:
                say = in_language(language, "sushizock")
                if answer.because:
                    assert say(f"because.{answer.because}", **answer.fields)
        state = sushizock.play(state, by, move)
        moves.append((by, move))
    assert sushizock.winners(state)


def test_the_weights_are_small() -> None:
    numbers = sum(layer.size for seats in sushizock.SEATS for layer in net_for(seats))
    assert 2 * numbers < 300_000


def test_each_level_is_above_the_one_below_and_medium_keeps_up_with_the_one_page_rule() -> None:
    """The figures that are kept: 95 % intervals exclude equal, for three and four players."""
    found = {(one["one"], one["others"], one["seats"]): one for one in kept("sushizock")["levels"]}
    names = list(levels(sushizock))
    for below, above in pairwise(names):
        for seats in (3, 4):
            duel = found[above, below, seats]
            assert duel["games"] >= 2000
            assert duel["share"] - 1.96 * duel["error"] > duel["fair"]
    for seats in (3, 4):
        duel = found["medium", "onepage", seats]
        assert duel["share"] + 1.96 * duel["error"] > duel["fair"]


@pytest.mark.parametrize("name", BOTS)
def test_an_adviser_knows_no_covered_tile(name: str) -> None:
    """[S19] Where only covered tiles differ, who is asked for advice is told and says the same."""
    pairs = [pair for pair in twins(3, 2) if pair is not None and pair.states[0].rolled]
    for pair in pairs[:: len(pairs) // 8]:
        seat = pair.states[0].turn or 0
        turns = [
            turn_in_sight(sushizock, state, moves, seat)
            for moves, state in zip(pair.moves, pair.states, strict=True)
        ]
        assert turns[0] == turns[1]
        here, there = (bot_named(sushizock, name)(turn, Quick(1)) for turn in turns)
        assert here == there
        assert here.move in turns[0].legal
        assert remember(turns[0]) is None


def test_advice_in_the_first_turn_is_the_experts_own() -> None:
    """Nothing lies covered yet, so nothing needs to be remembered."""
    state, told = watched(3, "advice")[0]
    moves = [(one["by"], convert(one, Move)) for one in told.history]
    turn = turn_in_sight(sushizock, state, moves, told.seat)
    expert = bot_named(sushizock, "expert")
    assert remember(turn) == state
    assert expert(turn, Quick(1)) == expert(told, Quick(1))
