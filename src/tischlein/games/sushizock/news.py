"""What a move tells, and a move as advice.

All is told when it happens. What lies covered later must be remembered [S19]: news of a tile fade
when something comes upon it, and the dice, which would give it away, with the next claim.
"""

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from tischlein.game import REFEREE, By, News, Seat, Viewer, Word
from tischlein.games.sushizock.rules import (
    FACES,
    Deal,
    Face,
    Forced,
    Keep,
    Kind,
    Move,
    Roll,
    State,
    Steal,
    Take,
    count,
    piles_are_open,
)


def news(before: State, by: By, move: Move, after: State, viewer: Viewer) -> list[News]:
    """Tell what a move has changed."""
    match move:
        case Deal():
            return [News("told_deal", {"name": Seat(move.starter)})]
        case Roll():
            told = told_dice("told_roll", before, move.dice)
        case Keep():
            told = told_dice("told_keep", before, move.dice)
        case Take() | Steal() | Forced():
            told = told_claim(move, int(by), kind_of(move, before), after)
    if viewer == REFEREE or piles_are_open(after):
        return [replace(told, place="", touches=(), faded=None)]
    return [told]


def told_dice(key: str, before: State, dice: Sequence[Face]) -> News:
    """Tell dice of a turn, as long as it lasts."""
    return News(key, {"name": Seat(before.turn or 0), "dice": faces_in_words(dice)}, "dice")


def told_claim(move: Take | Steal | Forced, by: int, kind: Kind, after: State) -> News:
    """Tell which tile somebody took; when it lies covered, only of what kind it was."""
    where, fields = f"{by}.{kind}", {"name": Seat(by)}
    touches: tuple[str, ...] = ("dice", where)
    key, deed = f"told_take_{kind}", "take"
    if isinstance(move, Forced):
        key = "told_forced"
    if isinstance(move, Steal):
        key, deed = f"told_steal_{kind}" + ("" if move.depth == 1 else "_below"), "steal"
        fields["victim"] = Seat(move.victim)
        touches += (f"{move.victim}.{kind}",)
    tile = after.piles[by][0 if kind == "sushi" else 1][-1]
    faded = News(f"told_covered_{deed}_{kind}", fields)
    return News(key, {**fields, "tile": number(tile)}, where, touches, faded)


def kind_of(move: Take | Steal | Forced, before: State) -> Kind:
    """Say what kind of tile a claim brings; who is forced takes a bone while there is one [S17]."""
    if isinstance(move, Take):
        return move.row
    if isinstance(move, Steal):
        return move.pile
    return "bones" if before.bones else "sushi"


def deed(move: Any) -> Word:
    """Word what to do."""
    match move:
        case Keep():
            return Word("deed.keep", {"dice": faces_in_words(move.dice)})
        case Take():
            return Word(f"deed.take_{move.row}")
        case Steal():
            below = "" if move.depth == 1 else "_below"
            where = {"name": Seat(move.victim), "depth": move.depth}
            return Word(f"deed.steal_{move.pile}{below}", where)
        case _:
            return Word("deed.forced")


def faces_in_words(dice: Sequence[Face]) -> list[Word]:
    """Name dice: their faces, and how many of each where there are several."""
    found = zip(FACES, count(tuple(dice)), strict=True)
    return [
        Word("face_many", {"face": Word(f"face.{face}"), "n": n}) if n > 1 else Word(f"face.{face}")
        for face, n in found
        if n
    ]


def number(tile: int) -> str:
    """Write a tile with its sign."""
    return f"+{tile}" if tile > 0 else f"−{-tile}"
