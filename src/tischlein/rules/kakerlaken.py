"""Kakerlaken Sushi (Thierry Chapeau, Drei Magier 2019): quick eyes, quick hands."""

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cache
from typing import Annotated, Any, Final, Literal

from msgspec import UNSET, Meta, Struct, UnsetType
from msgspec.structs import replace

from tischlein.rules import game
from tischlein.rules.game import BY_NATURE, NATURE, NOBODY, REFEREE, By, Rng, Seen, Viewer

NAME: Final = "kakerlaken"
SEATS: Final = range(2, 6)

Symbol = Literal["chopsticks", "rice", "sushi"]
Colour = Literal["red", "green", "yellow"]
Thief = Literal["ant", "cockroach", "rat"]
Tile = tuple[Symbol, Colour]

SYMBOLS: Final[tuple[Symbol, ...]] = ("chopsticks", "rice", "sushi")  # [K1], two faces each
COLOURS: Final[tuple[Colour, ...]] = ("red", "green", "yellow")  # [K1], two faces each
THIEVES: Final[tuple[Thief, ...]] = ("ant", "cockroach", "rat")
TILES: Final[tuple[Tile, ...]] = tuple((s, c) for s in SYMBOLS for c in COLOURS)  # [K2]
THIEF_OF: Final[dict[Tile, Thief]] = {
    (symbol, colour): THIEVES[(row + column) % 3]
    for row, symbol in enumerate(SYMBOLS)
    for column, colour in enumerate(COLOURS)
}  # [K3], a Latin square
MOST_TILES: Final = 5  # [K19]
COINS_TO_WIN: Final = 4  # [K21]

Milliseconds = Annotated[
    int, Meta(ge=1, le=3_600_000, description="a number of milliseconds from 1 to 3600000")
]
At = float | UnsetType
"""Milliseconds from the moment the player saw the dice; not set in lists of legal moves."""


class Options(game.Options, frozen=True):
    """House rules; `young` turns the tiles thief side up [K22], the others are times."""

    young: bool = False
    race_ms: Milliseconds = 8000
    naming_ms: Milliseconds = 3000


class Deal(game.Move, frozen=True):
    """Nature lays the circle and names who rolls first."""

    circle: tuple[Tile, ...]
    starter: int


class Roll(game.Move, frozen=True):
    """Nature rolls both dice: the race is open."""

    symbol: Symbol
    colour: Colour


class Slap(game.Move, frozen=True):
    """Slap a tile in the middle."""

    tile: Tile
    at: At = UNSET


class Grab(game.Move, frozen=True):
    """Grab the sushi master, with a squeak or without."""

    squeak: bool
    at: At = UNSET


class Name(game.Move, frozen=True):
    """Name the thief after one's own grab."""

    thief: Thief
    at: At = UNSET


class Time(game.Move, frozen=True):
    """Nature closes the race."""


class Give(game.Move, frozen=True):
    """Give a tile back for a wrong grab [K10]."""

    tile: Tile


Move = Deal | Roll | Slap | Grab | Name | Time | Give

TIME: Final = Time()
GRABS: Final[tuple[Move, ...]] = (Grab(False), Grab(True))
NAMES: Final[tuple[Move, ...]] = tuple(Name(thief) for thief in THIEVES)
ROLLS: Final = tuple((Roll(*tile), Fraction(1, len(TILES))) for tile in TILES)

REASONS: Final = game.COMMON_REASONS | {
    "wrong_circle": "the circle must hold each of the nine tiles once",
    "race_closed": "the race is over; wait for the next roll",
    "race_open": "the race is open: the dice are rolled when it is over",
    "one_deed": "only one deed a roll: you have already slapped or grabbed",
    "not_in_the_middle": "that tile does not lie in the middle",
    "grab_first": "grab the master first, then name the thief",
    "named_already": "you have named a thief already",
    "no_time": "say when: `at` must be a number of milliseconds, 0 or more",
    "named_before_grab": "you cannot name the thief before you have grabbed the master",
    "give_first": "first give a tile back for your wrong grab",
    "owes_nothing": "you have no tile to give back now",
    "not_your_tile": "that tile does not lie in front of you",
    "wait_for_give": "wait: somebody must give a tile back first",
}


