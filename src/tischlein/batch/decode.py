"""From words back to `tischlein.games`: what a lane holds as a state, what an action is as a move.

What no rule asks for is not in a lane and is left empty here: see each function.
"""

from collections.abc import Sequence
from functools import cache, lru_cache, partial
from typing import Any

import jax
from msgspec import UNSET

from tischlein.games.buffet import batch as buffet_batch
from tischlein.games.buffet import rules as buffet
from tischlein.games.kakerlaken import batch as kakerlaken_batch
from tischlein.games.kakerlaken import rules as kakerlaken
from tischlein.games.sushizock import batch as sushizock_batch
from tischlein.games.sushizock import rules as sushizock


def sushizock_state(words: Sequence[int], seats: int) -> sushizock.State:
    """Read a game of Sushizock; nothing is left out."""
    at: Any = sushizock_batch.Lanes._make(words)
    values = [1 + (at.sushi >> k & 1) + 2 * (at.sushi >> k + 16 & 1) + 4 * (at.sushi_high >> k & 1)
              for k in range(12)]  # fmt: skip
    sushi = in_piles(values, at.sushi_lengths, seats)
    bones = in_piles(
        [-1 - (at.bones >> k & 1) - 2 * (at.bones >> k + 16 & 1) for k in range(12)],
        at.bones_lengths,
        seats,
    )
    counts = [at.dice >> 4 * k & 15 for k in range(8)]
    return sushizock.State(
        seats,
        sushizock.Options(),
        sushi[0],
        bones[0],
        tuple(zip(sushi[1:], bones[1:], strict=True)),
        at.turn & 7,
        tuple(counts[:4]),
        tuple(counts[4:]),
        at.turn >> 8 & 3,
    )


def in_piles(values: list[int], lengths: int, seats: int) -> list[tuple[int, ...]]:
    """Cut a line of tiles into the row and the piles."""
    found, first = [], 0
    for pile in range(seats + 1):
        length = lengths >> 5 * pile & 31
        found.append(tuple(values[first : first + length]))
        first += length
    return found


def sushizock_move(action: int, state: sushizock.State) -> sushizock.Move:
    """Read an action of Sushizock."""
    if action == sushizock_batch.FORCED:
        return sushizock.FORCED
    if action < sushizock_batch.FIRST_KEEP:
        return sushizock.TAKES["sushi" if action == sushizock_batch.TAKES else "bones"]
    if action < sushizock_batch.FIRST_STEAL:
        kept = sushizock_batch.KEEPS[action - sushizock_batch.FIRST_KEEP]
        return sushizock.Keep(sushizock.faces(kept))
    pile, depth = divmod(action - sushizock_batch.FIRST_STEAL, sushizock_batch.TILES)
    kind, other = divmod(pile, state.seats - 1)
    victim = ((state.turn or 0) + 1 + other) % state.seats
    return sushizock.Steal("bones" if kind else "sushi", victim, depth + 1)


