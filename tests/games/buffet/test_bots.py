"""The bots for Schlacht am Buffet."""

from importlib.resources import files
from typing import Any

import numpy as np
import pytest
from msgspec import structs
from research.buffet_exploit import Small, evenly, exact_value, learned, nash_conv, regrets
from research.buffet_page import PAGE, page

from tischlein import game
from tischlein.bots import Answer, Bot, Chance, Turn, bot_named, turn_of
from tischlein.bots.arrays import Dice, Ints
from tischlein.chance import Quick
from tischlein.game import NATURE
from tischlein.games.buffet import rules as buffet
from tischlein.games.buffet.bots import appraise, matrix
from tischlein.games.buffet.bots.duel import (
    Duel,
    Solver,
    Stakes,
    guessed_duel,
    guessed_exploitability,
    race,
)
from tischlein.games.buffet.bots.memory import follow, imagine
from tischlein.games.buffet.bots.search import HARD, slopes
from tischlein.games.buffet.bots.worlds import LOWEST, NOBODY, Worlds
from tischlein.games.buffet.rules import FOODS, Deal, Exchange, Play, Shuffle, State
from tischlein.lab.simulate import ask_bots, play_game
from tischlein.words import catalogue


class Recorded(Worlds):
    """A batch of one table that tells the rules what it shuffles, as nature."""

    def shuffle(self, rows: Ints) -> None:
        super().shuffle(rows)
        cards = self.stock[rows[0], : self.size[rows[0]]] + LOWEST
        self.nature.append(Shuffle(tuple(int(card) for card in cards)))

    nature: list[Any]


