"""What bots that count with arrays answer, bit for bit, at some tables where easy ones play."""

import json
from collections.abc import Iterator
from typing import Any, Final

import msgspec

from tischlein.bots import Answer, Turn, appraiser, bot_named, turn_of
from tischlein.chance import Quick
from tischlein.game import NATURE, AnyGame
from tischlein.games import game_named

TABLES: Final = {"sushizock": (2, 4), "buffet": (3, 5)}
LEVELS: Final = ("hard", "expert")
EVERY: Final = 5
"""So many decisions apart bots are asked."""
MOST: Final = 12


def decisions(rules: AnyGame, seats: int) -> Iterator[tuple[Any, Turn]]:
    """Give some states of a game, and what the seat that moves may know."""
    rng, easy = Quick(seats), bot_named(rules, "easy")
    state, many = rules.start(seats), 0
    moves: list[tuple[Any, Any]] = []
    while movers := rules.to_move(state):
        by = movers[0]
        if by == NATURE:
            move = rules.draw(state, rng)
        else:
            turn = turn_of(rules, state, moves, by)
            many += 1
            if many % EVERY == 0:
                yield state, turn
            move = easy(turn, rng).move
        state = rules.play(state, by, move)
        moves.append((by, move))


def told(answer: Answer) -> Any:
    """Write an answer down, all numbers bit for bit."""
    worth = [(told_move(move), float(share).hex()) for move, share in answer.worth]
    doubt = [float(gap).hex() for gap in answer.doubt]
    return [told_move(answer.move), answer.because, repr(answer.fields), worth, doubt]


def told_move(move: Any) -> str:
    """Write a move down."""
    return msgspec.json.encode(move).decode()


def answers() -> dict[str, Any]:
    """Ask all bots at all tables."""
    found: dict[str, Any] = {}
    for name, tables in TABLES.items():
        rules = game_named(name)
        for seats in tables:
            pairs = zip(range(MOST), decisions(rules, seats), strict=False)
            for number, (state, turn) in pairs:
                for level in LEVELS:
                    answer = bot_named(rules, level)(turn, Quick(number))
                    found[f"{name} {seats} {number} {level}"] = told(answer)
                shares = [float(share).hex() for share in appraiser(rules)(state)]
                found[f"{name} {seats} {number} appraised"] = shares
    return found


if __name__ == "__main__":
    print(json.dumps(answers()))
