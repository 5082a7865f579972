"""Bots that do wrong. A process that thinks reads this module, so it reads little else."""

import os
import time

from msgspec.structs import replace

from tischlein.bots import Answer, Turn
from tischlein.house.lessons import Step, weigh_record
from tischlein.house.thinking import choose


def fail(game: str, level: str, turn: Turn, seed: str) -> Answer:
    """Fail where an easy bot is asked."""
    if level == "easy":
        raise RuntimeError("this bot is broken")
    return Answer(turn.legal[0])


def grab_and_keep_silent(game: str, level: str, turn: Turn, seed: str) -> Answer:
    """Slap for a tile of one's own; with one, grab at once and name nobody."""
    moves = {type(move).__name__: move for move in turn.legal}
    if "Give" in moves or "Name" in moves:
        return Answer(moves.get("Give"))
    middle = {move.tile: move for move in turn.legal if type(move).__name__ == "Slap"}
    mine = any(shown.owner == turn.seat for shown in turn.view.circle)
    deed = moves["Grab"] if mine else middle.get(turn.view.roll, moves["Grab"])
    return Answer(replace(deed, at=300.0))


def dawdle(game: str, level: str, turn: Turn, seed: str) -> Answer:
    """Answer as an easy bot does, but think for ever over its first move."""
    if level == "easy" and all(move["by"] != turn.seat for move in turn.history):
        time.sleep(3600.0)
    return choose(game, level, turn, seed)


def dwell(game: str, level: str, turn: Turn, seed: str) -> Answer:
    """Think for ever as an expert, after the first choice; as anybody else, answer at once."""
    while level == "expert" and turn.effort > 1:
        pass
    return Answer(turn.legal[0])


def cling(game: str, level: str, turn: Turn, seed: str) -> Answer:
    """Think for ever as an expert, whoever wants to break it off."""
    while level == "expert":
        try:
            time.sleep(3600.0)
        except BaseException:  # that is what is wrong with it
            continue
    return Answer(turn.legal[0])


def weigh_or_die(record: str, number: int, effort: float) -> tuple[int, Step]:
    """Weigh a move of a record, unless somebody's name says to end the process or to dawdle."""
    if "Crash" in record:
        os._exit(1)
    if "Dawdle" in record:
        time.sleep(3600.0)
    return weigh_record(record, number, effort)
