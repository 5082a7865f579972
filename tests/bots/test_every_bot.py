"""What must hold for every bot of every game: the conformance suite of the bots."""

import pickle
from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.tables import ALL_TABLES, random_game
from tischlein import game_named
from tischlein.bots import Answer, Bot, Chance, Turn, bot_named, levels, turn_of
from tischlein.chance import Quick
from tischlein.game import NATURE, AnyGame, By
from tischlein.games import game_names
from tischlein.games.buffet import rules as buffet_rules
from tischlein.games.kakerlaken import rules as kakerlaken_rules
from tischlein.lab.simulate import Fault, play_game
from tischlein.words import LANGUAGES, catalogue

WEAKEST_FIRST = ("random", "easy", "medium", "hard", "expert")
QUICKER = {"hard": "hard*0.2", "expert": "expert*0.02"}
"""Bots that search answer here with less effort; how they answer is the same."""

ALL_BOTS = [(name, level) for name in game_names() for level in levels(game_named(name))]
every_bot = pytest.mark.parametrize(("name", "level"), ALL_BOTS)
seeds = st.integers(0, 2**32)

Moves = list[tuple[By, Any]]


def bot_here(rules: AnyGame, level: str) -> Bot:
    """Find a bot that does not take long."""
    return bot_named(rules, QUICKER.get(level, level))


@pytest.mark.parametrize("name", game_names())
def test_levels_are_known_and_weakest_first(name: str) -> None:
    found = list(levels(game_named(name)))
    assert found == [level for level in WEAKEST_FIRST if level in found]
    assert found[:2] == ["random", "easy"]


@pytest.mark.parametrize(
    ("name", "seats", "level"),
    [(name, seats, level) for name, seats in ALL_TABLES for level in levels(game_named(name))],
)
def test_bots_play_whole_games_by_the_rules_and_say_why(name: str, seats: int, level: str) -> None:
    rules, answers = game_named(name), []
    bot = bot_here(rules, level)

    def ask(turn: Turn, rng: Chance) -> Answer:
        answers.append((turn, bot(turn, rng)))
        return answers[-1][1]

    faults: list[Fault] = []
    played = play_game(rules, ask, [level] * seats, {}, f"conformance {level}", faults=faults)
    assert faults == []
    assert played.over
    for turn, answer in answers:
        check_reason(rules, answer)
        check_worth(turn, answer)


def check_reason(rules: AnyGame, answer: Answer) -> None:
    """Every reason can be said in every language, with what the answer tells."""
    if answer.because:
        for language in LANGUAGES:
            text = catalogue(language)[f"{rules.NAME}.because.{answer.because}"]
            assert "{" not in text.format(**answer.fields)


def check_worth(turn: Turn, answer: Answer) -> None:
    """What moves are worth is a share of the win, best first."""
    shares = [share for _, share in answer.worth]
    assert shares == sorted(shares, reverse=True)
    assert all(-1e-9 <= share <= 1 + 1e-9 for share in shares)


