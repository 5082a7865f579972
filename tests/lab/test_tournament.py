"""Tournaments: everybody in every seat with the same deals, whatever the number of processes."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.program import as_json, run
from tischlein.bots import Answer, Chance, Turn
from tischlein.lab.places import HERE
from tischlein.lab.plot import Bar, Curve, Dot, bars, dots, lines, nice_ticks
from tischlein.lab.report import html
from tischlein.lab.tally import Plan
from tischlein.lab.tally import run as run_plan
from tischlein.lab.tournament import Setup, all_tasks, bins, count_games, hold, sittings

BOTS = ("random", "easy", "medium")
SETUP = Setup("kakerlaken", BOTS, (2, 3), games=12, seed="seats")


def nothing(done: int) -> None:
    """Show no progress."""


def test_everybody_sits_everywhere() -> None:
    assert sittings(SETUP, 2) == [
        ("random", "easy"), ("easy", "random"), ("random", "medium"), ("medium", "random"),
        ("easy", "medium"), ("medium", "easy"),
    ]  # fmt: skip
    three = sittings(SETUP, 3)
    assert len(three) == 3 * 6 + 3
    assert three[:3] == [("random", "easy", "easy"), ("easy", "easy", "random"),
                         ("easy", "random", "easy")]  # fmt: skip
    assert three[-3:] == [BOTS, ("easy", "medium", "random"), ("medium", "random", "easy")]
    for bot in BOTS:
        assert len({tuple(who).count(bot) for who in zip(*three, strict=True)}) == 1
    assert len(sittings(Setup("kakerlaken", BOTS, (3,), 1, "", pairs="next", mixed=False), 3)) == 12


def test_all_sittings_play_the_same_deals() -> None:
    tasks = list(all_tasks(SETUP))
    assert len(tasks) == count_games(SETUP) == 6 * 6 + 21 * 2
    for seats in (2, 3):
        own = [(plan, deal) for plan, deal in tasks if len(plan.bots) == seats]
        assert len({plan.seed for plan, _ in own}) == 1
        for deal in {deal for _, deal in own}:
            assert [plan.bots for plan, at in own if at == deal] == sittings(SETUP, seats)


def test_the_sums_agree_with_the_games() -> None:
    result = hold(SETUP, HERE, nothing)
    for shown in result.tables:
        taken = {row.who: row.wins.mean * shown.seats for row in shown.bots}
        assert sum(taken.values()) == pytest.approx(len(BOTS))  # all take equally many seats
        assert sum(row.wins.mean for row in shown.by_turn) == pytest.approx(1)
        assert sum(one.times for one in shown.lengths) == shown.games
        for duel in shown.duels:
            back = next(d for d in shown.duels if (d.against, d.who) == (duel.who, duel.against))
            assert duel.both.mean + back.both.mean == pytest.approx(1)
            assert duel.both.error == pytest.approx(back.both.error)
    points = {rating.who: rating.points for rating in result.ratings}
    assert points["random"] < points["easy"] < points["medium"]


def test_the_same_seed_gives_the_same_bytes_whatever_the_processes(tmp_path: Path) -> None:
    outputs, pages = [], []
    for jobs in ("1", "2"):
        page = tmp_path / f"{jobs}.html"
        done = run("tournament", "kakerlaken", "--bots", "random,easy", "--seats", "2,3",
                   "--games", "30", "--seed", "7", "--jobs", jobs, "--json",
                   "--html", str(page))  # fmt: skip
        assert done.returncode == 0, done.stderr
        assert done.stderr == "", "no progress bar in a pipe"
        outputs.append(done.stdout)
        pages.append(page.read_bytes())
    assert outputs[0] == outputs[1]
    assert pages[0] == pages[1]
    found = json.loads(outputs[0])
    assert [table["seats"] for table in found["tables"]] == [2, 3]


def test_the_report_needs_nothing_else_and_can_be_heard() -> None:
    page = html(hold(SETUP, HERE, nothing))
    assert not re.search(r"https?:|<script|<img|<link|@import|url\(", page)
    assert page.count("<svg") == page.count('role="img"') == page.count("aria-label=")
    assert page.count("<svg") >= 1 + 2 * (1 + 1 + len(BOTS))
    assert "prefers-color-scheme: dark" in page
    assert "<title>Tournament of kakerlaken" in page


def test_words_in_charts_are_escaped() -> None:
    bad = '<b a="1">'
    for chart in (
        dots([Dot(bad, 1, 0, 2)], bad),
        bars([Bar(bad, 1, 0.5, 1.5)], bad, bad),
        lines([Curve(bad, ((0, 1), (1, 2)), ((0, 1), (1, 3)))], bad, bad, even=1),
    ):
        assert bad not in chart
        assert "nan" not in chart


def test_ticks_are_round_and_span_the_range() -> None:
    assert nice_ticks(0, 1) == pytest.approx([0, 0.2, 0.4, 0.6, 0.8, 1.0])
    assert nice_ticks(-3, 42) == pytest.approx([-10, 0, 10, 20, 30, 40, 50])
    assert nice_ticks(5, 5)[0] <= 5 <= nice_ticks(5, 5)[-1]
    assert [(one.first, one.last) for one in bins(range(61), most=30)][:2] == [(0, 2), (3, 5)]


def broken(turn: Turn, rng: Chance) -> Answer:
    """Fail now and then, cheat now and then, sleep now and then."""
    match rng.below(4):
        case 0:
            raise RuntimeError("out of order")
        case 1:
            return Answer("nonsense")
        case 2:
            return Answer(None)
        case _:
            return Answer(turn.legal[0])


def test_a_bot_that_fails_is_replaced_counted_and_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from tischlein.games.sushizock import bots as sushizock
    from tischlein.lab.report import print_result

    monkeypatch.setitem(sushizock.LEVELS, "broken", broken)
    tallies = [run_plan(Plan("sushizock", ("broken", "easy"), "x"), 5, HERE, nothing) for _ in "ab"]
    assert tallies[0] == tallies[1]
    (bad,) = tallies[0].failing
    assert bad.who == "broken"
    assert bad.times > 5
    result = hold(Setup("sushizock", ("easy", "broken"), (2,), 4, "x"), HERE, nothing)
    assert {what.split(":")[0] for what in (bad.first,)} <= {
        "RuntimeError", "IllegalMove", "ValueError"
    }  # fmt: skip
    print_result(result)
    assert "broken failed" in capsys.readouterr().out
    assert "made any legal move instead" in html(result)


def test_wrong_tournaments_say_what_is_wrong(tmp_path: Path) -> None:
    good: dict[str, Any] = {"--bots": "easy,random", "--seats": "3", "--games": "1"}
    for change, words in (
        ({"--bots": "easy"}, "two or more different bots"),
        ({"--bots": "easy,easy"}, "two or more different bots"),
        ({"--bots": "easy,genius"}, "no bot `genius`"),
        ({"--seats": "three"}, "a number, or several as in 3,4"),
        ({"--seats": "3,9"}, "two to five players"),
        ({"--pairs": "some"}, "`all` or `next`"),
        ({"--html": str(tmp_path / "no" / "page.html")}, "No such file"),
        ({"--option": "rain=1"}, "no house rule `rain`"),
    ):
        args = [part for pair in (good | change).items() for part in pair]
        done = run("tournament", "kakerlaken", *args)
        assert done.returncode == 1, change
        assert words in done.stderr
        assert len(done.stderr.splitlines()) == 1
    assert run("tournament", "chess", "--bots", "a,b", "--seats", "2").returncode == 1


def test_a_tournament_is_told_in_tables() -> None:
    told = run("tournament", "sushizock", "--bots", "random,easy", "--seats", "3", "--games", "12",
               "--seed", "1").stdout  # fmt: skip
    for words in ("rating", "head to head", "alone among others", "turn order", "moves a game"):
        assert words in told
    assert as_json("tournament", "sushizock", "--bots", "random,easy", "--seats", "3",
                   "--games", "12", "--seed", "1", "--json")["games"] == 12  # fmt: skip
