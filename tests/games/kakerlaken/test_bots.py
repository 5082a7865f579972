"""Bots of Kakerlaken Sushi: human hands, and good sense when not to use them."""

from itertools import pairwise
from math import sqrt
from typing import Any

import pytest
from msgspec.structs import replace
from research.figures import kept
from research.kakerlaken_figures import adult, races_won

from tests.tables import random_game
from tischlein.bots import Turn, turn_of
from tischlein.bots.coach import teach
from tischlein.chance import Quick
from tischlein.game import NATURE
from tischlein.games import game_named
from tischlein.games.kakerlaken import rules as kakerlaken
from tischlein.games.kakerlaken.bots import LEVELS, appraise
from tischlein.games.kakerlaken.bots.chances import (
    moved,
    odds,
    shares,
    table_of,
    with_coin,
    with_tile,
)
from tischlein.games.kakerlaken.bots.deciding import Rival, fine_chance, grabbing, rivals_met
from tischlein.games.kakerlaken.bots.hands import (
    EASY,
    EXPERT,
    HARD,
    MEDIUM,
    QUICKEST,
    QUICKEST_NAME,
    Hand,
    at_plates,
    average,
    chance_by,
    first_chances,
    reaction,
)
from tischlein.games.kakerlaken.bots.levels import human
from tischlein.games.kakerlaken.rules import (
    MOST_TILES,
    THIEF_OF,
    TILES,
    Deal,
    Give,
    Grab,
    Name,
    Roll,
    Slap,
    State,
)
from tischlein.lab.places import HERE
from tischlein.lab.simulate import ask_bots, play_game
from tischlein.lab.tournament import Setup, hold

RULES = game_named("kakerlaken")
HANDS = {"easy": EASY, "medium": MEDIUM, "hard": HARD, "expert": EXPERT}


def table(
    coins: tuple[int, ...], tiles: tuple[int, ...] = (), roll: int | None = None, **options: Any
) -> State:
    """Set a table: coins of each seat, tiles dealt out in order, and the tile that is rolled.

    Its options may have times that no real table allows.
    """
    state = replace(kakerlaken.start(len(coins)), options=kakerlaken.Options(**options))
    state = kakerlaken.play(state, NATURE, Deal(TILES, 0))
    owners: list[int | None] = [seat for seat, many in enumerate(tiles) for _ in range(many)]
    owners += [None] * (len(TILES) - len(owners))
    state = replace(state, coins=coins, owners=tuple(owners))
    return state if roll is None else kakerlaken.play(state, NATURE, Roll(*TILES[roll]))


def turn_at(state: State, seat: int, history: Any = ()) -> Turn:
    return replace(turn_of(RULES, state, [], seat), history=history)


@pytest.mark.parametrize("name", HANDS)
def test_times_are_ex_gaussian(name: str) -> None:
    """Mean, spread and skew of many draws are those of a normal part and an exponential tail."""
    hand, rng, n = HANDS[name], Quick(name), 20_000
    times = [reaction(rng, hand) for _ in range(n)]
    mean = sum(times) / n
    spread = sqrt(hand.spread**2 + hand.tail**2)
    assert mean == pytest.approx(average(hand), abs=4 * spread / sqrt(n))
    found = sqrt(sum((time - mean) ** 2 for time in times) / n)
    assert found == pytest.approx(spread, rel=0.05)
    skew = sum((time - mean) ** 3 for time in times) / n / found**3
    assert skew == pytest.approx(2 * (hand.tail / spread) ** 3, abs=0.2)
    for at in (600.0, 900.0, 1500.0):
        chance = sum(time <= at for time in times) / n
        assert chance == pytest.approx(chance_by(hand, at), abs=0.02)


def test_nobody_is_quicker_than_a_human_can_be() -> None:
    rng = Quick(1)
    assert QUICKEST > 231, "a mere reaction, without reading anything"
    lightning = Hand(mean=10, spread=1, tail=1, slip=0)
    assert {reaction(rng, lightning) for _ in range(50)} == {QUICKEST}
    for level in ("easy", "medium", "hard", "expert"):
        for state in (table((0, 0, 0), roll=0), table((1, 1, 1), (2, 2), roll=0)):
            moves = [LEVELS[level](turn_at(state, 1), Quick(seed)).move for seed in range(200)]
            assert min(getattr(move, "at", QUICKEST) for move in moves) >= QUICKEST
    grabbed = kakerlaken.play(table((1, 1), (2, 2), roll=0), 0, Grab(True, 500.0))
    for level in ("medium", "hard", "expert"):
        names = [LEVELS[level](turn_at(grabbed, 0), Quick(seed)).move for seed in range(200)]
        assert all(isinstance(move, Name) for move in names)
        assert min(getattr(move, "at", 0.0) for move in names) >= 500.0 + QUICKEST_NAME


