"""Two Dice: roll on, or bank what you have? A one loses it all, a double counts twice."""

from msgspec import Struct
from msgspec.structs import replace

from tischlein import game

NAME = "two_dice"
SEATS, GOAL = range(2, 7), 50
LOOK = {"dice": "dice", "banked": "players"}
WORDS = {
    "en": {"title": "Two Dice", "deed.roll": "roll on", "deed.bank": "bank the pot"},
    "de": {"title": "Zwei Würfel", "deed.roll": "weiterwürfeln", "deed.bank": "den Topf sichern"},
    "fr": {"title": "Deux dés", "deed.roll": "relancer", "deed.bank": "garder le pot"},
    "it": {"title": "Due dadi", "deed.roll": "rilanciare", "deed.bank": "incassare il piatto"},
}


class Deal(game.Move, frozen=True):  # nature: who begins
    starter: int


class Fall(game.Move, frozen=True):  # nature: how the dice fall
    dice: tuple[int, int]


class Roll(game.Move, frozen=True): ...


class Bank(game.Move, frozen=True): ...


Move = Deal | Fall | Roll | Bank
FALLS = game.evenly([Fall((one, other)) for one in range(1, 7) for other in range(1, 7)])


class State(Struct, frozen=True):
    options: game.Options
    banked: tuple[int, ...]
    turn: int = -1
    pot: int = 0
    dice: tuple[int, ...] = ()  # none while they roll


def start(seats: int, options: game.Options) -> State:
    return State(options, (0,) * seats)


def to_move(state: State) -> tuple[game.By, ...]:
    if max(state.banked) >= GOAL:
        return game.NOBODY
    return (state.turn,) if state.dice else game.BY_NATURE


def legal(state: State, seat: int) -> list[Move]:
    return [Roll(), Bank()] if state.pot else [Roll()]


def chances(state: State) -> game.Chances:
    seats = game.starters(state.options, len(state.banked))
    return FALLS if state.turn >= 0 else game.evenly([Deal(seat) for seat in seats])


def play(state: State, by: game.By, move: Move) -> State:
    match move:
        case Deal(starter):
            return replace(state, turn=starter)
        case Roll():
            return replace(state, dice=())
        case Fall((one, other)) if one > 1 and other > 1:
            won = (one + other) * (2 if one == other else 1)
            return replace(state, pot=state.pot + won, dice=move.dice)
    won, dice = (state.pot, state.dice) if isinstance(move, Bank) else (0, move.dice)
    banked = game.changed(state.banked, state.turn, state.banked[state.turn] + won)
    return State(state.options, banked, (state.turn + 1) % len(banked), dice=dice)


def scores(state: State) -> tuple[int, ...]:
    return state.banked