def agree(worlds: Worlds, state: State) -> None:
    """Compare a packed table with the state of the rules, array by array."""
    packed = Worlds.of([state], Dice(0))
    for name in ("hands", "shown", "covered", "tops", "at", "inside", "token", "part", "round",
                 "laid", "exchanging", "over", "last"):  # fmt: skip
        if state.over and name in ("hands", "last", "inside"):
            continue
        assert (getattr(worlds, name) == getattr(packed, name)).all(), name
    stock = worlds.stock[0, worlds.top[0] : worlds.size[0]] + LOWEST
    assert tuple(stock) == state.stock
    left = [worlds.values[p] for p in worlds.plates[0, worlds.next_plate[0] :]]
    assert left == [value for _, value in state.plates]
    laid = worlds.buffet[0, : worlds.laid[0]]
    assert [(FOODS[p // 6], worlds.values[p]) for p in laid] == list(state.buffet)


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_quick_tables_play_by_the_rules(seats: int) -> None:
    """Whole random games over arrays and by the rules, compared after every reveal [B5]-[B22]."""
    values = (-3, 0, 2, 2, 4, 7)
    for seed in range(60):
        options: dict[str, Any] = {"plate_values": values} if seed % 3 == 2 else {}
        rng = np.random.default_rng(1000 * seats + seed)
        state = buffet.start(seats, options)
        worlds = Recorded(1, seats, state.options, Dice(seed))
        worlds.nature = []
        worlds.deal(np.arange(1))
        deck = tuple(int(card) for card in worlds.stock[0] + LOWEST)
        plates = tuple((FOODS[p // 6], int(worlds.values[p])) for p in worlds.plates[0])
        state = buffet.play(state, NATURE, Deal(deck, plates, int(worlds.token[0])))
        while not state.over:
            agree(worlds, state)
            step(worlds, state_moves := moves(worlds, rng))
            for by, move in state_moves:
                state = buffet.play(state, by, move)
                while state.movers == (NATURE,):
                    state = buffet.play(state, NATURE, worlds.nature.pop(0))
        agree(worlds, state)
        assert worlds.nature == []
        winners = buffet.winners(state)
        shares = [(seat in winners) / len(winners) for seat in range(seats)]
        assert worlds.shares(np.arange(1))[0].tolist() == shares


def moves(worlds: Worlds, rng: np.random.Generator) -> list[tuple[int, Any]]:
    """Draw legal moves; low cards often, so that mice are level and hands run out [B13]."""
    hands = [np.repeat(np.arange(-1, 10), hand) for hand in worlds.hands[0]]
    if (seat := int(worlds.exchanging[0])) != NOBODY:
        given = hands[seat][rng.random(len(hands[seat])) < rng.random()]
        return [(seat, Exchange(tuple(int(card) for card in given)))]
    alike = rng.random() < 0.5
    return [
        (seat, Play(int(hands[seat][0] if alike else rng.choice(hands[seat]))))
        for seat in range(worlds.seats)
        if worlds.inside[0, seat]
    ]


def step(worlds: Worlds, made: list[tuple[int, Any]]) -> None:
    """Make the moves on the packed table."""
    row = np.arange(1)
    move = made[0][1]
    if isinstance(move, Exchange):
        given = np.bincount(np.array(move.cards, int) + 1, minlength=11)
        worlds.exchange(row, given[None, :])
    else:
        cards = np.zeros((1, worlds.seats), int)
        for seat, played in made:
            cards[0, seat] = played.card - LOWEST
        worlds.play(row, cards)


def test_known_matrix_games_are_solved() -> None:
    """Matching pennies, paper-scissors-stone, a saddle point, and one with a dominated row."""
    cases: list[tuple[list[list[float]], float]] = [
        ([[1, -1], [-1, 1]], 0.0),
        ([[0, -1, 1], [1, 0, -1], [-1, 1, 0]], 0.0),
        ([[3, 1], [0, -2]], 1.0),
        ([[2, -3], [-3, 4], [-9, -9]], -1 / 12),
        ([[5]], 5.0),
    ]
    for rows, value in cases:
        payoff = np.array(rows, float)
        found = matrix.solve(payoff)
        assert found.value == pytest.approx(value, abs=1e-9)
        assert matrix.exploitability(payoff, found.rows, found.columns) < 1e-9


def test_random_matrix_games_are_solved_exactly() -> None:
    rng = np.random.default_rng(5)
    for _ in range(300):
        shape = rng.integers(1, 12, 2)
        payoff = (
            np.round(rng.normal(0, 3, shape)) if rng.random() < 0.5 else rng.normal(0, 1, shape)
        )
        found = matrix.solve(payoff)
        assert matrix.exploitability(payoff, found.rows, found.columns) < 1e-9
        assert found.rows.min() >= 0
        assert found.columns.min() >= 0
        assert found.value == pytest.approx(found.rows @ payoff @ found.columns, abs=1e-9)


def test_regrets_lead_to_the_value_of_the_game() -> None:
    """The theory promises at most a constant over the square root of the rounds."""
    rng = np.random.default_rng(6)
    for _ in range(5):
        payoff = rng.uniform(0, 1, (9, 9))
        near, told = matrix.regret_matching(payoff, 4096)
        assert near.value == pytest.approx(matrix.solve(payoff).value, abs=1e-3)
        for rounds, off in told:
            assert off <= 2 * np.sqrt(9 / rounds)
        assert told[-1][1] < told[6][1] / 8


def some_hand(rng: np.random.Generator, size: int) -> tuple[int, ...]:
    return tuple(sorted(int(card) for card in rng.choice(np.array(buffet.CARDS), size, False)))


def test_duels_with_open_hands_are_solved_exactly() -> None:
    """The last two mice, levels played again [B12]: nobody can gain against these mixes."""
    rng = np.random.default_rng(7)
    for _ in range(40):
        keep = tuple(0.02 * card for card in range(11)) if rng.random() < 0.5 else ()
        solver = Solver(Stakes(keep))
        mine, theirs = (some_hand(rng, size) for size in rng.integers(1, 7, 2))
        duel = Duel(mine, theirs, ahead=int(rng.integers(-4, 5)))
        assert abs(solver.exploitability(duel)) < 1e-6


def test_duels_have_the_value_that_everybody_sees() -> None:
    solver = Solver()
    assert solver.solve(Duel((9,), (8,))).solution.value == pytest.approx(1)
    assert solver.solve(Duel((3,), (8,), ahead=4)).solution.value == pytest.approx(0)
    assert solver.solve(Duel((5, 2), (5, 2))).solution.value == pytest.approx(0.5)
    twice = solver.solve(Duel((9, 9), (9, 1))).solution  # level, then 9 against 1
    assert twice.value == pytest.approx(1)


def test_guessed_duels_are_nearly_unexploitable() -> None:
    rng = np.random.default_rng(8)
    hands = [np.stack([np.bincount(np.array(some_hand(rng, 5)) + 1, minlength=11)
                       for _ in range(30)]) for _ in range(2)]  # fmt: skip
    payoffs = (race(2), race(-2))
    mixes = guessed_duel(hands, payoffs, 3000)
    off = guessed_exploitability(hands, payoffs, mixes)
    assert 0 <= off < 1e-3


def test_slopes_are_those_of_least_squares() -> None:
    """Also where all have won, or all laid the same card: then as small as can be."""
    rng = np.random.default_rng(9)
    some = rng.integers(0, 2, 60), rng.integers(0, 11, 60)
    shares = 0.2 + 0.4 * some[0] - 0.02 * some[1] + 0.1 * rng.random(60)
    for won, card in (some, (np.ones_like(some[0]), some[1]), (some[0], np.full(60, 4)),
                      (np.zeros(60, np.int64), np.full(60, 4))):  # fmt: skip
        columns = np.stack([np.ones(60), won, card], 1)
        wanted = np.linalg.lstsq(columns, shares, rcond=None)[0]
        assert slopes(won, card, shares) == pytest.approx(wanted[1:], abs=1e-5)
    nothing = np.zeros(0, np.int64)
    assert slopes(nothing, nothing, np.zeros(0)) == (0.0, 0.0)


def turns_of(level: str, seats: int, seed: str, options: dict[str, Any]) -> list[Turn]:
    """Play a game, and give every turn in it; each answer is legal, reasoned and in range."""
    turns = []
    bot = bot_named(buffet, level)

    def ask(turn: Turn, rng: Chance) -> Answer:
        turns.append(turn)
        answer = bot(turn, rng)
        assert answer.move in turn.legal
        if level != "easy":
            assert f"buffet.because.{answer.because}" in catalogue("en")
            catalogue("en")[f"buffet.because.{answer.because}"].format(**answer.fields)
        shares = [share for _, share in answer.worth]
        assert all(0 <= share <= 1 for share in shares)
        assert shares == sorted(shares, reverse=True)
        assert {move for move, _ in answer.worth} <= set(turn.legal)
        return answer

    play_game(buffet, ask, [level] * seats, options, seed)
    return turns


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
@pytest.mark.parametrize("level", ["easy", "medium", "hard", "expert*0.05"])
def test_bots_play_whole_games_and_answer_the_same_turn_alike(level: str, seats: int) -> None:
    options = {"plate_values": (-99, -2, 0, 3, 3, 99)} if seats == 4 else {}
    turns = turns_of(level, seats, f"whole {seats}", options)
    bot = bot_named(buffet, level)
    for turn in turns[:: len(turns) // 6]:
        assert bot(turn, Quick(3)) == bot(turn, Quick(3))


def duel_for(plate: int, mine: int) -> State:
    """Make the last duel of a game: seat 0 and seat 1 for one cheese, of which seat 0 has one."""
    dealt = buffet.play(buffet.start(4), NATURE, buffet.draw(buffet.start(4), Quick(1)))
    taken = [("cheese", plate), ("cheese", mine)]
    rest = [p for p in buffet.all_plates(dealt.options) if p not in taken]
    theirs = tuple(tuple(v for f, v in rest[::-1] if f == food) for food in FOODS)
    stacks = (((mine,), *[()] * 5), ((),) * 6, theirs, ((),) * 6)
    hands = ((-1, 1, 4, 6, 9), (0, 2, 5, 7, 8), (3,), (3,))
    used = [card for hand in hands for card in hand]
    return structs.replace(
        dealt, inside=(0, 1), movers=(0, 1), buffet=(("cheese", plate),), plates=(),
        stacks=stacks, hands=hands, stock=tuple(game.without(buffet.CARDS, used)),
    )  # fmt: skip


@pytest.mark.parametrize("level", ["medium", "hard", "expert"])
def test_nobody_covers_a_five_with_a_minus_one(level: str) -> None:
    """Of the last two the one ahead must take the plate [B12], which covers the old one [B17]."""
    bot = bot_named(buffet, level)
    for plate, mine, wants in ((-1, 5, False), (5, -1, True)):
        turn = turn_of(buffet, duel_for(plate, mine), [], 0)
        turn = structs.replace(turn, history=())
        cards = [answer_to(bot, turn, seed) for seed in range(20)]
        good = sum(card >= 6 if wants else card <= 1 for card in cards)
        assert good >= 17, cards


def answer_to(bot: Bot, turn: Turn, seed: int) -> int:
    move = bot(turn, Quick(seed)).move
    assert isinstance(move, Play)
    return move.card


@pytest.mark.parametrize("seats", [3, 5])
def test_appraisals_sum_to_one_and_end_in_the_result(seats: int) -> None:
    bot = bot_named(buffet, "medium")
    played = play_game(buffet, ask_bots([bot] * seats), ["x"] * seats, {}, "appraise")
    for state in [*played.states[::9], played.states[0], played.state]:
        shares = appraise(state)
        assert sum(shares) == pytest.approx(1, abs=1e-9)
        assert appraise(state) == shares
        assert min(shares) >= 0
    won = played.outcome().winners
    assert shares == tuple((seat in won) / len(won) for seat in range(seats))


@pytest.mark.parametrize("seats", [3, 4, 6])
def test_memory_follows_the_game_and_its_worlds_hold_every_card_once(seats: int) -> None:
    bots = [bot_named(buffet, "medium")] * seats
    played = play_game(buffet, ask_bots(bots), ["x"] * seats, {}, f"memory {seats}")
    dice = Dice(0)
    for number, state in list(enumerate(played.states))[5::7]:
        movers = buffet.to_move(state)
        if not movers or movers[0] == NATURE:
            continue
        turn = turn_of(buffet, state, played.moves[:number], int(movers[-1]))
        laid = [card is not None for card in state.played]
        sizes = [len(hand) + down for hand, down in zip(state.hands, laid, strict=True)]
        assert follow(turn).sizes == sizes
        worlds = imagine(turn, 8, dice)
        assert (worlds.hands.sum(2) == sizes).all()
        assert (worlds.hands >= 0).all()
        for row in range(8):
            stock = np.bincount(worlds.stock[row, : worlds.size[row]], minlength=11)
            whole = worlds.hands[row].sum(0) + worlds.shown[row] + worlds.covered[row] + stock
            assert (whole == 10).all()
        own = np.bincount(np.array(state.hands[turn.seat]) + 1, minlength=11)
        assert (worlds.hands[:, turn.seat] == own).all()


def test_cards_shuffled_are_not_in_hands_held_since() -> None:
    """Once a discard pile is shuffled, hands that nobody has filled since hold none of it [B15]."""
    found = 0
    for seed in range(40):
        bots = [bot_named(buffet, "random")] * 4
        played = play_game(buffet, ask_bots(bots), ["x"] * 4, {}, f"held {seed}")
        at = [n for n, (_, move) in enumerate(played.moves) if isinstance(move, Shuffle)]
        if not at:
            continue
        before, after = played.states[at[0]], played.states[at[0] + 1]
        movers = buffet.to_move(after)
        turn = turn_of(buffet, after, played.moves[: at[0] + 1], int(movers[0]))
        stale = [s for s in range(4) if before.hands[s] == after.hands[s] and s != turn.seat]
        face_up = np.bincount([c + 1 for c, up in before.discard if up], minlength=11)
        left = 10 - face_up
        worlds = imagine(turn, 200, Dice(seed))
        old = worlds.hands[:, stale].sum(1)
        assert (old <= left).all()
        found += bool(stale) and bool((left < 3).any())
    assert found >= 3


TINY = Small("two mice, two cards of three values", 2, (1, 1, 4, 4, 8, 8), 2, (("cheese", 5),))


def test_exploitability_of_a_tiny_last_round() -> None:
    """Regrets and the linear program find the same value; the learned player is near to it."""
    assert exact_value(TINY) == pytest.approx(0.5, abs=1e-9)  # both mice are in the same position
    careless, solved = nash_conv(TINY, evenly), nash_conv(TINY, regrets(TINY, 60))
    assert 0 <= solved < 0.005 < careless
    assert nash_conv(TINY, learned(TINY, HARD, 1)) < careless / 2


def test_the_page_says_what_was_measured() -> None:
    assert PAGE.read_text(encoding="utf-8") == page()


def test_the_weights_are_small() -> None:
    assert len(files("tischlein.games.buffet.bots").joinpath("weights.npz").read_bytes()) < 300_000
