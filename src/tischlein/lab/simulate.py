"""Games between bots, each a function of one seed."""

from collections.abc import Callable, Sequence
from typing import Any

from msgspec import UNSET, Struct

from tischlein import record
from tischlein.bots import Bot, Chance, Turn, levels, turn_of
from tischlein.chance import Fair, Quick, commitment, contributions_of
from tischlein.game import NATURE, AnyGame
from tischlein.record import Replay

MOST_MOVES = 1_000_000


class Endless(Exception):
    """A game that does not come to its end, whatever its players do."""


class Fault(Struct, frozen=True):
    """A seat whose bot failed or broke the rules, and how; a legal move took its place."""

    seat: int
    what: str


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
    faults: list[Fault] | None = None,
) -> Replay:
    """Play one whole game; the same seed and the same answers give the same game.

    With a list of `faults`, any legal move takes the place of an answer that fails or is illegal,
    and the fault is written down; without, it is raised.
    """
    words = [""] * len(names)
    promised = {"commitment": commitment(seed), "contributions": words}
    game = Replay(record.header(rules.NAME, names, options, **promised))
    rng = Quick(f"bots/{seed}")
    passed: set[int] = set()
    while not game.over:
        if len(game.moves) > MOST_MOVES:
            raise Endless(f"{rules.NAME} is not over after {MOST_MOVES:,} moves")
        if not play_seats(game, ask, rng, passed, tell, faults):
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
    game: Replay,
    ask: Asker,
    rng: Chance,
    passed: set[int],
    tell: Callable[[Replay], None],
    faults: list[Fault] | None,
) -> bool:
    """Ask all who may move and have not passed; play their moves, earliest first."""
    answers = []
    for by in game.rules.to_move(game.state):
        if by != NATURE and by not in passed:
            turn = turn_of(game.rules, game.state, game.moves, int(by))
            if faults is None:
                move = ask(turn, rng).move
            else:
                move = answer_or_instead(game, ask, turn, rng, faults)
            if move is None:
                passed.add(int(by))
            else:
                answers.append((int(by), move))
    answers.sort(key=lambda answer: time_of(answer[1]))
    for seat, move in answers:
        game.play(seat, move)
        tell(game)
    return bool(answers)


def time_of(move: Any) -> float:
    """Say when a move was made; where no clock runs all are made at once."""
    at = getattr(move, "at", UNSET)
    return 0.0 if at is UNSET else at


def answer_or_instead(
    game: Replay, ask: Asker, turn: Turn, rng: Chance, faults: list[Fault]
) -> Any | None:
    """Let a bot answer; where it fails or breaks the rules, write that down and move at random."""
    try:
        move = ask(turn, rng).move
        check_answer(game, turn.seat, move)
    except Exception as problem:  # whatever a bot does wrong, the game goes on
        faults.append(Fault(turn.seat, f"{type(problem).__name__}: {problem}"))
        return levels(game.rules)["random"](turn, rng).move
    return move


def check_answer(game: Replay, seat: int, move: Any | None) -> None:
    """Raise what is wrong with an answer: an illegal move, or none where one is due."""
    if move is not None:
        game.rules.play(game.state, seat, move)
    elif NATURE not in game.rules.to_move(game.state):
        raise ValueError("no move, though it is not a race")
