"""How quick the bots are in a race: whoever reads and types needs longer than a hand at a table."""

from collections.abc import Callable, Iterator
from typing import Any, Final

from msgspec import Meta, Struct
from msgspec.structs import fields, replace

from tischlein.bots import Answer, Bot, Chance, Turn
from tischlein.game import AnyGame, BadStart, OpenRace, Timed


class Pace(Struct, frozen=True):
    """A factor on the bots' times, and whether races last as long as the house rules offer."""

    factor: float
    takes_its_time: bool = False


PACES: Final = {"slow": Pace(5, takes_its_time=True), "medium": Pace(2.5), "quick": Pace(1)}


def pace_named(name: str) -> Pace:
    """Find a pace by its name."""
    if name not in PACES:
        sentence = "there is no pace `{name}`; there are {known}"
        raise BadStart("no_pace", sentence, name=name[:40], known=", ".join(PACES))
    return PACES[name]


def slowed(bot: Bot, pace: Pace, race: Callable[[], OpenRace | None]) -> Bot:
    """Make a bot act more slowly in a race; too late is not at all. Its next word comes as ever."""

    def answer(turn: Turn, rng: Chance) -> Answer:
        given = bot(turn, rng)
        now = race()
        if now is None or turn.seat in now.acted or not isinstance(given.move, Timed):
            return given
        move: Any = given.move
        late = round(move.at * pace.factor, 1)
        return Answer(None if late > now.until else replace(move, at=late))

    return answer


def with_times(rules: AnyGame, options: dict[str, Any], pace: Pace) -> dict[str, Any]:
    """Give a race the time that the pace needs, where the house rules do not say."""
    return dict(longest_times(rules)) | options if pace.takes_its_time else options


def longest_times(rules: AnyGame) -> Iterator[tuple[str, int]]:
    """List the times among the house rules, in milliseconds, each as long as it is offered."""
    for option in fields(rules.Options):
        for note in getattr(option.type, "__metadata__", ()):
            if option.name.endswith("_ms") and isinstance(note, Meta) and note.examples:
                yield option.name, max(note.examples)
