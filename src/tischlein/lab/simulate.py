"""Games between bots, each a function of one seed."""

from collections.abc import Callable, Sequence
from typing import Any

from tischlein import record
from tischlein.bots import Bot, Chance, turn_of
from tischlein.chance import Fair, Quick, commitment, contributions_of
from tischlein.record import Replay
from tischlein.rules import NATURE, AnyGame

MOST_MOVES = 1_000_000


class Endless(Exception):
    """A game that does not come to its end, whatever its players do."""


Asker = Bot
"""Whoever answers for all seats: bots, or a person at the keyboard too."""


def ask_bots(bots: Sequence[Bot]) -> Asker:
    """Let each seat's bot answer."""
    return lambda turn, rng: bots[turn.seat](turn, rng)


def seed_of(seed: str, number: int) -> str:
    """Give game `number` of a run a seed of its own."""
    return commitment(f"{seed}/{number}")


def play_game(
    rules: AnyGame,
    ask: Asker,
    names: Sequence[str],
    options: dict[str, Any],
    seed: str,
    tell: Callable[[Replay], None] = lambda game: None,
) -> Replay:
    """Play one whole game; the same seed and the same answers give the same game."""
    game = Replay(
        record.header(rules.NAME, names, options, commitment=commitment(seed)),
    )
    rng = Quick(f"bots/{seed}")
    passed: set[int] = set()
    while not game.over:
        if len(game.moves) > MOST_MOVES:
            raise Endless(f"{rules.NAME} is not over after {MOST_MOVES:,} moves")
        if not play_seats(game, ask, rng, passed, tell):
            play_nature(game, seed)
            tell(game)
            passed.clear()
    game.end(seed)
    return game


def play_nature(game: Replay, seed: str) -> None:
    """Play the move of nature that the seed gives here."""
    dice = Fair(seed, contributions_of(game), game.header.game, len(game.moves) + 1)
    game.play(NATURE, game.rules.draw(game.state, dice))


def play_seats(
    game: Replay, ask: Asker, rng: Chance, passed: set[int], tell: Callable[[Replay], None]
) -> bool:
    """Ask all who may move and have not passed; play their moves, earliest first."""
    answers = []
    for by in game.rules.to_move(game.state):
        if by != NATURE and by not in passed:
            move = ask(turn_of(game.rules, game.state, game.moves, int(by)), rng).move
            if move is None:
                passed.add(int(by))
            else:
                answers.append((int(by), move))
    answers.sort(key=lambda answer: getattr(answer[1], "at", 0))
    for seat, move in answers:
        game.play(seat, move)
        tell(game)
    return bool(answers)
