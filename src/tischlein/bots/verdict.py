"""What the coach says first, as a friend would: the place, luck, and the few dearest moves."""

from typing import Final, Literal

from tischlein.bots.coach import Lesson, Weighed
from tischlein.game import Word

MOST_LESSONS: Final = 3
"""Nobody learns from more at once."""
LITTLE: Final = 0.1
"""Luck that brings or takes less than this share of the win hardly mattered."""
MUCH: Final = 0.4
"""And from here on it mattered much."""
NAMED_PLACES: Final = 6
"""So many places have words of their own."""

Luck = Literal["much_for", "little_for", "even", "little_against", "much_against"]


def opening(lesson: Lesson, seat: int) -> tuple[Word, Word]:
    """Give the first two sentences for a seat: how it ended, and what luck had to do with it."""
    place, alone = place_of(lesson, seat)
    way = "won" if place == 1 else "lost"
    return place_word(place, alone), Word(f"coach.fate.{way}.{luck_of(lesson, seat)}")


def place_of(lesson: Lesson, seat: int) -> tuple[int, bool]:
    """Give the place of a seat, from 1, and whether it has it alone."""
    before = 0
    for group in lesson.ranking:
        if seat in group:
            return before + 1, len(group) == 1
        before += len(group)
    raise ValueError(f"seat {seat} has no place")


def place_word(place: int, alone: bool) -> Word:
    """Say a place."""
    kind = "place" if alone else "shared"
    if place <= NAMED_PLACES:
        return Word(f"coach.{kind}.{place}")
    return Word(f"coach.{kind}.later", {"n": place})


def luck_of(lesson: Lesson, seat: int) -> Luck:
    """Grade how far dice and cards were for a seat or against it."""
    luck = lesson.ledger[seat].luck
    if abs(luck) < LITTLE:
        return "even"
    if luck > 0:
        return "much_for" if luck >= MUCH else "little_for"
    return "much_against" if luck <= -MUCH else "little_against"


def dearest(lesson: Lesson, seat: int) -> list[Weighed]:
    """Choose what a seat can learn from: its own mistakes, the dearest first, and only a few."""
    own = [found for found in lesson.decisions if found.seat == seat and found.is_mistake]
    return sorted(own, key=lambda found: -found.lost)[:MOST_LESSONS]
