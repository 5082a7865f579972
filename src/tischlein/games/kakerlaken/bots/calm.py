"""Bots where no clock runs [K24]: nobody is quicker, so the order round the table decides [K7]."""

from collections.abc import Sequence
from typing import Any, Final

from msgspec import UNSET, Struct
from msgspec.structs import replace

from tischlein.bots.bot import Answer, Bot, Chance, Turn
from tischlein.game import Timed
from tischlein.games.kakerlaken.bots.chances import Table, after_grab, mixed, table_of, with_tile
from tischlein.games.kakerlaken.bots.chances import appraise as appraise_race
from tischlein.games.kakerlaken.bots.deciding import MISTAKES_BEFORE, keenness, table_seen
from tischlein.games.kakerlaken.bots.hands import Hand
from tischlein.games.kakerlaken.bots.levels import (
    best_first,
    give_or_name,
    racing,
    right_deed,
    slip,
    tile_asked,
)
from tischlein.games.kakerlaken.rules import (
    PASS,
    THIEF_OF,
    Deed,
    Grab,
    Pass,
    Slap,
    State,
    TileView,
    is_grab,
    owner_of,
    roll_of,
)

USUALLY_RIGHT: Final = 1 - MISTAKES_BEFORE[0] / MISTAKES_BEFORE[1]
"""How often people's deeds are right."""


class Plan(Struct, frozen=True):
    """What somebody does after a roll, as far as it is known: how often what, how often rightly."""

    slaps: float = 0.0
    """How often the right tile."""
    grabs: float = 0.0
    right: float = 0.0
    """How often a grab is right, and so is the name after it."""


def unhurried(racer: Bot, hand: Hand | None = None) -> Bot:
    """Make a racer also play without a clock: by its own sense, or with a hand's slips."""

    def answer(turn: Turn, rng: Chance) -> Answer:
        if not turn.view.options.calm:
            return racer(turn, rng)
        return timeless(racer(turn, rng) if hand is None else decide(turn, rng, hand))

    return answer


def timeless(answer: Answer) -> Answer:
    """Drop the time of a deed."""
    move: Any = answer.move
    return replace(answer, move=replace(move, at=UNSET)) if isinstance(move, Timed) else answer


def decide(turn: Turn, rng: Chance, hand: Hand) -> Answer:
    """Do what the dice ask for, with a hand's slips and shyness."""
    if not racing(turn):
        return give_or_name(turn, rng, hand)
    asked = tile_asked(turn.view)
    worth = best_first([(move, worth_of(turn, asked, move)) for move in turn.legal])
    if asked.owner not in (None, turn.seat) and rng.uniform() >= hand.daring:
        return Answer(PASS, "shy", worth=worth)
    if rng.uniform() < hand.slip:
        return Answer(slip(turn, rng, asked), "slip", worth=worth)
    usual = "own" if asked.owner == turn.seat else "calm_steal"
    return Answer(
        right_deed(turn, asked), "calm_slap" if asked.owner is None else usual, worth=worth
    )


def worth_of(turn: Turn, asked: TileView, move: Slap | Grab | Pass) -> float:
    """Give the share of the win that a deed brings among people who are usually right."""
    table, me = table_seen(turn.view), turn.seat
    plans = [anybody(seat, asked.owner) for seat in range(len(table))]
    plans[me] = Plan(
        slaps=float(isinstance(move, Slap) and move.tile == asked.tile),
        grabs=float(isinstance(move, Grab)),
        right=float(isinstance(move, Grab) and move.squeak == (asked.owner == me)),
    )
    return expected(table, asked.owner, plans, turn.view.roller)[me]


def anybody(seat: int, owner: int | None) -> Plan:
    """Think of somebody what is known of people."""
    if owner is None:
        return Plan(slaps=USUALLY_RIGHT)
    return Plan(grabs=keenness(seat, owner), right=USUALLY_RIGHT)


def expected(
    table: Table, owner: int | None, plans: Sequence[Plan], roller: int
) -> tuple[float, ...]:
    """Give everybody's share if all do what is planned: the first clockwise decides [K7]."""
    seats = len(table)
    order = [(roller + 1 + step) % seats for step in range(seats)]
    ends, left = [], 1.0
    for seat in order:
        plan = plans[seat]
        if owner is None:
            ends.append((left * plan.slaps, with_tile(table, seat, 1)))
            left *= 1 - plan.slaps
            if (
                plan.grabs
                and table[seat][1]
                and not any(plans[by].grabs for by in before(seat, order))
            ):
                table = with_tile(table, seat, -1)  # [K10]
        else:
            found = after_grab(table, owner, seat, plan.right)
            ends += [(left * plan.grabs * likely, end) for likely, end in found]
            left *= 1 - plan.grabs
    rest = table if owner is None else with_tile(table, owner, -1)  # [K11] [K18]
    return mixed([*ends, (left, rest)])


def before(seat: int, order: Sequence[int]) -> Sequence[int]:
    """List who comes before somebody."""
    return order[: order.index(seat)]


def appraise(state: State) -> tuple[float, ...]:
    """Give the expected share of the win of each seat, with a clock or without."""
    if state.roll is None or not state.options.calm:
        return appraise_race(state)
    owner = owner_of(state, state.roll)
    plans = [
        anybody(seat, owner) if deed is None else plan_of(state, deed, seat == owner)
        for seat, deed in enumerate(state.deeds)
    ]
    return expected(table_of(state), owner, plans, state.roller)


def plan_of(state: State, deed: Deed, own: bool) -> Plan:
    """Tell what somebody has decided; a thief that is not named yet is usually named rightly."""
    asked = roll_of(state)
    if not is_grab(deed):
        return Plan(slaps=float(deed.tile == asked))
    named = USUALLY_RIGHT if deed.thief is None else float(deed.thief == THIEF_OF[asked])
    return Plan(grabs=1.0, right=named * (deed.squeak == own))
