"""The levels: they see what the dice ask for, but with human hands."""

from collections.abc import Sequence
from typing import Any, Final

from msgspec.structs import replace

from tischlein.bots.bot import Answer, Bot, Chance, Turn
from tischlein.games.kakerlaken.bots.chances import after_grab, mixed, shares, with_tile
from tischlein.games.kakerlaken.bots.deciding import (
    ANYBODY,
    HURRY,
    STEADY,
    Rival,
    Tempo,
    rivals_met,
    table_seen,
    weigh,
    weigh_mistake,
)
from tischlein.games.kakerlaken.bots.hands import (
    EASY,
    EXPERT,
    HARD,
    MEDIUM,
    QUICKEST_NAME,
    Hand,
    at_pace,
    at_plates,
    hesitation,
    reaction,
)
from tischlein.games.kakerlaken.rules import (
    THIEVES,
    Give,
    Grab,
    Name,
    Pass,
    Slap,
    Tile,
    TileView,
    View,
)

GRABS_BY_MISTAKE: Final = 0.25
"""So many of the slips at a plate are a grab for the master [K10]."""


def at_random(turn: Turn, rng: Chance) -> Answer:
    """Do anything legal, at any moment of the race."""
    view: View = turn.view
    move = turn.legal[rng.below(len(turn.legal))]
    if isinstance(move, Give | Pass):
        return Answer(move)
    if isinstance(move, Name):
        return Answer(replace(move, at=my_grab(turn) + rng.below(2 * view.options.naming_ms)))
    return Answer(replace(move, at=float(rng.below(view.options.race_ms))))


def easy(turn: Turn, rng: Chance) -> Answer:
    """Know the right tile, react like a person, slip now and then."""
    return Answer(react(turn, rng, EASY))


def react(turn: Turn, rng: Chance, hand: Hand) -> Any | None:
    """Answer the table with a hand of some skill."""
    view: View = turn.view
    if isinstance(turn.legal[0], Give):
        return turn.legal[0]
    if view.roll is None:
        return None
    asked = tile_asked(view)
    if isinstance(turn.legal[0], Name):
        at = my_grab(turn) + reaction(rng, hand) / 2
        known = asked.thief is not None and rng.uniform() >= hand.slip
        return Name(asked.thief if known and asked.thief else THIEVES[rng.below(3)], at)
    at = reaction(rng, hand)
    if at > view.options.race_ms:
        return None
    slips = rng.uniform() < hand.slip
    if asked.owner is None:
        return Slap(neighbour(view, asked, rng) if slips else asked.tile, at)
    if asked.owner == turn.seat:
        return Grab(not slips, at)
    return Grab(slips, at) if rng.uniform() < hand.daring else None


def human(hand: Hand) -> Bot:
    """Make a player who knows the game: with some hand, mostly right, now and then too shy."""

    def answer(turn: Turn, rng: Chance) -> Answer:
        if not racing(turn):
            return give_or_name(turn, rng, hand)
        asked = tile_asked(turn.view)
        if asked.owner not in (None, turn.seat) and rng.uniform() >= hand.daring:
            return Answer(None, "shy")
        return act(turn, rng, hand, STEADY, asked)

    return answer


medium: Final = human(MEDIUM)


def hard(turn: Turn, rng: Chance) -> Answer:
    """Be quicker and surer, and leave alone what costs more than it brings."""
    return decide(turn, rng, HARD, [ANYBODY] * len(turn.view.coins), (STEADY,))


def expert(turn: Turn, rng: Chance) -> Answer:
    """Know the others' hands by what they did, and choose how hard to try."""
    rivals = rivals_met(turn) if racing(turn) else []
    return decide(turn, rng, EXPERT, rivals, (STEADY, HURRY))


def decide(
    turn: Turn, rng: Chance, hand: Hand, rivals: Sequence[Rival], tempos: Sequence[Tempo]
) -> Answer:
    """Weigh acting against leaving it, and do the better."""
    if not racing(turn):
        return give_or_name(turn, rng, hand)
    asked = tile_asked(turn.view)
    found = [(weigh(turn, asked, hand, rivals, tempo), tempo) for tempo in tempos]
    share, tempo = max(found, key=lambda one: one[0])
    leaving = weigh(turn, asked, hand, rivals, None)
    right = right_deed(turn, asked)
    others = [
        (move, weigh_mistake(turn, asked, hand, rivals, move))
        for move in turn.legal
        if move != right
    ]
    worth = best_first([(right, share), (None, leaving), *others])
    if leaving > share:
        return Answer(None, "wait", worth=worth)
    why = reason_to_act(turn, tempo, asked)
    return replace(act(turn, rng, hand, tempo, asked), worth=worth, why=(why, {}))


