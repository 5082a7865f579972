"""Kakerlaken Sushi without a clock [K24]: all that must hold for a game holds for it, too."""

from typing import Any, cast

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.games.kakerlaken.tables import GREEN_RICE, RED_CHOPSTICKS, RED_RICE, roll, table
from tests.tables import Table, position, random_game
from tischlein.bots import Answer, Chance, Turn, bot_named, turn_of
from tischlein.bots.coach import teach
from tischlein.bots.searcher import searcher
from tischlein.chance import Quick
from tischlein.conformance import CHECKS, any_move
from tischlein.game import NATURE, AnyGame, By, IllegalMove, traits
from tischlein.games import game_named
from tischlein.games.kakerlaken import news, rules, terminal
from tischlein.games.kakerlaken.bots import LEVELS, appraise
from tischlein.games.kakerlaken.rules import PASS, TILES, Grab, Name, Pass, Slap
from tischlein.lab.simulate import Fault, ask_bots, play_game
from tischlein.record import replay, write
from tischlein.terminal.talk import Talk
from tischlein.words import LANGUAGES, Tell, catalogue, in_language, worded

RULES = game_named("kakerlaken")
NAMES = ("Ada", "Bo", "Cleo")
SAY = in_language("en", "kakerlaken")
seeds = st.integers(0, 2**32)
every_table = pytest.mark.parametrize("seats", list(RULES.SEATS))


class CalmGame:
    """The game with the house rule, whoever sets the table."""

    def __getattr__(self, name: str) -> Any:
        return getattr(rules, name)

    def start(self, seats: int, options: dict[str, Any] | None = None) -> rules.State:
        """Give the empty table without a clock."""
        return rules.start(seats, {"calm": True, **(options or {})})


CALM = cast(AnyGame, CalmGame())


def told_of(state: Any, who: int | None) -> bytes:
    """Give all that a viewer is told of a state."""
    legal = [] if who is None else list(rules.legal(state, who))
    return msgspec.json.encode((rules.view(state, who), rules.waits_for(state, who), legal))


def told(at: Table, by: By, move: Any, tell: Tell = news.news) -> list[str]:
    """Play a move, and word what all are told of it."""
    before = at.state
    at.state = at.rules.play(at.state, by, move)
    return [worded(one, NAMES, SAY) for one in tell(before, by, move, at.state, None)]


@pytest.mark.parametrize("check", CHECKS)
@every_table
@settings(max_examples=4)
@given(seed=seeds)
def test_every_check_finds_nothing(seats: int, check: str, seed: int) -> None:
    assert next(CHECKS[check](CALM, seats, seed), None) is None


@every_table
@settings(max_examples=6)
@given(seed=seeds, young=st.booleans())
def test_games_end_and_nobody_waits_for_a_clock(seats: int, seed: int, young: bool) -> None:
    for before, by, move, after in random_game("kakerlaken", seats, seed, calm=True, young=young):
        assert rules.race(after) is None
        movers = rules.to_move(after)
        assert movers == (NATURE,) or NATURE not in movers
        if by == NATURE and before.circle:
            assert movers == tuple(range(seats)), "everybody decides"
        if isinstance(move, Slap | Pass) or (isinstance(move, Grab | Name) and after.roll is None):
            assert (after.roll is None) == (len(rules.to_move(before)) == 1), "when all have"
    assert rules.winners(after)


@every_table
@settings(max_examples=25)
@given(seed=seeds, moves=st.integers(0, 150), viewer=st.integers(-1, 5))
def test_what_others_decide_leaks_nothing(seats: int, seed: int, moves: int, viewer: int) -> None:
    """Also after another's deed, whatever it is: slap, grab or pass."""
    who = viewer if 0 <= viewer < seats else None
    here = position("kakerlaken", seats, seed, moves, calm=True)
    there = RULES.imagine(RULES.view(here, who), Quick(seed))
    assert told_of(there, who) == told_of(here, who)
    for by in RULES.waits_for(here, who):
        if by in (NATURE, who) or here.roll is None:
            continue
        rng = Quick(f"{seed}/{by}")
        one, other = any_move(RULES, here, by, rng), any_move(RULES, there, by, rng)
        assert RULES.seen(by, one, who) == RULES.seen(by, other, who) == {"by": by, "do": None}
        states = RULES.play(here, by, one), RULES.play(there, by, other)
        if not any(state.roll is None for state in states):
            assert told_of(states[0], who) == told_of(states[1], who)