class Deed(Struct, frozen=True):
    """What a seat did in a race: a slap (with its tile) or a grab, and the name after it."""

    at: float
    tile: Tile | None = None
    squeak: bool = False
    thief: Thief | None = None
    named_at: float | None = None


Outcome = Literal[
    "nobody_right",  # [K11]
    "tile_won",  # [K9] [K16]
    "sixth_tile",  # [K19]
    "coin_for_owner",  # [K14]
    "owner_erred",  # [K15]
    "other_erred",  # [K17]
    "nobody_grabbed",  # [K18]
]


class Race(Struct, frozen=True):
    """A race that is over: its roll, every deed by seat, what came of it and by whom."""

    roll: Tile
    deeds: tuple[Deed | None, ...]
    outcome: Outcome
    seat: int | None
    owner: int | None


class State(Struct, frozen=True):
    """The whole table; `circle` is empty until nature has dealt."""

    seats: int
    options: Options
    circle: tuple[Tile, ...] = ()
    owners: tuple[int | None, ...] = (None,) * len(TILES)
    coins: tuple[int, ...] = ()
    roller: int = 0
    roll: Tile | None = None
    deeds: tuple[Deed | None, ...] = ()
    owing: tuple[int, ...] = ()
    last: Race | None = None


class TileView(Struct, frozen=True):
    """A tile of the circle; its thief is null while it lies plate side up [K23]."""

    tile: Tile
    side: Literal["plate", "thief"]
    thief: Thief | None
    owner: int | None


class View(Struct, frozen=True):
    """What somebody may see of the table."""

    circle: tuple[TileView, ...]
    coins: tuple[int, ...]
    roller: int
    roll: Tile | None
    acted: tuple[int, ...]
    deeds: dict[int, Deed | None]
    owing: tuple[int, ...]
    last: Race | None
    options: Options


def start(seats: int, options: Mapping[str, Any] | None = None) -> State:
    """Give the empty table, before nature deals."""
    chosen = game.set_up(seats, options, SEATS, Options)
    return State(seats, chosen, coins=(0,) * seats, deeds=(None,) * seats)


def to_move(state: State) -> tuple[By, ...]:
    """Say who may move now: in a race all who may still act or name, and the clock."""
    if state.roll is not None:
        return (*racers(state), NATURE)
    if state.owing:
        return state.owing
    return NOBODY if max(state.coins) >= COINS_TO_WIN else BY_NATURE  # [K21]


def legal(state: State, seat: int) -> Sequence[Move]:
    """List every legal move of a seat and nothing else; race moves without their time."""
    if not 0 <= seat < state.seats:
        return ()
    if state.roll is not None:
        deed = state.deeds[seat]
        if deed is None:
            return deeds_at(state.owners)
        return NAMES if deed.tile is None and deed.thief is None else ()  # [K13]
    return [Give(tile) for tile in tiles_of(state, seat)] if seat in state.owing else ()


def play(state: State, by: By, move: Move) -> State:
    """Give the state after the move, or raise IllegalMove."""
    if by not in to_move(state):
        raise refuse_mover(state, by)
    if by == NATURE:
        return play_nature(state, move)
    if isinstance(move, (Slap, Grab)):
        return play_deed(state, by, move)
    if isinstance(move, Name):
        return play_name(state, by, move)
    if isinstance(move, Give):
        return play_give(state, by, move)
    raise refuse("only_nature")


def chances(state: State) -> Sequence[tuple[Move, Fraction]]:
    """List the nine rolls, all equally likely [K1]; a deal can't be listed."""
    return ROLLS if state.circle and to_move(state) == BY_NATURE else ()


