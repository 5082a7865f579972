"""From words back to the rules: what a lane holds as a state, what an action is as a move."""

from collections.abc import Sequence
from functools import lru_cache

from msgspec import UNSET

from tischlein.games.kakerlaken import batch, rules


def state_of(words: Sequence[int], seats: int) -> rules.State:
    """Read a game of Kakerlaken Sushi; the mover alone is in `movers`, the last race left out."""
    table = batch.unpack(words[0])  # type: ignore[arg-type]
    owners = [words[1] >> 3 * tile & 7 for tile in range(9)]
    giving = table.phase == batch.GIVING
    return rules.State(
        seats,
        rules.Options(),
        circle_of(words[3]),
        tuple(owner - 1 if owner else None for owner in owners),
        tuple(words[2] >> 3 * seat & 7 for seat in range(seats)),
        int(table.roller),
        None if giving else rules.TILES[int(table.roll)],
        tuple(deed_of(word) for word in words[4 : 4 + seats]),
        tuple(seat for seat in range(seats) if int(table.owing) >> seat & 1),
        movers=(int(table.mover),),
    )


@lru_cache(4096)
def circle_of(number: int) -> tuple[rules.Tile, ...]:
    """Lay the circle of a number: its digits say which of the tiles left comes next."""
    left, found = list(rules.TILES), []
    for size in range(9, 0, -1):
        number, digit = divmod(number, size)
        found.append(left.pop(digit))
    return tuple(found)


def deed_of(word: int) -> rules.Deed | None:
    """Read a deed."""
    at, kind, thief, delay = float(word & 8191), word >> 13 & 15, word >> 17 & 3, word >> 19
    if kind in (0, batch.WAITED):
        return None
    if kind < batch.GRABBED:
        return rules.Deed(at, rules.TILES[kind - 1])
    squeak = kind == batch.SQUEAKED
    if not thief:
        return rules.Deed(at, None, squeak)
    return rules.Deed(at, None, squeak, rules.THIEVES[thief - 1], at + delay)


def move_of(action: int, state: rules.State) -> rules.Move | None:
    """Read an action of Kakerlaken Sushi; None is to wait."""
    what, when = action & 31, (action >> batch.WHEN) - 1
    at = float(when) if when >= 0 else UNSET
    if what < batch.GRAB:
        return rules.Slap(rules.TILES[what], at)
    if what < batch.NAME_IT:
        return rules.Grab(what != batch.GRAB, at)
    if what < batch.GIVE:
        grab = state.deeds[int(state.movers[0])]
        named_at = at if at is UNSET or grab is None else at + grab.at
        return rules.Name(rules.THIEVES[what - batch.NAME_IT], named_at)
    if what < batch.WAIT:
        return rules.Give(rules.TILES[what - batch.GIVE])
    return None
