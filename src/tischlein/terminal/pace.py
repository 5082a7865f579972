"""How quick the bots are in a race: whoever reads and types needs longer than a hand at a table."""

from typing import Any, Final

from msgspec import UNSET, Struct
from msgspec.structs import replace

from tischlein.bots import Answer, Bot, Chance, Turn
from tischlein.game import AnyGame, BadStart
from tischlein.games.kakerlaken.rules import Name, Options


class Pace(Struct, frozen=True):
    """A factor on the bots' times, and the times that the house rules give where none are set."""

    factor: float
    times: dict[str, int] = {}


PACES: Final = {
    "slow": Pace(5, {"race_ms": 20_000, "naming_ms": 8_000}),
    "medium": Pace(2.5),
    "quick": Pace(1),
}


def pace_named(name: str) -> Pace:
    """Find a pace by its name."""
    if name not in PACES:
        sentence = "there is no pace `{name}`; there are {known}"
        raise BadStart("no_pace", sentence, name=name[:40], known=", ".join(PACES))
    return PACES[name]


def slowed(bot: Bot, pace: Pace) -> Bot:
    """Make a bot slap and grab more slowly; too late is not at all."""

    def answer(turn: Turn, rng: Chance) -> Answer:
        given = bot(turn, rng)
        move = given.move
        at = getattr(move, "at", UNSET)
        if move is None or at is UNSET or isinstance(move, Name):
            return given
        late = round(at * pace.factor, 1)
        return Answer(None if late > turn.view.options.race_ms else replace(move, at=late))

    return answer


def with_times(rules: AnyGame, options: dict[str, Any], pace: Pace) -> dict[str, Any]:
    """Give a race the time that the pace needs, where the house rules do not say."""
    return pace.times | options if rules.Options is Options else options