@every_table
@settings(max_examples=20)
@given(seed=seeds, moves=st.integers(0, 150), viewer=st.integers(0, 4))
def test_imagine_agrees_with_the_view(seats: int, seed: int, moves: int, viewer: int) -> None:
    state, who = position("kakerlaken", seats, seed, moves, calm=True), viewer % seats
    view = rules.view(state, who)
    sent = msgspec.json.decode(msgspec.json.encode(view), type=rules.View)
    assert rules.view(rules.imagine(sent, Quick(seed)), who) == view
    assert rules.imagine(rules.view(state, "referee"), Quick(1)) == state


def test_a_table_without_a_clock_has_secrets_and_no_race() -> None:
    assert traits(RULES, {}) == {"race"}
    assert traits(RULES, {"calm": False, "young": True}) == {"race"}
    assert traits(RULES, {"calm": True}) == {"secrets"}
    assert traits(game_named("buffet"), {"calm": True}) == {"secrets"}


def test_who_names_is_not_known_to_the_others() -> None:
    """[K23] As far as they see the dice are awaited when all have acted."""
    at = roll(table(calm=True), RED_RICE).do(0, "grab", squeak=True).do(1, "pass")
    assert at.view(1)["deeds"] == {"0": None, "1": at.view()["deeds"]["1"]}
    assert at.view(1)["deeds"]["1"]["passed"] is True
    assert "passed" not in at.view(0)["deeds"]["0"]
    assert rules.waits_for(at.state, 1) == (2,)
    at.do(2, "slap", tile=GREEN_RICE)
    assert rules.waits_for(at.state, 1) == (NATURE,)
    assert rules.waits_for(at.state, 0) == (0,)


@pytest.mark.parametrize("level", list(LEVELS))
@every_table
def test_bots_decide_without_a_time_and_say_why(seats: int, level: str) -> None:
    answers: list[tuple[Turn, Answer]] = []

    def ask(turn: Turn, rng: Chance) -> Answer:
        answers.append((turn, LEVELS[level](turn, rng)))
        return answers[-1][1]

    faults: list[Fault] = []
    played = play_game(RULES, ask, [level] * seats, {"calm": True}, level, faults=faults)
    assert faults == []
    assert played.over
    for turn, answer in answers:
        assert answer.move in turn.legal
        for language in LANGUAGES if answer.because else ():
            assert catalogue(language)[f"kakerlaken.because.{answer.because}"]
        shares = [share for _, share in answer.worth]
        assert shares == sorted(shares, reverse=True)
        assert all(0 <= share <= 1 + 1e-9 for share in shares)
    if level == "expert":
        assert {answer.because for _, answer in answers} <= {"calm_slap", "calm_steal", "own",
                                                             "name", "give"}  # fmt: skip


def test_the_expert_knows_what_is_best() -> None:
    """The right deed is best; a grab instead of a slap is worst for who has a tile [K10]."""
    at = roll(table(calm=True), RED_CHOPSTICKS)
    for seat in (0, 1, 2):
        at.do(seat, "slap", tile=RED_CHOPSTICKS)
    owned = roll(at, RED_CHOPSTICKS).state
    for seat, squeak in ((0, False), (1, True), (2, False)):
        answer = LEVELS["expert"](turn_of(RULES, owned, [], seat), Quick(1))
        assert answer.move == answer.worth[0][0] == Grab(squeak)
    for seat in (0, 1, 2):
        at.do(seat, "pass")
    middle = LEVELS["expert"](turn_of(RULES, roll(at, RED_RICE).state, [], 1), Quick(1))
    assert middle.move == Slap(("rice", "red"))
    assert dict(middle.worth)[PASS] >= dict(middle.worth)[Grab(True)]