def draw(state: State, rng: Rng) -> Move:
    """Draw nature's next move: lay the circle, roll, or close the race."""
    if state.roll is not None:
        return TIME
    if state.circle:
        return Roll(SYMBOLS[rng.below(6) // 2], COLOURS[rng.below(6) // 2])
    circle = game.shuffled(TILES, rng)
    return Deal(circle, game.draw_starter(state.options, state.seats, rng))


def view(state: State, viewer: Viewer) -> View:
    """Show all but the thieves under plates and what the others do in an open race [K23]."""
    acted = tuple(seat for seat in range(state.seats) if state.deeds[seat] is not None)
    return View(
        circle=tuple(view_tile(state, tile, viewer) for tile in state.circle),
        coins=state.coins,
        roller=state.roller,
        roll=state.roll,
        acted=acted,
        deeds={seat: state.deeds[seat] if viewer in (seat, REFEREE) else None for seat in acted},
        owing=state.owing,
        last=state.last,
        options=state.options,
    )


def seen(by: By, move: Move, viewer: Viewer) -> Seen | None:
    """Tell a move: of others' deeds only that they have acted, of their names nothing [K23]."""
    if viewer == REFEREE or by == viewer:
        return game.whole(by, move)
    match move:
        case Slap() | Grab():
            return {"by": by, "do": None}
        case Name():
            return None
        case Deal() | Roll() | Time() | Give():
            return game.whole(by, move)


def waits_for(state: State, viewer: Viewer) -> tuple[By, ...]:
    """Say who may move now; who may still name has grabbed, which others must not know [K23]."""
    if viewer == REFEREE or state.roll is None:
        return to_move(state)
    return tuple(
        by for by in to_move(state) if by in (NATURE, viewer) or state.deeds[int(by)] is None
    )


def standing(state: State, viewer: Viewer) -> tuple[int, ...] | None:
    """Give the scores: all coins lie open."""
    return scores(state)


def scores(state: State) -> tuple[int, ...]:
    """Count the fish coins."""
    return state.coins


def winners(state: State) -> tuple[int, ...]:
    """Name the seat with four fish coins [K21]."""
    return tuple(seat for seat in range(state.seats) if state.coins[seat] >= COINS_TO_WIN)


def imagine(view: View, rng: Rng) -> State:
    """Give those who have acted in an open race any deed that leaves it open."""
    owner_of = {shown.tile: shown.owner for shown in view.circle}
    owners = tuple(owner_of.get(tile) for tile in TILES)
    seats = len(view.coins)
    known = State(
        seats,
        view.options,
        tuple(shown.tile for shown in view.circle),
        owners,
        view.coins,
        view.roller,
        view.roll,
        (None,) * seats,
        view.owing,
        view.last,
    )
    while True:
        deeds = tuple(
            (view.deeds[seat] or any_deed(known, rng)) if seat in view.deeds else None
            for seat in range(seats)
        )
        imagined = replace(known, deeds=deeds)
        if view.roll is None or racers(imagined):
            return imagined


def racers(state: State) -> list[int]:
    """List who may still act or name in this race [K6]."""
    return [
        seat
        for seat, deed in enumerate(state.deeds)
        if deed is None or (deed.tile is None and deed.thief is None)
    ]


def tiles_of(state: State, seat: int | None) -> list[Tile]:
    """List the tiles in front of a player, or with None those in the middle."""
    return [tile for tile, owner in zip(TILES, state.owners, strict=True) if owner == seat]


def play_nature(state: State, move: Move) -> State:
    """Let chance or the clock move."""
    match move:
        case Time():
            return play_time(state)
        case Roll():
            return play_roll(state, move)
        case Deal():
            return play_deal(state, move)
        case _:
            raise refuse("only_players")


def play_deal(state: State, move: Deal) -> State:
    """Lay the nine tiles in a circle [K5]."""
    if state.circle:
        raise refuse("dealt_already")
    if not game.same_multiset(move.circle, TILES):
        raise refuse("wrong_circle")
    game.check_starter(state.options, move.starter, state.seats)
    return replace(state, circle=move.circle, roller=move.starter)


def play_roll(state: State, move: Roll) -> State:
    """Roll both dice; from now on all play at once [K6]."""
    if not state.circle:
        raise refuse("deal_first")
    if state.roll is not None:
        raise refuse("race_open")
    return replace(state, roll=(move.symbol, move.colour))


def play_deed(state: State, seat: int, move: Slap | Grab) -> State:
    """Slap a tile or grab the master: one deed a roll [K6]."""
    if state.roll is None:
        raise refuse("give_first")
    if state.deeds[seat] is not None:
        raise refuse("one_deed")
    if isinstance(move, Grab):
        deed = Deed(read_time(move.at), squeak=move.squeak)
    elif move.tile not in TILES or owner_of(state, move.tile) is not None:
        raise refuse("not_in_the_middle")
    else:
        deed = Deed(read_time(move.at), move.tile)
    return close_if_done(with_deed(state, seat, deed))


def play_name(state: State, seat: int, move: Name) -> State:
    """Name a thief after one's own grab [K13]."""
    deed = state.deeds[seat]
    if deed is None:
        raise refuse("grab_first" if state.roll is not None else "give_first")
    at = read_time(move.at)
    if at < deed.at:
        raise refuse("named_before_grab")
    return close_if_done(with_deed(state, seat, replace(deed, thief=move.thief, named_at=at)))


def play_time(state: State) -> State:
    """Close the race: its time is up [K8]."""
    if state.roll is None:
        raise refuse("race_closed")
    return close(state)


def play_give(state: State, seat: int, move: Give) -> State:
    """Give a tile of one's choice back to the middle [K10], to its old place [K20]."""
    if state.roll is not None:
        raise refuse("owes_nothing")
    if move.tile not in tiles_of(state, seat):
        raise refuse("not_your_tile")
    owing = tuple(other for other in state.owing if other != seat)
    return replace(state, owners=with_owner(state, move.tile, None), owing=owing)


def close_if_done(state: State) -> State:
    """Close the race when everybody has acted and every grabber has named [K8]."""
    return state if racers(state) else close(state)


def close(state: State) -> State:
    """Settle the race; the next player clockwise rolls [K5]."""
    assert state.roll is not None  # noqa: S101  # only an open race is closed
    owner = owner_of(state, state.roll)
    settled = settle_slap(state, state.roll) if owner is None else settle_grab(state, owner)
    roller = (state.roller + 1) % state.seats
    return replace(settled, roll=None, deeds=(None,) * state.seats, roller=roller)


def settle_slap(state: State, tile: Tile) -> State:
    """The tile lies in the middle: the quickest right slap gets it [K9]; grabbers owe one [K10]."""
    grabbers = [seat for seat, deed in enumerate(state.deeds) if deed and deed.tile is None]
    owing = tuple(seat for seat in grabbers if tiles_of(state, seat))
    state = replace(state, owing=owing)
    right = [seat for seat, deed in enumerate(state.deeds) if deed and deed.tile == tile]
    if not right:
        return finish(state, "nobody_right", None, None)  # [K11]
    return win_tile(state, quickest(state, right), None)


def settle_grab(state: State, owner: int) -> State:
    """The tile lies in front of a player: the quickest grabber decides [K12]."""
    grabbers = [seat for seat, deed in enumerate(state.deeds) if deed and deed.tile is None]
    if not grabbers:
        return finish(state, "nobody_grabbed", None, owner)  # [K18]
    first = quickest(state, grabbers)
    right = names_rightly(state, first)
    squeaks = (deed_of(state, first)).squeak
    if first != owner and right and not squeaks:
        return win_tile(state, first, owner)  # [K16]
    returned = replace(state, owners=with_owner(state, roll_of(state), None))
    if first == owner and not (right and squeaks):
        return finish(returned, "owner_erred", first, owner)  # [K15]
    coins = tuple(n + (seat == owner) for seat, n in enumerate(state.coins))
    outcome: Outcome = "coin_for_owner" if first == owner else "other_erred"  # [K14] [K17]
    return finish(replace(returned, coins=coins), outcome, first, owner)


def win_tile(state: State, seat: int, owner: int | None) -> State:
    """Put the tile in front of the winner; a sixth goes back to the middle at once [K19]."""
    tile = roll_of(state)
    if len(tiles_of(state, seat)) >= MOST_TILES:
        returned = replace(state, owners=with_owner(state, tile, None))
        return finish(returned, "sixth_tile", seat, owner)
    return finish(replace(state, owners=with_owner(state, tile, seat)), "tile_won", seat, owner)


def finish(state: State, outcome: Outcome, seat: int | None, owner: int | None) -> State:
    """Write down what the race brought."""
    return replace(state, last=Race(roll_of(state), state.deeds, outcome, seat, owner))


def quickest(state: State, seats: Sequence[int]) -> int:
    """Name the quickest; at equal times the first clockwise from the roller's left [K7]."""
    return min(
        seats,
        key=lambda seat: (deed_of(state, seat).at, (seat - state.roller - 1) % state.seats),
    )


def names_rightly(state: State, seat: int) -> bool:
    """Say whether a grabber named the thief of the roll, in time [K13]."""
    deed = deed_of(state, seat)
    if deed.named_at is None or deed.named_at - deed.at > state.options.naming_ms:
        return False
    return deed.thief == THIEF_OF[roll_of(state)]


def deed_of(state: State, seat: int) -> Deed:
    """Give the deed of a seat that has acted."""
    deed = state.deeds[seat]
    assert deed is not None  # noqa: S101  # asked only of seats that have acted
    return deed


def roll_of(state: State) -> Tile:
    """Give the roll of the open race."""
    assert state.roll is not None  # noqa: S101  # asked only while a race is open
    return state.roll


def owner_of(state: State, tile: Tile) -> int | None:
    """Say in front of whom a tile lies; None is the middle."""
    return state.owners[TILES.index(tile)]


def with_owner(state: State, tile: Tile, owner: int | None) -> tuple[int | None, ...]:
    """Give all owners with one tile moved."""
    at = TILES.index(tile)
    return (*state.owners[:at], owner, *state.owners[at + 1 :])


def with_deed(state: State, seat: int, deed: Deed) -> State:
    """Give the state with a deed done."""
    return replace(state, deeds=(*state.deeds[:seat], deed, *state.deeds[seat + 1 :]))


def read_time(at: At) -> float:
    """Check the time of a deed: a finite number, not negative."""
    if at is UNSET or isinstance(at, bool) or not math.isfinite(at) or at < 0:
        raise refuse("no_time")
    return at


def view_tile(state: State, tile: Tile, viewer: Viewer) -> TileView:
    """Show a tile, and its thief where the thief side is up."""
    owner = owner_of(state, tile)
    thief_up = owner is not None or state.options.young  # [K22]
    thief = THIEF_OF[tile] if thief_up or viewer == REFEREE else None
    return TileView(tile, "thief" if thief_up else "plate", thief, owner)


@cache
def deeds_at(owners: tuple[int | None, ...]) -> tuple[Move, ...]:
    """List the slaps and grabs that this table allows."""
    middle = [tile for tile, owner in zip(TILES, owners, strict=True) if owner is None]
    return (*(Slap(tile) for tile in middle), *GRABS)


def any_deed(state: State, rng: Rng) -> Deed:
    """Draw a deed that may have been done, each equally likely, at any time of the race."""
    move = deeds_at(state.owners)[rng.below(len(deeds_at(state.owners)))]
    at = float(rng.below(state.options.race_ms))
    if isinstance(move, Slap):
        return Deed(at, move.tile)
    squeak = isinstance(move, Grab) and move.squeak
    if rng.below(2):
        return Deed(at, squeak=squeak)
    named_at = at + rng.below(state.options.naming_ms)
    return Deed(at, None, squeak, THIEVES[rng.below(3)], named_at)


def refuse_mover(state: State, by: By) -> game.IllegalMove:
    """Say why somebody who is not to move is refused."""
    if by != NATURE and 0 <= by < state.seats:
        deed = state.deeds[by]
        if deed is not None:
            return refuse("one_deed" if deed.tile is not None else "named_already")
        if state.owing:
            return refuse("wait_for_give")
    return game.refuse_mover(to_move(state), by, state.seats)


def refuse(code: str, **fields: object) -> game.IllegalMove:
    """Make the refusal for a code of this game."""
    return game.illegal(REASONS, code, **fields)