def buffet_state(words: Sequence[int], seats: int) -> buffet.State:
    """Read a settled game of Buffet.

    Stacks hold their top plates only, the stock and the plates to come are sorted (no plates in
    the last round), the discards are sorted, too, and what the last reveal showed is left out.
    """
    at: Any = jax.tree.unflatten(buffet_structure(seats), words)
    table = buffet_batch.unpack(at.table)
    unfold: Any = buffet_batch.pile_of
    folded = zip(at.hands, at.hands_high, strict=True)
    hands = [cards_of(unfold(low, high)) for low, high in folded]
    laid = [at.laid >> 4 * seat & 15 for seat in range(seats)]
    inside = tuple(seat for seat in range(seats) if int(table.inside) >> seat & 1)
    to_play = tuple(seat for seat in inside if laid[seat] == buffet_batch.NOT_LAID)
    mover = int(table.mover)
    last_round = int(table.round) == buffet_batch.rounds(seats)
    plates = tuple(low | more for low, more in zip(at.plates, at.ahead, strict=True))
    return buffet.State(
        seats,
        buffet.Options(),
        int(table.token),
        int(table.round),
        int(table.second) + 1,
        () if last_round else plates_of(plates),
        plates_of(at.buffet),
        tuple(stacks_of(stack) for stack in at.stacks),
        cards_of(at.stock),
        tuple(
            sorted(
                [(card, True) for card in cards_of(at.face_up)]
                + [(card, False) for card in cards_of(at.face_down)]
            )
        ),
        tuple(hands),
        tuple(
            (at.at[seat // 3] >> seat % 3 * 10 & 1023) - buffet_batch.AT_ZERO
            for seat in range(seats)
        ),
        inside,
        (mover,) if table.exchanging else to_play,
        tuple(None if card == buffet_batch.NOT_LAID else card - 1 for card in laid),
        mover if table.exchanging else None,
    )


@cache
def buffet_structure(seats: int) -> Any:
    """Say how the words of a game of Buffet go together."""
    word = jax.ShapeDtypeStruct((), "uint32")  # type: ignore[no-untyped-call]
    return jax.tree.structure(
        jax.eval_shape(partial(buffet_batch.fresh, seats=seats), (word, word))
    )


@lru_cache(4096)
def cards_of(pile: tuple[int, ...]) -> tuple[int, ...]:
    """List the cards of a pile, sorted."""
    up_to = [pile[at // 4] >> at % 4 * 8 & 255 for at in range(buffet_batch.VALUES)]
    counts = [n - before for n, before in zip(up_to, [0, *up_to], strict=False)]
    return tuple(card - 1 for card, n in enumerate(counts) for _ in range(n))


@lru_cache(4096)
def plates_of(plates: tuple[int, ...]) -> tuple[buffet.Plate, ...]:
    """List a set of plates as a buffet lies, from left to right [B6]."""
    found = []
    for at in reversed(range(buffet_batch.PLATES)):
        if plates[at // buffet_batch.HALF] >> at % buffet_batch.HALF & 1:
            found.append((buffet.FOODS[5 - at % 6], buffet.PLATE_VALUES[at // 6]))
    return tuple(found)


@lru_cache(4096)
def stacks_of(stack: int) -> buffet.Stacks:
    """Read the top plates of a seat."""
    tops = [(stack >> 3 * (5 - food) & 7) - 1 for food in range(6)]
    return tuple((top,) if top else () for top in tops)


def buffet_move(action: int, state: buffet.State) -> buffet.Move:
    """Read an action of Buffet."""
    if action < buffet_batch.FIRST_EXCHANGE:
        return buffet.PLAYS[action - 1]
    hand, places = state.hands[state.exchanging or 0], action - buffet_batch.FIRST_EXCHANGE
    return buffet.Exchange(tuple(card for at, card in enumerate(hand) if places >> at & 1))


def kakerlaken_state(words: Sequence[int], seats: int) -> kakerlaken.State:
    """Read a game of Kakerlaken Sushi; the mover alone is in `movers`, the last race left out."""
    table = kakerlaken_batch.unpack(words[0])  # type: ignore[arg-type]
    owners = [words[1] >> 3 * tile & 7 for tile in range(9)]
    giving = table.phase == kakerlaken_batch.GIVING
    return kakerlaken.State(
        seats,
        kakerlaken.Options(),
        circle_of(words[3]),
        tuple(owner - 1 if owner else None for owner in owners),
        tuple(words[2] >> 3 * seat & 7 for seat in range(seats)),
        int(table.roller),
        None if giving else kakerlaken.TILES[int(table.roll)],
        tuple(kakerlaken_deed(word) for word in words[4 : 4 + seats]),
        tuple(seat for seat in range(seats) if int(table.owing) >> seat & 1),
        movers=(int(table.mover),),
    )


@lru_cache(4096)
def circle_of(number: int) -> tuple[kakerlaken.Tile, ...]:
    """Lay the circle of a number: its digits say which of the tiles left comes next."""
    left, found = list(kakerlaken.TILES), []
    for size in range(9, 0, -1):
        number, digit = divmod(number, size)
        found.append(left.pop(digit))
    return tuple(found)


def kakerlaken_deed(word: int) -> kakerlaken.Deed | None:
    """Read a deed."""
    at, kind, thief, delay = float(word & 8191), word >> 13 & 15, word >> 17 & 3, word >> 19
    if kind in (0, kakerlaken_batch.WAITED):
        return None
    if kind < kakerlaken_batch.GRABBED:
        return kakerlaken.Deed(at, kakerlaken.TILES[kind - 1])
    squeak = kind == kakerlaken_batch.SQUEAKED
    if not thief:
        return kakerlaken.Deed(at, None, squeak)
    return kakerlaken.Deed(at, None, squeak, kakerlaken.THIEVES[thief - 1], at + delay)


def kakerlaken_move(action: int, state: kakerlaken.State) -> kakerlaken.Move | None:
    """Read an action of Kakerlaken Sushi; None is to wait."""
    what, when = action & 31, (action >> kakerlaken_batch.WHEN) - 1
    at = float(when) if when >= 0 else UNSET
    if what < kakerlaken_batch.GRAB:
        return kakerlaken.Slap(kakerlaken.TILES[what], at)
    if what < kakerlaken_batch.NAME_IT:
        return kakerlaken.Grab(what != kakerlaken_batch.GRAB, at)
    if what < kakerlaken_batch.GIVE:
        grab = state.deeds[int(state.movers[0])]
        named_at = at if at is UNSET or grab is None else at + grab.at
        return kakerlaken.Name(kakerlaken.THIEVES[what - kakerlaken_batch.NAME_IT], named_at)
    if what < kakerlaken_batch.WAIT:
        return kakerlaken.Give(kakerlaken.TILES[what - kakerlaken_batch.GIVE])
    return None


STATES: Any = {
    "buffet": buffet_state,
    "kakerlaken": kakerlaken_state,
    "sushizock": sushizock_state,
}
MOVES: Any = {
    "buffet": buffet_move,
    "kakerlaken": kakerlaken_move,
    "sushizock": sushizock_move,
}
