"""An independent referee, which shares no code with the project, watches our games."""

import json
from typing import Any

import msgspec
import pytest

from tests.referee import Referee, Refused
from tests.referee import replay as referee_replay
from tests.tables import TABLES, random_game
from tischlein import game_named
from tischlein.bots import bot_named, levels
from tischlein.game import NATURE, REFEREE, IllegalMove
from tischlein.lab.simulate import ask_bots, play_game
from tischlein.record import move_line, write

Options = dict[str, Any]

SHARED = {
    "sushizock": ("rows", "piles", "dice"),
    "buffet": ("buffet", "plates_left", "token", "at", "hands", "played", "stacks", "stock"),
    "kakerlaken": ("circle", "coins"),
}


@pytest.mark.parametrize(("name", "seats", "options"), TABLES)
@pytest.mark.parametrize("seed", range(12))
def test_random_games_agree_move_by_move(
    name: str, seats: int, options: Options, seed: int
) -> None:
    """Who may move, every legal move, the scores and the view: both sides say the same."""
    rules = game_named(name)
    referee = Referee(header(name, seats, options))
    for line, (_, by, move, state) in enumerate(random_game(name, seats, seed, **options), start=2):
        referee.apply(as_line(by, move), line)
        assert set(referee.to_move()) == set(rules.to_move(state))
        assert list(referee.scores()) == list(rules.scores(state))
        ours = json.loads(msgspec.json.encode(rules.view(state, REFEREE)))
        theirs = json.loads(json.dumps(referee.view()))
        for field in SHARED[name]:
            if rules.to_move(state) or field != "dice":  # what lies there at the end says nothing
                assert comparable(field, ours[field]) == comparable(field, theirs[field]), field
        for seat in range(seats):
            listed = json.loads(msgspec.json.encode(rules.legal(state, seat)))
            assert sorted(map(plain, listed)) == sorted(map(plain, referee.legal(seat)))
    assert referee.over
    assert sorted(referee.winners()) == sorted(rules.winners(state))


@pytest.mark.parametrize(("name", "seats", "options"), TABLES)
def test_moves_of_other_moments_are_refused_alike(name: str, seats: int, options: Options) -> None:
    """A move from elsewhere in the game is legal for both or for neither."""
    rules = game_named(name)
    others = [(by, move) for _, by, move, _ in random_game(name, seats, 99, **options)][::5]
    for number, (state, by, move, _) in enumerate(random_game(name, seats, 5, **options)):
        if number % 7 == 0:
            for other_by, other in others:
                assert accepts(rules, state, other_by, other) == referee_accepts(
                    name, seats, options, number, other_by, other
                )
        if number > 60:
            break
        del by, move


def accepts(rules: Any, state: Any, by: Any, move: Any) -> bool:
    """Say whether our rules take a move."""
    try:
        rules.play(state, by, move)
    except IllegalMove:
        return False
    return True


def referee_accepts(
    name: str, seats: int, options: Options, moves: int, by: Any, move: Any
) -> bool:
    """Say whether the referee takes a move after the first moves of the same game."""
    referee = Referee(header(name, seats, options))
    for line, (_, mover, made, _) in enumerate(random_game(name, seats, 5, **options), start=2):
        if line - 2 == moves:
            break
        referee.apply(as_line(mover, made), line)
    try:
        referee.apply(as_line(by, move), moves + 2)
    except Refused:
        return False
    return True


@pytest.mark.parametrize(("name", "seats", "options"), TABLES)
def test_records_of_bots_are_accepted(name: str, seats: int, options: Options) -> None:
    rules = game_named(name)
    for level in levels(rules):
        bots = [bot_named(rules, f"{level}*0.1" if level == "expert" else level)] * seats
        played = play_game(rules, ask_bots(bots), [level] * seats, options, f"{level}-{seats}")
        referee = referee_replay(write(played))
        assert referee.over
        assert list(referee.scores()) == list(played.outcome().scores)
        assert any(by == NATURE for by, _ in played.moves)


def as_line(by: Any, move: Any) -> dict[str, Any]:
    """Give a move as a record tells it."""
    told: dict[str, Any] = json.loads(move_line(by, move))
    return told


def header(name: str, seats: int, options: Options) -> dict[str, Any]:
    """Make a header as outsiders write it."""
    names = [f"p{seat}" for seat in range(seats)]
    return {"format": "tischlein/1", "game": name, "seats": names, "options": options}


def plain(move: dict[str, Any]) -> str:
    """Write a move so that the order of dice and cards means nothing."""
    told = dict(move)
    for key in ("dice", "cards"):
        if key in told:
            told[key] = sorted(told[key])
    return json.dumps(told, sort_keys=True)


def comparable(field: str, shown: Any) -> Any:
    """Sort cards in hands and dice, which have no order of their own."""
    if field == "hands":
        return [sorted(hand) for hand in shown]
    if field == "dice":
        return shown | {"aside": sorted(shown["aside"]), "rolled": sorted(shown["rolled"])}
    return shown