def situations(name: str, seats: int, seed: int) -> list[tuple[Any, Moves, int]]:
    """Find a few moments of a random game: the state, the moves before it, and who may move."""
    rules = game_named(name)
    moves: Moves = []
    found: list[tuple[Any, Moves, int]] = []
    for state, by, move, _ in random_game(name, seats, seed):
        for mover in rules.to_move(state):
            if mover != NATURE:
                found.append((state, list(moves), int(mover)))
        moves.append((by, move))
    return [found[at] for at in sorted({len(found) // 5, len(found) // 2, len(found) * 4 // 5})]


@every_bot
@settings(max_examples=3)
@given(seed=seeds)
def test_the_same_turn_and_seed_give_the_same_answer(name: str, level: str, seed: int) -> None:
    rules = game_named(name)
    bot = bot_here(rules, level)
    for state, moves, seat in situations(name, rules.SEATS[seed % len(rules.SEATS)], seed):
        turn = turn_of(rules, state, moves, seat)
        sent = pickle.loads(pickle.dumps(replace(turn, history=tuple(turn.history))))
        assert sent.history == tuple(turn.history)
        first = bot(turn, Quick(seed))
        assert bot(sent, Quick(seed)) == first
        assert bot(turn, Quick(seed)) == first


@every_bot
@settings(max_examples=3)
@given(seed=seeds)
def test_bots_see_no_more_than_their_seat(name: str, level: str, seed: int) -> None:
    """Where only what a seat cannot know differs, its turn and its answer are the same."""
    rules, rng = game_named(name), Quick(seed)
    bot = bot_here(rules, level)
    for here, moves, seat in situations(name, rules.SEATS[seed % len(rules.SEATS)], seed):
        there, others = elsewhere(rules, here, moves, seat, rng)
        turns = [turn_of(rules, here, moves, seat), turn_of(rules, there, others, seat)]
        told = [msgspec.json.encode(replace(turn, history=tuple(turn.history))) for turn in turns]
        assert told[0] == told[1]
        answers = [msgspec.json.encode(bot(turn, Quick(seed))) for turn in turns]
        assert answers[0] == answers[1]


def elsewhere(rules: AnyGame, here: Any, moves: Moves, seat: int, rng: Quick) -> tuple[Any, Moves]:
    """Give another state and other moves that look the same from a seat."""
    there = rules.imagine(rules.view(here, seat), rng)
    told = moves[: len(moves) - rules.in_secret(here)]
    return there, [(by, disguised(by, move, seat, rng)) for by, move in told] + secret(there)


def disguised(by: By, move: Any, seat: int, rng: Quick) -> Any:
    """Change what a seat is never told of a move: cards dealt, shuffled and exchanged."""
    match move:
        case buffet_rules.Deal():
            mine = range(seat * buffet_rules.HAND, (seat + 1) * buffet_rules.HAND)
            hidden = [card for at, card in enumerate(move.cards) if at not in mine]
            other = iter(mixed(hidden, rng))
            cards = tuple(c if at in mine else next(other) for at, c in enumerate(move.cards))
            return replace(move, cards=cards, plates=tuple(mixed(move.plates, rng)))
        case buffet_rules.Shuffle():
            return buffet_rules.Shuffle(tuple(mixed(move.cards, rng)))
        case buffet_rules.Exchange() if by != seat:
            return buffet_rules.Exchange(tuple(rng.below(9) for _ in move.cards))
    return move


def mixed(things: Sequence[Any], rng: Quick) -> list[Any]:
    """Give the same things in another order."""
    return [things[at] for at in sorted(range(len(things)), key=lambda _: rng.uniform())]


def secret(there: Any) -> Moves:
    """Give the latest moves, which nobody else is told yet, as that state has them."""
    if isinstance(there, buffet_rules.State):
        return [(s, buffet_rules.Play(c)) for s, c in enumerate(there.played) if c is not None]
    found: Moves = []
    if isinstance(there, kakerlaken_rules.State) and there.roll is not None:
        for seat, deed in enumerate(there.deeds):
            if deed is not None and deed.tile is not None:
                found.append((seat, kakerlaken_rules.Slap(deed.tile, deed.at)))
            elif deed is not None:
                found.append((seat, kakerlaken_rules.Grab(deed.squeak, deed.at)))
                if deed.thief is not None and deed.named_at is not None:
                    found.append((seat, kakerlaken_rules.Name(deed.thief, deed.named_at)))
    return found


def test_the_other_world_differs() -> None:
    """The leak test is worth something: what it hides does change."""
    rules, differing = game_named("buffet"), 0
    for here, moves, seat in situations("buffet", 4, 1):
        there, others = elsewhere(rules, here, moves, seat, Quick(1))
        differing += there != here and others[0] != moves[0]
    assert differing == 3


def appraisers() -> list[str]:
    """Find the games whose bots can say what a whole state is worth."""
    spec = "tischlein.bots.{}"
    return [
        name
        for name in game_names()
        if find_spec(spec.format(name)) and hasattr(import_module(spec.format(name)), "appraise")
    ]


@pytest.mark.parametrize(
    ("name", "seats"), [(name, seats) for name, seats in ALL_TABLES if name in appraisers()]
)
def test_states_are_appraised_in_shares_and_exactly_at_the_end(name: str, seats: int) -> None:
    rules = game_named(name)
    appraise = import_module(f"tischlein.bots.{name}").appraise
    states = [after for _, _, _, after in random_game(name, seats, seats)]
    for state in states[:: 1 + len(states) // 10]:
        shares = appraise(state)
        assert len(shares) == seats
        assert sum(shares) == pytest.approx(1, abs=1e-9)
        assert min(shares) >= 0
        assert appraise(state) == shares
    winners = rules.winners(states[-1])
    exact = tuple(1 / len(winners) if seat in winners else 0.0 for seat in range(seats))
    assert appraise(states[-1]) == exact