def test_each_level_has_a_better_hand_than_the_one_below() -> None:
    hands = list(HANDS.values())
    for lower, higher in pairwise(hands):
        assert average(at_plates(higher)) < average(at_plates(lower))
        assert higher.slip < lower.slip


@pytest.mark.parametrize("side", ["plates", "thieves"])
def test_an_average_adult_wins_about_half_the_races_against_medium(side: str) -> None:
    """The adult is made from published figures alone, the bot from its own numbers."""
    known = kept("kakerlaken")["adult_against_medium"][side]
    assert abs(known["mean"] - 0.5) < 0.02
    found = races_won(adult(), MEDIUM, 4000, "another seed", plates=side == "plates")
    assert abs(found.mean - known["mean"]) < 4 * found.error
    assert races_won(adult(), EXPERT, 4000, "x", plates=side == "plates").mean < 0.45
    assert races_won(adult(), EASY, 4000, "x", plates=side == "plates").mean > 0.55


def test_the_chance_to_be_first_agrees_with_many_races() -> None:
    hands, acting, rng = (MEDIUM, EASY, EXPERT), (1.0, 0.7, 0.9), Quick(5)
    wins = [0, 0, 0]
    for _ in range(8000):
        times = [
            reaction(rng, hand) if rng.uniform() < acts else 9e9
            for hand, acts in zip(hands, acting, strict=True)
        ]
        wins[times.index(min(times))] += 1
    for won, chance in zip(wins, first_chances(hands, acting), strict=True):
        assert won / 8000 == pytest.approx(chance, abs=0.02)


def deeds(level: str, state: State, seat: int) -> list[Any]:
    """Let a bot answer the same race many times."""
    return [LEVELS[level](turn_at(state, seat), Quick(seed)) for seed in range(60)]


@pytest.mark.parametrize("level", ["medium", "hard", "expert"])
def test_the_right_deed_is_known(level: str) -> None:
    """Slap what lies in the middle [K9], squeak for one's own [K14], do not for others' [K16]."""
    slaps = [answer.move for answer in deeds(level, table((0, 0, 0), roll=4), 1)]
    assert sum(isinstance(m, Slap) and m.tile == TILES[4] for m in slaps) > 40
    own = [answer.move for answer in deeds(level, table((0, 0, 0), (1, 2), roll=1), 1)]
    assert sum(isinstance(m, Grab) and m.squeak for m in own) > 40
    others = [answer.move for answer in deeds(level, table((0, 0, 0), (1, 2), roll=0), 1)]
    assert sum(isinstance(m, Grab) and not m.squeak for m in others) > 40
    grabbed = kakerlaken.play(table((0, 0), (1, 2), roll=0), 1, Grab(False, 700.0))
    answers = deeds(level, grabbed, 1)
    assert [answer.move.thief for answer in answers].count(THIEF_OF[TILES[0]]) > 50
    (best, most), (_, less), (_, least) = answers[0].worth
    assert best == Name(THIEF_OF[TILES[0]])
    assert most > less == least


@pytest.mark.parametrize("level", ["hard", "expert"])
def test_when_not_to_grab(level: str) -> None:
    """Where there is no time to name the thief, a grab only helps the owner [K13] [K17]."""
    state = table((1, 1, 3), (2, 2, 2), roll=5, naming_ms=300)
    assert state.owners[5] == 2
    for answer in deeds(level, state, 0):
        assert answer.move is None
        assert answer.because == "wait"
        worth = dict(answer.worth)
        assert worth[None] > worth[Grab(False)] > worth[Grab(True)]
        assert len(worth) == 1 + len(RULES.legal(state, 0))
    usual = table((1, 1, 3), (2, 2, 2), roll=5)
    assert all(isinstance(answer.move, Grab) for answer in deeds(level, usual, 0))
    assert {answer.move for answer in deeds("medium", usual, 0)} > {None}, (
        "a person is shy at times"
    )


def test_an_owner_leaves_the_mistake_to_the_others() -> None:
    """Where nobody can name in time, another's grab brings the coin, one's own nothing [K15]."""
    state = table((1, 1, 3), (2, 2, 2), roll=5, naming_ms=300)
    assert {answer.because for answer in deeds("expert", state, 2)} == {"wait"}
    usual = table((1, 1, 3), (2, 2, 2), roll=5)
    assert "wait" not in {answer.because for answer in deeds("expert", usual, 2)}


