"""Olives: a die says how many lie on the plate. Eat them, or leave them? Exactly ten wins.

A first small game, to be changed into yours. `tischlein check` says what is wrong with it;
`docs/add-a-game.md` says what else a game can have: secrets, words, bots, races.
"""

from msgspec import Struct
from msgspec.structs import replace

from tischlein import game
from tischlein.game import By, Options

NAME = "first"
SEATS = range(2, 5)  # two, three or four can play
FULL = 10


# Moves. Each is one line of a record, as {"by": 0, "do": "eat"}.
# Whatever chance decides is a move, too: its player is called nature.


class Deal(game.Move, frozen=True):
    """Nature says who starts."""

    starter: int


class Roll(game.Move, frozen=True):
    """Nature rolls the die: so many olives lie on the plate."""

    olives: int


class Eat(game.Move, frozen=True):
    """Eat the olives."""


class Leave(game.Move, frozen=True):
    """Leave them."""


Move = Deal | Roll | Eat | Leave


class State(Struct, frozen=True):
    """The whole table. It never changes: every move makes a new one."""

    options: Options  # the house rules; `starter` is a seat, or None to let chance decide
    eaten: tuple[int, ...]  # by each seat; seats are numbered from 0
    turn: int = -1  # nobody's before nature has said who starts
    plate: int = 0


def start(seats: int, options: Options) -> State:
    """Give the table before the first move."""
    return State(options, (0,) * seats)


def to_move(state: State) -> tuple[By, ...]:
    """Say who is to move: a seat, nature, or nobody when the game is over."""
    if FULL in state.eaten:
        return game.NOBODY
    return (state.turn,) if state.plate else game.BY_NATURE


def legal(state: State, seat: int) -> list[Move]:
    """List what a seat may do that is to move. Everything else is refused."""
    fits = state.eaten[seat] + state.plate <= FULL
    return [Eat(), Leave()] if fits else [Leave()]


def chances(state: State) -> game.Chances:
    """List what nature may do, with probabilities that sum to one."""
    if state.turn < 0:
        return game.evenly([Deal(seat) for seat in game.starters(state.options, len(state.eaten))])
    return game.evenly([Roll(olives) for olives in range(1, 7)])


def play(state: State, by: By, move: Move) -> State:
    """Give the table after a legal move."""
    match move:
        case Deal(starter):
            return replace(state, turn=starter)
        case Roll(olives):
            return replace(state, plate=olives)
        case Eat():
            return pass_on(state, state.plate)
        case Leave():
            return pass_on(state, 0)


def pass_on(state: State, olives: int) -> State:
    """Let a seat eat so many, and the next one have its turn."""
    eaten = game.changed(state.eaten, state.turn, state.eaten[state.turn] + olives)
    return State(state.options, eaten, (state.turn + 1) % len(eaten))


def scores(state: State) -> tuple[int, ...]:
    """Count each seat's points. Who has most at the end has won."""
    return state.eaten


# How people read it; other languages may follow. A language that is missing falls back to English.
WORDS = {
    "en": {
        "title": "Olives",
        "pitch": "Eat exactly ten.",
        "deed.eat": "eat the olives",
        "deed.leave": "leave the olives",
    },
}
LOOK = {"eaten": "players", "plate": "numbers"}