@every_table
def test_states_are_appraised_in_shares(seats: int) -> None:
    states = [after for *_, after in random_game("kakerlaken", seats, seats, calm=True)]
    for state in [*states[:: 1 + len(states) // 60], states[-1]]:
        shares = appraise(state)
        assert sum(shares) == pytest.approx(1, abs=1e-9)
        assert min(shares) >= 0
    assert set(appraise(states[-1])) == {0.0, 1.0}


def test_records_replay_and_the_coach_speaks() -> None:
    bots = [bot_named(RULES, level) for level in ("expert", "easy", "random")]
    played = play_game(RULES, ask_bots(bots), NAMES, {"calm": True, "young": True}, "a record")
    assert '"at"' not in write(played)
    again = replay(write(played).split("\n"))
    assert again.moves == played.moves
    lesson = teach(again)
    assert any(found.is_mistake for found in lesson.decisions if found.seat == 2)
    assert not any(found.is_mistake for found in lesson.decisions if found.seat == 0)


def test_the_plain_searcher_plays_it_too() -> None:
    state = roll(table(calm=True), RED_RICE).state
    answer = searcher(RULES, 30)(turn_of(RULES, state, [], 0), Quick(1))
    assert answer.move in RULES.legal(state, 0)


def test_what_all_did_is_told_once_when_all_have_decided() -> None:
    at = roll(table(calm=True), RED_RICE)
    assert told(at, 0, Slap(("rice", "red"))) == []
    assert told(at, 1, Grab(True)) == []
    assert told(at, 2, PASS) == []
    assert told(at, 1, Name("rat")) == [
        "Ada slaps “red rice”, Bo grabs with a squeak and says: rat, Cleo does nothing.",
        "Ada wins the tile.",
    ]
    at = roll(table(calm=True), RED_RICE).do(0, "pass").do(1, "grab", squeak=False)
    at.do(1, "name", thief="ant")
    assert told(at, 2, PASS, terminal.news) == [
        "Ada does nothing, Bo grabs softly and says: ant, Cleo does nothing.",
        "Right was number 4, without rice and without red.",
        "Nobody was right.",
    ]
    assert worded(news.deed(PASS), NAMES, SAY) == "do nothing"


def answered(at: Any, *answers: str) -> tuple[Any, str]:
    """Answer in the terminal; give the move, and all that was said."""
    said: list[str] = []
    given = iter(answers)

    def read(question: str) -> str:
        said.append(question)
        return next(given)

    turn = turn_of(RULES, at.state, [], 0)
    move = terminal.ask(turn, NAMES, Talk("en", "kakerlaken", said.append, read))
    assert next(given, None) is None, "every answer was asked for"
    return move, "\n".join(said)


def test_in_the_terminal_nobody_hurries() -> None:
    at = roll(table(calm=True), RED_RICE)
    assert answered(at, "4")[0] == Slap(TILES[3])
    assert answered(at, "mm")[0] == Grab(True)
    move, said = answered(at, "12", "x", "")
    assert move == PASS
    assert "There is no tile 12 in the middle." in said
    assert "just press Enter" in said
    assert "uick" not in said
    at.do(0, "grab", squeak=False)
    move, said = answered(at, "", "rat")
    assert move == Name("rat")
    assert "uick" not in said
    aim = terminal.aim(rules.view(at.state, 0), SAY)
    assert "No clock runs" in aim


def test_a_time_is_taken_as_none() -> None:
    """Whatever is sent with a deed, it counts as all others [K24]."""
    at = roll(table(calm=True), RED_RICE)
    for when in (-1.0, float("inf"), float("nan"), 1e300):
        deed = rules.play(at.state, 0, Slap(("rice", "red"), when)).deeds[0]
        assert deed is not None
        assert deed.at == 0.0
    with pytest.raises(IllegalMove):
        rules.play(at.state, 0, Name("rat"))