def test_a_sixth_tile_is_still_slapped_away_from_the_others() -> None:
    """It goes back to the middle [K19], so nobody else has it."""
    state = table((1, 1), (MOST_TILES, 0), roll=7)
    for answer in deeds("hard", state, 0):
        assert isinstance(answer.move, Slap | Grab)
        worth = dict(answer.worth)
        assert worth[Slap(TILES[7])] > worth[None] == worth[Slap(TILES[8])] > worth[Grab(False)]


def test_any_tile_may_go_back() -> None:
    """All rolls are equally likely, so all tiles are worth the same [K10]."""
    state = replace(table((1, 1), (3, 2)), owing=(0,), movers=(0,))
    answers = deeds("expert", state, 0)
    assert {answer.move for answer in answers} == {Give(tile) for tile in TILES[:3]}
    assert {share for answer in answers for _, share in answer.worth} == {appraise(state)[0]}
    assert {answer.because for answer in answers} == {"give"}


def test_the_expert_knows_the_others_by_what_they_did() -> None:
    def roll(tile: int) -> dict[str, Any]:
        return {"by": NATURE, "do": "roll", "symbol": TILES[tile][0], "colour": TILES[tile][1]}

    history = []
    for _ in range(10):
        history += [roll(0), {"by": 0, "do": "slap", "tile": TILES[0], "at": 700.0}]
        history += [{"by": 1, "do": "slap", "tile": TILES[3], "at": 3000.0}]
    quick, slow, unknown = rivals_met(turn_at(table((0, 0, 0), roll=4), 2, history))
    assert average(quick.hand) < average(unknown.hand) < average(slow.hand)
    assert quick.errs < unknown.errs < slow.errs


def test_what_a_table_is_worth() -> None:
    even = appraise(table((1, 1, 1), (2, 2, 2)))
    assert even == pytest.approx((1 / 3,) * 3)
    ahead = appraise(table((3, 1, 1), (2, 2, 2)))
    assert ahead[0] > 0.5
    assert appraise(table((1, 1, 1), (3, 2, 2)))[0] > 1 / 3
    assert appraise(table((4, 3, 1))) == (1.0, 0.0, 0.0)


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_more_is_worth_more(seats: int) -> None:
    strength = odds(seats).strength
    for coins in range(4):
        for tiles in range(MOST_TILES + 1):
            assert tiles == 0 or strength[coins][tiles] > strength[coins][tiles - 1]
            assert coins == 0 or strength[coins][tiles] > strength[coins - 1][tiles]


def test_a_race_is_worth_what_it_may_bring() -> None:
    """Before the roll, after it, after a grab, and once the thief is named."""
    state = table((1, 2, 1), (2, 2, 2), roll=0)
    before = table_of(state)
    coin, stolen = shares(with_coin(before, 0)), shares(moved(before, 0, 1))
    assert shares(before)[0] < appraise(state)[0] < coin[0]
    grabbed = kakerlaken.play(state, 0, Grab(True, 500.0))
    assert appraise(state)[0] < appraise(grabbed)[0] < coin[0]
    right = kakerlaken.play(grabbed, 0, Name(THIEF_OF[TILES[0]], 900.0))
    assert appraise(right) == pytest.approx(coin)
    silent = kakerlaken.play(state, 0, Grab(False, 500.0))
    assert appraise(silent) == pytest.approx(shares(with_tile(before, 0, -1)))
    thief = kakerlaken.play(state, 1, Grab(False, 400.0))
    thief = kakerlaken.play(thief, 1, Name(THIEF_OF[TILES[0]], 900.0))
    assert appraise(thief) == pytest.approx(stolen)
    slapped = kakerlaken.play(table((1, 2, 1), (1, 1, 1), roll=8), 2, Slap(TILES[8], 700.0))
    assert appraise(slapped) == pytest.approx(shares(((1, 1), (2, 1), (1, 2))))


def test_what_nobody_grabs_for_is_lost() -> None:
    """[K18]: whoever leaves their own tile to the others loses it at best."""
    before = table_of(table((1, 2), (2, 2), roll=0))
    never = grabbing(before, (MEDIUM, MEDIUM), (0.1, 0.1), (0.0, 0.0), 0, 3000.0)
    assert never == pytest.approx(shares(with_tile(before, 0, -1)))
    slapped = kakerlaken.play(table((1, 2), (2, 2), roll=0), 0, Slap(TILES[8], 400.0))
    assert appraise(slapped)[0] <= never[0]