def best_first(weighed: Sequence[tuple[Any, float]]) -> tuple[tuple[Any, float], ...]:
    """Order moves by what they are worth."""
    return tuple(sorted(weighed, key=lambda one: -one[1]))


def act(turn: Turn, rng: Chance, hand: Hand, tempo: Tempo, asked: TileView) -> Answer:
    """Do the right deed with a human hand: late, or wrong by a slip, now and then."""
    ready = at_pace(hand, tempo.pace)
    at = reaction(rng, at_plates(ready) if asked.side == "plate" else ready)
    at = round(at + hesitation(rng, hand), 1)
    if at > turn.view.options.race_ms:
        return Answer(None, "late")
    if rng.uniform() < hand.slip * tempo.slips:
        return Answer(replace(slip(turn, rng, asked), at=at), "slip")
    deed = right_deed(turn, asked)
    return Answer(replace(deed, at=at), reason_to_act(turn, tempo, asked))


def reason_to_act(turn: Turn, tempo: Tempo, asked: TileView) -> str:
    """Name the reason for the deed that the dice ask for."""
    usual = "slap" if asked.owner is None else "own" if asked.owner == turn.seat else "steal"
    return tempo.because or usual


def right_deed(turn: Turn, asked: TileView) -> Slap | Grab:
    """Give the deed that the dice ask for, without its time."""
    return Slap(asked.tile) if asked.owner is None else Grab(asked.owner == turn.seat)


def slip(turn: Turn, rng: Chance, asked: TileView) -> Slap | Grab:
    """Do what a hand does that is quicker than the eye."""
    if asked.owner is not None:
        return Grab(asked.owner != turn.seat)
    if rng.uniform() < GRABS_BY_MISTAKE:
        return Grab(False)
    return Slap(neighbour(turn.view, asked, rng))


def racing(turn: Turn) -> bool:
    """Say whether a deed is due in a race."""
    return not isinstance(turn.legal[0], Give | Name)


def give_or_name(turn: Turn, rng: Chance, hand: Hand) -> Answer:
    """Give any tile back [K10], or name the thief after one's own grab."""
    if isinstance(turn.legal[0], Give):
        table = with_tile(table_seen(turn.view), turn.seat, -1)
        worth = tuple((move, shares(table)[turn.seat]) for move in turn.legal)
        given = turn.legal[rng.below(len(turn.legal))]
        return Answer(given, "give", worth=worth, why=("give", {}))
    asked = tile_asked(turn.view)
    at = round(my_grab(turn) + max(QUICKEST_NAME, reaction(rng, hand) / 2), 1)
    if asked.thief is None:
        return Answer(Name(THIEVES[rng.below(len(THIEVES))], at), "guess")
    worth = worth_of_names(turn, asked)
    if rng.uniform() < hand.slip:
        wrong = Name(THIEVES[rng.below(len(THIEVES))], at)
        return Answer(wrong, "slip", worth=worth, why=("name", {}))
    return Answer(Name(asked.thief, at), "name", worth=worth)


def worth_of_names(turn: Turn, asked: TileView) -> tuple[tuple[Any, float], ...]:
    """Weigh the three names, if one's own grab was the first [K14] [K16]."""
    if asked.owner is None:
        return ()
    table, squeaked = table_seen(turn.view), turn.view.deeds[turn.seat].squeak
    fair = squeaked == (asked.owner == turn.seat)
    ends = {
        move: after_grab(table, asked.owner, turn.seat, float(fair and move.thief == asked.thief))
        for move in sorted(turn.legal, key=lambda move: move.thief != asked.thief)
    }
    return best_first([(move, mixed(found)[turn.seat]) for move, found in ends.items()])


def my_grab(turn: Turn) -> float:
    """Give the time of one's own grab."""
    mine = turn.view.deeds[turn.seat]
    assert mine is not None  # noqa: S101  # a seat sees its own deed
    return float(mine.at)


def tile_asked(view: View) -> TileView:
    """Find the tile that the dice ask for."""
    return next(shown for shown in view.circle if shown.tile == view.roll)


def neighbour(view: View, asked: TileView, rng: Chance) -> Tile:
    """Slip to a tile in the middle that shares the symbol or the colour, if there is one."""
    middle = [shown.tile for shown in view.circle if shown.owner is None]
    alike = [
        tile
        for tile in middle
        if tile != asked.tile and (tile[0] == asked.tile[0] or tile[1] == asked.tile[1])
    ]
    choice = alike or middle
    return choice[rng.below(len(choice))]
