"""When to slap, when to grab, when to leave it: each weighed by the share of the win it brings."""

from collections.abc import Sequence
from math import fsum
from typing import Final

from msgspec import Struct

from tischlein.bots.bot import Turn
from tischlein.game import Seen
from tischlein.games.kakerlaken.bots.chances import Table, after_grab, mixed, with_tile
from tischlein.games.kakerlaken.bots.hands import (
    MEDIUM,
    Hand,
    at_pace,
    at_plates,
    average,
    first_chances,
    names_in_time,
)
from tischlein.games.kakerlaken.rules import THIEF_OF, Grab, Slap, TileView, View

OWNER_ACTS: Final = 0.97
OTHER_ACTS: Final = 0.9
"""How often people grab for their own tile, and for another's."""
SURE_AFTER: Final = 4
"""So many deeds weigh as much as what is known of people in general."""
REMEMBERED: Final = 60
"""So many moves back the others' hands are remembered."""
MISTAKES_BEFORE: Final = (1, 12)
"""People err in about one deed of twelve."""


class Rival(Struct, frozen=True):
    """What is thought of a player: the hand, and how often a deed is wrong."""

    hand: Hand
    errs: float


class Tempo(Struct, frozen=True):
    """How hard to try: quicker hands slip more."""

    pace: float
    slips: float
    because: str = ""


STEADY: Final = Tempo(1.0, 1.0)
HURRY: Final = Tempo(0.93, 5.0, "hurry")

ANYBODY: Final = Rival(MEDIUM, MISTAKES_BEFORE[0] / MISTAKES_BEFORE[1])


def table_seen(view: View) -> Table:
    """Count coins and tiles as a seat sees them."""
    owners = [shown.owner for shown in view.circle]
    return tuple((coins, owners.count(seat)) for seat, coins in enumerate(view.coins))


def weigh(
    turn: Turn,
    asked: TileView,
    hand: Hand,
    rivals: Sequence[Rival],
    tempo: Tempo | None,
    table: Table | None = None,
) -> float:
    """Give the share that acting at some tempo brings, or leaving it (None)."""
    table = table or table_seen(turn.view)
    mine = at_pace(hand, tempo.pace) if tempo else hand
    slip = hand.slip * tempo.slips if tempo else 0.0
    hands = [mine if seat == turn.seat else rival.hand for seat, rival in enumerate(rivals)]
    errs = tuple(slip if seat == turn.seat else rival.errs for seat, rival in enumerate(rivals))
    if asked.side == "plate":
        hands = [at_plates(one) for one in hands]
    acting = tuple(
        float(tempo is not None) if seat == turn.seat else keenness(seat, asked.owner)
        for seat in range(len(rivals))
    )
    if asked.owner is None:
        return slapping(table, tuple(hands), errs, acting)[turn.seat]
    naming = turn.view.options.naming_ms
    return grabbing(table, tuple(hands), errs, acting, asked.owner, naming)[turn.seat]


def weigh_mistake(
    turn: Turn, asked: TileView, hand: Hand, rivals: Sequence[Rival], move: Slap | Grab
) -> float:
    """Give the share that a wrong deed brings: a slap does nothing [K9] [K12], a grab may harm."""
    if isinstance(move, Slap):
        return weigh(turn, asked, hand, rivals, None)
    if asked.owner is not None:
        return weigh(turn, asked, hand, rivals, Tempo(1.0, 1 / hand.slip))
    table, leaving = table_seen(turn.view), weigh(turn, asked, hand, rivals, None)
    if not table[turn.seat][1]:
        return leaving
    fewer = weigh(turn, asked, hand, rivals, None, with_tile(table, turn.seat, -1))
    fined = fine_chance(turn.seat, asked, hand, rivals)
    return fined * fewer + (1 - fined) * leaving


def fine_chance(seat: int, asked: TileView, hand: Hand, rivals: Sequence[Rival]) -> float:
    """Say how often a wrong grab is fined: when no right slap is quicker [K10]."""
    hands = [hand if at == seat else rival.hand for at, rival in enumerate(rivals)]
    if asked.side == "plate":
        hands = [at_plates(one) for one in hands]
    right = tuple(
        1.0 if at == seat else OWNER_ACTS * (1 - rival.errs) for at, rival in enumerate(rivals)
    )
    return first_chances(tuple(hands), right)[seat]


def keenness(seat: int, owner: int | None) -> float:
    """Say how often somebody acts at all."""
    return OWNER_ACTS if owner in (None, seat) else OTHER_ACTS


def slapping(
    table: Table, hands: tuple[Hand, ...], errs: tuple[float, ...], acting: tuple[float, ...]
) -> tuple[float, ...]:
    """Give the shares after a race for a tile in the middle: only right slaps count [K9]."""
    right = tuple(acts * (1 - wrong) for acts, wrong in zip(acting, errs, strict=True))
    first = first_chances(hands, right)
    ends = [(chance, with_tile(table, seat, 1)) for seat, chance in enumerate(first)]
    return mixed([(max(0.0, 1 - fsum(first)), table), *ends])


def grabbing(
    table: Table,
    hands: tuple[Hand, ...],
    errs: tuple[float, ...],
    acting: tuple[float, ...],
    owner: int,
    naming: float,
) -> tuple[float, ...]:
    """Give the shares after a race for the master: the first grab decides [K12]."""
    first = first_chances(hands, acting)
    ends = [(max(0.0, 1 - fsum(first)), with_tile(table, owner, -1))]  # [K18]
    for seat, chance in enumerate(first):
        right = (1 - errs[seat]) * (1 - 2 * errs[seat] / 3)  # the squeak and the name
        found = after_grab(table, owner, seat, right * names_in_time(hands[seat], naming))
        ends += [(chance * likely, end) for likely, end in found]
    return mixed(ends)


def rivals_met(turn: Turn) -> list[Rival]:
    """Think of everybody what their deeds have shown so far, and of strangers the usual."""
    view: View = turn.view
    paces: list[list[float]] = [[] for _ in view.coins]
    wrong: list[list[bool]] = [[] for _ in view.coins]
    plates = average(MEDIUM if view.options.young else at_plates(MEDIUM))
    asked: Seen = {}
    for move in since_a_roll(turn.history):
        match move["do"]:
            case "roll":
                asked = move
            case "slap":
                paces[move["by"]].append(move["at"] / plates)
                wrong[move["by"]].append(list(move["tile"]) != [asked["symbol"], asked["colour"]])
            case "grab":
                paces[move["by"]].append(move["at"] / average(MEDIUM))
            case "name":
                thief = THIEF_OF[asked["symbol"], asked["colour"]]
                wrong[move["by"]].append(move["thief"] != thief)
    return [rival(*shown) for shown in zip(paces, wrong, strict=True)]


def since_a_roll(history: Sequence[Seen]) -> Sequence[Seen]:
    """Give the latest moves, from a roll on."""
    latest = history[-REMEMBERED:]
    rolls = (at for at, move in enumerate(latest) if move["do"] == "roll")
    return latest[next(rolls, len(latest)) :]


def rival(paces: Sequence[float], wrong: Sequence[bool]) -> Rival:
    """Judge a player by deeds; of few deeds little is believed."""
    pace = round((SURE_AFTER + fsum(paces)) / (SURE_AFTER + len(paces)), 2)
    before, among = MISTAKES_BEFORE
    return Rival(at_pace(MEDIUM, pace), (before + sum(wrong)) / (among + len(wrong)))