def test_only_the_first_of_several_wrong_grabs_is_fined() -> None:
    """[K8] [K10]: and none that comes after a right slap."""
    state = table((1, 1, 1), (2, 2, 2), roll=8)
    before = table_of(state)
    for seat, at in ((0, 500.0), (1, 400.0)):
        state = kakerlaken.play(state, seat, Grab(False, at))
    worth = appraise(kakerlaken.play(state, 2, Slap(TILES[8], 450.0)))
    assert worth == pytest.approx(shares(with_tile(with_tile(before, 1, -1), 2, 1)))
    worth = appraise(kakerlaken.play(state, 2, Slap(TILES[8], 399.0)))
    assert worth == pytest.approx(shares(with_tile(before, 2, 1)))


def test_a_wrong_grab_is_feared_less_among_quick_hands() -> None:
    """[K10]: it is fined only when no right slap is quicker."""
    asked = turn_at(table((1, 1), (2, 2), roll=8), 0).view.circle[8]
    chances = [
        fine_chance(0, asked, MEDIUM, [Rival(MEDIUM, 0.0), Rival(hand, errs)])
        for hand, errs in ((EXPERT, 0.0), (EASY, 0.0), (EASY, 1.0))
    ]
    assert chances[0] < 0.5 < chances[1] < chances[2]
    assert chances[2] == pytest.approx(1.0, abs=1e-3)


@pytest.mark.parametrize("seats", [2, 5])
def test_a_roll_is_luck_that_evens_out(seats: int) -> None:
    """The mean of what the nine rolls are worth is nearly what the table was worth."""
    state = next(s for s, by, m, _ in random_game("kakerlaken", seats, 3) if sum(s.coins) >= 3
                 and s.roll is None and not s.owing)  # fmt: skip
    ends = [appraise(RULES.play(state, NATURE, roll)) for roll, _ in RULES.chances(state)]
    for seat, share in enumerate(appraise(state)):
        assert sum(end[seat] for end in ends) / len(ends) == pytest.approx(share, abs=0.01)


def test_what_is_appraised_comes_true() -> None:
    """Among equal players, each fifth of the shares wins about as often as was thought."""
    for seats, found in kept("kakerlaken")["equals"].items():
        for share, miss in found["wins_less_appraised"].items():
            assert abs(miss["mean"]) < 0.03 + 3 * miss["error"], (seats, share)


def test_each_level_is_above_the_one_below() -> None:
    """A short tournament with two and four seats."""
    levels = ("random", "easy", "medium", "hard", "expert")
    setup = Setup("kakerlaken", levels, (2, 4), 32, "levels", pairs="next", mixed=False)
    result = hold(setup, HERE, lambda done: None)
    for shown in result.tables:
        for duel in shown.duels:
            if levels.index(duel.who) > levels.index(duel.against):
                assert duel.both.mean > 0.5, (shown.seats, duel)
    assert [r.who for r in sorted(result.ratings, key=lambda r: r.points)] == list(levels)


def test_the_kept_tournament_has_every_level_above_the_one_below() -> None:
    for seats, duels in kept("kakerlaken")["levels"].items():
        assert set(duels) == {"easy", "medium", "hard", "expert"}
        for level, duel in duels.items():
            assert duel["games"] >= 2000
            assert duel["both"]["mean"] - 1.96 * duel["both"]["error"] > 0.5, (seats, level)


def test_a_hand_slips_as_often_as_it_says() -> None:
    clumsy = human(replace(MEDIUM, slip=0.5, hesitates=0.0))
    state = table((0, 0), roll=4)
    wrong = [clumsy(turn_at(state, 0), Quick(seed)).move for seed in range(400)]
    assert 150 < sum(map(slipped, wrong)) < 250
    assert any(isinstance(move, Grab) for move in wrong), "the master by mistake [K10]"


def slipped(move: Any) -> bool:
    """Say whether a deed is not the slap that was asked for."""
    return not (isinstance(move, Slap) and move.tile == TILES[4])


def test_the_coach_finds_the_slips_of_a_race() -> None:
    """The luck ledger sums to the result, and what a clumsy player does wrong is told."""
    bots = [LEVELS["expert"], LEVELS["random"]]
    played = play_game(RULES, ask_bots(bots), ["Ada", "Ben"], {}, "coached")
    lesson = teach(played)
    for account in lesson.ledger:
        parts = account.start + account.luck + account.own + account.others
        assert parts == pytest.approx(account.share)
    assert any(decision.is_mistake for decision in lesson.decisions if decision.seat == 1)
