"""What the coach says first: it fits the place, it is about one's own moves, and it is little."""

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tischlein.bots.bot import Answer
from tischlein.bots.coach import MISTAKE, Account, Lesson, Weighed, given_away
from tischlein.bots.verdict import LITTLE, MOST_LESSONS, MUCH, dearest, luck_of, opening, place_of
from tischlein.games.buffet.rules import Play
from tischlein.server.wire import told_lesson
from tischlein.words import LANGUAGES, in_language, worded

NAMES = ("Ada", "Bo", "Cy", "Di", "Eve", "Flo", "Gil", "Hal")


@st.composite
def lessons(draw: st.DrawFn) -> Lesson:
    """Make up what a game may teach: any places and ties, any luck, any decisions."""
    seats = draw(st.integers(2, len(NAMES)))
    order = draw(st.permutations(range(seats)))
    cuts = sorted(draw(st.sets(st.integers(1, seats - 1))))
    groups = tuple(tuple(order[a:b]) for a, b in zip([0, *cuts], [*cuts, seats], strict=True))
    share = st.floats(-2, 2, allow_nan=False)
    ledger = tuple(Account(1 / seats, draw(share), draw(share), 0, 0) for _ in range(seats))
    decision = st.builds(
        Weighed,
        st.integers(1, 500),
        st.integers(0, seats - 1),
        st.just(Play(3)),
        st.just(Play(6)),
        st.floats(0, 0.5),
        st.just("race"),
        st.just({"card": 6}),
        doubt=st.floats(0, 0.2),
    )
    made = draw(st.lists(decision, max_size=30, unique_by=lambda found: found.number))
    scores = tuple(0 for _ in range(seats))
    names = NAMES[:seats]
    return Lesson("buffet", names, scores, groups[0], (), tuple(made), ledger, groups)


@given(lessons())
def test_at_most_three_lessons_all_of_them_ones_own_and_the_dearest(lesson: Lesson) -> None:
    for seat in range(len(lesson.names)):
        found = dearest(lesson, seat)
        own = [one for one in lesson.decisions if one.seat == seat]
        sure = [one for one in own if one.lost > MISTAKE and one.lost > one.doubt]
        assert len(found) == min(len(sure), MOST_LESSONS)
        assert all(one in sure for one in found)
        assert [one.lost for one in found] == sorted((one.lost for one in sure), reverse=True)[:3]


@given(lessons(), st.sampled_from(LANGUAGES))
def test_first_the_place_then_luck_in_words_that_fit_it(lesson: Lesson, language: str) -> None:
    say = in_language(language, "buffet")
    told = told_lesson(lesson, say)
    for seat in range(len(lesson.names)):
        place, alone = place_of(lesson, seat)
        first, second = opening(lesson, seat)
        assert place == 1 + sum(
            len(group) for group in lesson.ranking if group[0] in better(lesson, seat)
        )
        assert (place == 1) == (seat in lesson.winners)
        assert first.word.startswith("coach.place" if alone else "coach.shared")
        assert second.word.split(".")[2] == ("won" if seat in lesson.winners else "lost")
        assert told.verdicts[seat].says == tuple(
            worded(word, lesson.names, say) for word in (first, second)
        )
        assert not any("{" in text or "%" in text for text in told.verdicts[seat].says)


def better(lesson: Lesson, seat: int) -> list[int]:
    """List who is ahead of a seat."""
    mine = next(at for at, group in enumerate(lesson.ranking) if seat in group)
    return [other for group in lesson.ranking[:mine] for other in group]


@given(lessons())
def test_luck_is_graded_by_what_dice_and_cards_brought(lesson: Lesson) -> None:
    for seat, account in enumerate(lesson.ledger):
        grade = luck_of(lesson, seat)
        assert (grade == "even") == (abs(account.luck) < LITTLE)
        assert grade.endswith("_for") == (account.luck >= LITTLE)
        assert grade.startswith("much") == (abs(account.luck) >= MUCH)


def a_lesson(luck: float, place: int) -> Lesson:
    """Make up a game of three in which Ada came in somewhere."""
    ranking = {1: ((0,), (1,), (2,)), 2: ((1,), (0,), (2,)), 3: ((1,), (2,), (0,))}[place]
    ledger = tuple(Account(1 / 3, luck if seat == 0 else 0, 0, 0, 0) for seat in range(3))
    return Lesson("buffet", NAMES[:3], (0, 0, 0), ranking[0], (), (), ledger, ranking)


@pytest.mark.parametrize(
    ("luck", "place", "said"),
    [
        (1.31, 1, "You won! Luck was very much on your side."),
        (-0.2, 1, "You won! Luck was a little against you, and still you made it!"),
        (0.05, 2, "You came second. Luck hardly mattered this time."),
        (0.2, 2, "You came second. Luck was a little on your side, and still it was not quite "
                 "enough."),
        (-0.6, 3, "You came third. Luck was very much against you. That happens!"),
    ],
)  # fmt: skip
def test_a_friend_would_say_it_so(luck: float, place: int, said: str) -> None:
    told = told_lesson(a_lesson(luck, place), in_language("en", "buffet"))
    assert " ".join(told.verdicts[0].says) == said


@pytest.mark.parametrize("language", LANGUAGES)
def test_nobody_who_lost_is_congratulated_and_nobody_who_won_consoled(language: str) -> None:
    """Winners and losers are told different things of the same luck."""
    say = in_language(language, "buffet")
    for luck in (1.0, 0.2, 0.0, -0.2, -1.0):
        won, lost = (told_lesson(a_lesson(luck, at), say).verdicts[0].says for at in (1, 2))
        assert won[0] != lost[0]
        assert won[1] != lost[1]


@pytest.mark.parametrize(
    ("lost", "doubt", "wrong"),
    [(0.02, 0.0, False), (0.1, 0.0, True), (0.1, 0.099, True), (0.1, 0.11, False)],
)
def test_a_move_within_the_error_is_no_mistake(lost: float, doubt: float, wrong: bool) -> None:
    answer = Answer(Play(6), worth=((Play(6), 0.5), (Play(3), 0.5 - lost)), doubt=(0.0, doubt))
    given: dict[str, Any] = dict(zip(("lost", "doubt"), given_away(answer, Play(3)), strict=True))
    found = Weighed(1, 0, Play(3), Play(6), **given)
    assert found.lost == pytest.approx(lost)
    assert found.is_mistake is wrong
    assert given_away(answer, Play(6)) == (0.0, 0.0)
    assert given_away(answer, Play(9)) == (0.0, 0.0)  # not weighed


def test_sentences_say_no_figures() -> None:
    for language in LANGUAGES:
        for luck in (1.0, 0.2, 0.0, -0.2, -1.0):
            lesson = a_lesson(luck, 3)
            says = told_lesson(lesson, in_language(language, "buffet")).verdicts[0].says
            assert not re.search(r"\d", " ".join(says))
