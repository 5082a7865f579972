"""A policy takes a seat: at a table of bots, or at a table of people anywhere."""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from tischlein.bots import Answer, Bot, Chance, Turn
from tischlein.envs.games import process, process_of
from tischlein.envs.layout import Array, mask
from tischlein.games import game_named

Policy = Callable[[Array, NDArray[np.int8]], int]
"""Chooses the number of an action from an observation and the mask of legal actions."""


def as_bot(policy: Policy, game: str, *, memory: bool = False, **times: int) -> Bot:
    """Make a bot of a policy; in a race `tick_ms` and `noise` say how its hands move."""

    @cache
    def table(seats: int) -> Any:
        return process(game, seats, times, memory=memory)

    def bot(turn: Turn, rng: Chance) -> Answer:
        played = table(process_of(game).seats_of(turn.view))

        def ask(observation: Array, legal: Sequence[int]) -> int:
            number = int(policy(observation, mask(legal, len(played.labels))))
            if number not in legal:
                raise ValueError(f"the policy chose action {number}; legal are {list(legal)}")
            return number

        return Answer(played.choose(turn, ask, rng))

    return bot


def turn_from(game: str, seat: int, frame: dict[str, Any], history: Sequence[Any] = ()) -> Turn:
    """Read what a seat may know and do from a `state` frame of the server (docs/protocol.md)."""
    rules = game_named(game)
    view = msgspec.convert(frame["view"], rules.View, str_keys=True)
    listed = frame["legal"].get(str(seat), [])
    legal = [msgspec.convert(move, rules.Move) for move in listed]
    return Turn(seat, view, legal, history)
