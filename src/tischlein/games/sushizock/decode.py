"""From words back to the rules: what a lane holds as a state, what an action is as a move."""

from collections.abc import Sequence
from typing import Any

from tischlein.games.sushizock import batch, rules


def state_of(words: Sequence[int], seats: int) -> rules.State:
    """Read a game of Sushizock; nothing is left out."""
    at: Any = batch.Lanes._make(words)
    values = [1 + (at.sushi >> k & 1) + 2 * (at.sushi >> k + 16 & 1) + 4 * (at.sushi_high >> k & 1)
              for k in range(12)]  # fmt: skip
    sushi = in_piles(values, at.sushi_lengths, seats)
    bones = in_piles(
        [-1 - (at.bones >> k & 1) - 2 * (at.bones >> k + 16 & 1) for k in range(12)],
        at.bones_lengths,
        seats,
    )
    counts = [at.dice >> 4 * k & 15 for k in range(8)]
    return rules.State(
        seats,
        rules.Options(),
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


def move_of(action: int, state: rules.State) -> rules.Move:
    """Read an action of Sushizock."""
    if action == batch.FORCED:
        return rules.FORCED
    if action < batch.FIRST_KEEP:
        return rules.TAKES["sushi" if action == batch.TAKES else "bones"]
    if action < batch.FIRST_STEAL:
        kept = batch.KEEPS[action - batch.FIRST_KEEP]
        return rules.Keep(rules.faces(kept))
    pile, depth = divmod(action - batch.FIRST_STEAL, batch.TILES)
    kind, other = divmod(pile, state.seats - 1)
    victim = ((state.turn or 0) + 1 + other) % state.seats
    return rules.Steal("bones" if kind else "sushi", victim, depth + 1)
