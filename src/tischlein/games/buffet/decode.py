"""From words back to the rules: what a lane holds as a state, what an action is as a move."""

from collections.abc import Sequence
from functools import cache, lru_cache, partial
from typing import Any

import jax

from tischlein.games.buffet import batch, rules


def state_of(words: Sequence[int], seats: int) -> rules.State:
    """Read a settled game of Buffet.

    Stacks hold their top plates only, the stock and the plates to come are sorted (no plates in
    the last round), the discards are sorted, too, and what the last reveal showed is left out.
    """
    at: Any = jax.tree.unflatten(structure(seats), words)
    table = batch.unpack(at.table)
    unfold: Any = batch.pile_of
    folded = zip(at.hands, at.hands_high, strict=True)
    hands = [cards_of(unfold(low, high)) for low, high in folded]
    laid = [at.laid >> 4 * seat & 15 for seat in range(seats)]
    inside = tuple(seat for seat in range(seats) if int(table.inside) >> seat & 1)
    to_play = tuple(seat for seat in inside if laid[seat] == batch.NOT_LAID)
    mover = int(table.mover)
    last_round = int(table.round) == batch.rounds(seats)
    plates = tuple(low | more for low, more in zip(at.plates, at.ahead, strict=True))
    return rules.State(
        seats,
        rules.Options(),
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
        tuple((at.at[seat // 3] >> seat % 3 * 10 & 1023) - batch.AT_ZERO for seat in range(seats)),
        inside,
        (mover,) if table.exchanging else to_play,
        tuple(None if card == batch.NOT_LAID else card - 1 for card in laid),
        mover if table.exchanging else None,
    )


@cache
def structure(seats: int) -> Any:
    """Say how the words of a game of Buffet go together."""
    word = jax.ShapeDtypeStruct((), "uint32")  # type: ignore[no-untyped-call]
    return jax.tree.structure(jax.eval_shape(partial(batch.fresh, seats=seats), (word, word)))


@lru_cache(4096)
def cards_of(pile: tuple[int, ...]) -> tuple[int, ...]:
    """List the cards of a pile, sorted."""
    up_to = [pile[at // 4] >> at % 4 * 8 & 255 for at in range(batch.VALUES)]
    counts = [n - before for n, before in zip(up_to, [0, *up_to], strict=False)]
    return tuple(card - 1 for card, n in enumerate(counts) for _ in range(n))


@lru_cache(4096)
def plates_of(plates: tuple[int, ...]) -> tuple[rules.Plate, ...]:
    """List a set of plates as a buffet lies, from left to right [B6]."""
    found = []
    for at in reversed(range(batch.PLATES)):
        if plates[at // batch.HALF] >> at % batch.HALF & 1:
            found.append((rules.FOODS[5 - at % 6], rules.PLATE_VALUES[at // 6]))
    return tuple(found)


@lru_cache(4096)
def stacks_of(stack: int) -> rules.Stacks:
    """Read the top plates of a seat."""
    tops = [(stack >> 3 * (5 - food) & 7) - 1 for food in range(6)]
    return tuple((top,) if top else () for top in tops)


def move_of(action: int, state: rules.State) -> rules.Move:
    """Read an action of Buffet."""
    if action < batch.FIRST_EXCHANGE:
        return rules.PLAYS[action - 1]
    hand, places = state.hands[state.exchanging or 0], action - batch.FIRST_EXCHANGE
    return rules.Exchange(tuple(card for at, card in enumerate(hand) if places >> at & 1))
