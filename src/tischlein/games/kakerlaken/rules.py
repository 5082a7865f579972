"""Kakerlaken Sushi (Thierry Chapeau, Drei Magier 2019): quick eyes, quick hands."""

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cache, lru_cache
from typing import Annotated, Any, Final, Literal

from msgspec import UNSET, Meta, Struct, UnsetType
from msgspec.structs import replace

from tischlein import game
from tischlein.game import BY_NATURE, NATURE, NOBODY, REFEREE, By, Rng, Seen, Viewer

NAME: Final = "kakerlaken"
SEATS: Final = range(2, 6)
HAS: Final[frozenset[game.Trait]] = frozenset({"race"})
CALM: Final = "calm"
"""The house rule without a clock [K24]."""

Symbol = Literal["chopsticks", "rice", "sushi"]
Colour = Literal["red", "green", "yellow"]
Thief = Literal["ant", "cockroach", "rat"]
Tile = tuple[Symbol, Colour]

SYMBOLS: Final[tuple[Symbol, ...]] = ("chopsticks", "rice", "sushi")  # [K1], two faces each
COLOURS: Final[tuple[Colour, ...]] = ("red", "green", "yellow")  # [K1], two faces each
THIEVES: Final[tuple[Thief, ...]] = ("ant", "cockroach", "rat")
TILES: Final[tuple[Tile, ...]] = tuple((s, c) for s in SYMBOLS for c in COLOURS)  # [K2]
PLACE: Final = {tile: at for at, tile in enumerate(TILES)}
THIEF_OF: Final[dict[Tile, Thief]] = {
    (symbol, colour): THIEVES[(row + column) % 3]
    for row, symbol in enumerate(SYMBOLS)
    for column, colour in enumerate(COLOURS)
}  # [K3], a Latin square
MOST_TILES: Final = 5  # [K19]
COINS_TO_WIN: Final = 4  # [K21]

Milliseconds = Annotated[
    int, Meta(ge=1000, le=60_000, description="a number of milliseconds from 1000 to 60000")
]  # [K8]
At = float | UnsetType
"""Milliseconds from the moment the player saw the dice; not set in lists of legal moves, and
without a clock [K24]."""


class Clocked(game.Options, frozen=True):
    """House rules where a clock runs: `young` turns the tiles thief side up [K22], and times."""

    young: bool = False
    race_ms: Annotated[Milliseconds, Meta(examples=[4000, 8000, 15_000, 20_000])] = 8000
    naming_ms: Annotated[Milliseconds, Meta(examples=[2000, 3000, 5000, 8000])] = 3000


class Options(Clocked, frozen=True):
    """House rules; `calm` stops the clock [K24], so that the times play no part."""

    calm: bool = False


class Shown(Clocked, frozen=True):
    """The house rules as a view shows them; `calm` only where it holds."""

    calm: Literal[True] | UnsetType = UNSET


class Deal(game.Move, frozen=True):
    """Nature lays the circle and names who rolls first."""

    circle: tuple[Tile, ...]
    starter: int


class Roll(game.Move, frozen=True):
    """Nature rolls both dice: the race is open."""

    symbol: Symbol
    colour: Colour


class Slap(game.Timed, frozen=True):
    """Slap a tile in the middle."""

    tile: Tile
    at: At = UNSET


class Grab(game.Timed, frozen=True):
    """Grab the sushi master, with a squeak or without."""

    squeak: bool
    at: At = UNSET


class Name(game.Timed, frozen=True):
    """Name the thief after one's own grab."""

    thief: Thief
    at: At = UNSET


class Pass(game.Move, frozen=True):
    """Do nothing this time, where there is no clock [K24]."""


class Time(game.Move, frozen=True):
    """Nature closes the race."""


class Give(game.Move, frozen=True):
    """Give a tile back for a wrong grab [K10]."""

    tile: Tile


Move = Deal | Roll | Slap | Grab | Name | Pass | Time | Give

TIME: Final = Time()
PASS: Final = Pass()
GRABS: Final[tuple[Move, ...]] = (Grab(False), Grab(True))
NAMES: Final[tuple[Move, ...]] = tuple(Name(thief) for thief in THIEVES)
GIVES: Final[tuple[Move, ...]] = tuple(Give(tile) for tile in TILES)
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
    "too_late": "too late: this roll counts for {race_ms} milliseconds",
    "named_before_grab": "you cannot name the thief before you have grabbed the master",
    "give_first": "first give a tile back for your wrong grab",
    "owes_nothing": "you have no tile to give back now",
    "not_your_tile": "that tile does not lie in front of you",
    "wait_for_give": "wait: somebody must give a tile back first",
    "clock_runs": "here a clock runs: to do nothing is to let the time pass",
}


class Deed(Struct, frozen=True, gc=False):
    """What a seat did in a race: a slap (with its tile) or a grab, and the name after it.

    Without a clock all times are 0, and who `passed` did nothing [K24].
    """

    at: float
    tile: Tile | None = None
    squeak: bool = False
    thief: Thief | None = None
    named_at: float | None = None
    passed: Literal[True] | UnsetType = UNSET


PASSED: Final = Deed(0.0, passed=True)


Outcome = Literal[
    "nobody_right",  # [K11]
    "tile_won",  # [K9] [K16]
    "sixth_tile",  # [K19]
    "coin_for_owner",  # [K14]
    "owner_erred",  # [K15]
    "other_erred",  # [K17]
    "nobody_grabbed",  # [K18]
]

WINNING: Final[tuple[Outcome, ...]] = ("tile_won", "sixth_tile", "coin_for_owner")

Why = Literal[
    "right_first",  # [K9]
    "right_later",  # [K8]
    "wrong_tile",  # [K9]
    "grab_instead_of_slap",  # [K10], of somebody without a tile
    "grab_cost_a_tile",  # [K10]
    "after_the_decision",  # [K8], a grab that would have been wrong
    "slap_instead_of_grab",  # [K12]
    "took_it",  # [K16]
    "earned_coin",  # [K14]
    "sixth_tile",  # [K19]
    "grab_later",  # [K10] [K12]
    "no_squeak",  # [K15]
    "squeaked",  # [K17]
    "not_named",  # [K13]
    "named_late",  # [K13]
    "wrong_thief",  # [K13]
]


class Verdict(Struct, frozen=True, gc=False):
    """Whether a deed brought what it was done for, and why or why not."""

    good: bool
    why: Why


class Race(Struct, frozen=True, gc=False):
    """A race that is over: its roll, every deed by seat, what came of it and by whom."""

    roll: Tile
    deeds: tuple[Deed | None, ...]
    outcome: Outcome
    seat: int | None
    owner: int | None
    owing: tuple[int, ...] = ()  # [K10]
    verdicts: tuple[Verdict | None, ...] | None = None  # only in views, until the next roll


class State(Struct, frozen=True, gc=False):
    """The whole table; `circle` is empty until nature has dealt, `movers` may move now."""

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
    movers: tuple[By, ...] = BY_NATURE


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
    options: Shown


def start(seats: int, options: Mapping[str, Any] | None = None) -> State:
    """Give the empty table, before nature deals."""
    chosen = game.set_up(seats, options, SEATS, Options)
    return State(seats, chosen, coins=(0,) * seats, deeds=(None,) * seats)


def to_move(state: State) -> tuple[By, ...]:
    """Say who may move now: in a race all who may still act or name, and the clock."""
    return state.movers


def legal(state: State, seat: int) -> Sequence[Move]:
    """List every legal move of a seat and nothing else; race moves without their time."""
    if seat not in state.movers:
        return ()
    if state.roll is None:
        return [GIVES[at] for at, owner in enumerate(state.owners) if owner == seat]
    if state.deeds[seat] is not None:
        return NAMES  # [K13]
    deeds = deeds_at(state.owners)
    return (*deeds, PASS) if state.options.calm else deeds


def play(state: State, by: By, move: Move) -> State:
    """Give the state after the move, or raise IllegalMove."""
    if by not in state.movers:
        raise refuse_mover(state, by)
    if by == NATURE:
        natures = NATURES_DEEDS.get(type(move))
        if natures is None:
            raise refuse("only_players")
        return natures(state, move)
    deed = PLAYERS_DEEDS.get(type(move))
    if deed is None:
        raise refuse("only_nature")
    return deed(state, by, move)


def chances(state: State) -> Sequence[tuple[Move, Fraction]]:
    """List the nine rolls, all equally likely [K1]; a deal can't be listed."""
    return ROLLS if state.circle and state.movers == BY_NATURE else ()


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
        last=judged(state) if state.roll is None or state.options.calm else state.last,
        options=shown(state.options),
    )


def seen(by: By, move: Move, viewer: Viewer, later: bool = False) -> Seen | None:
    """Tell a move: of others' deeds at first only that they have acted, of names nothing [K23]."""
    if viewer == REFEREE or by == viewer or later:
        return game.whole(by, move)
    match move:
        case Slap() | Grab() | Pass():
            return {"by": by, "do": None}
        case Name():
            return None
        case Deal() | Roll() | Time() | Give():
            return game.whole(by, move)


def retold(
    moves: Sequence[tuple[By, Move]], since: int, state: State, viewer: Viewer, later: bool = False
) -> list[Seen | None]:
    """Tell moves as they were seen: here nobody has to forget."""
    return [seen(by, move, viewer, later) for by, move in moves[since:]]


def in_secret(state: State) -> int:
    """Say how many of the latest moves are not told yet: the deeds of an open race [K23]."""
    if state.roll is None:
        return 0
    return sum(1 + (deed.thief is not None) for deed in state.deeds if deed is not None)


def waits_for(state: State, viewer: Viewer) -> tuple[By, ...]:
    """Say who may move now; who may still name has grabbed, which others must not know [K23].

    When all have acted as far as one sees, the dice are awaited.
    """
    if viewer == REFEREE or state.roll is None:
        return to_move(state)
    shown = (by for by in to_move(state) if by in (NATURE, viewer) or state.deeds[int(by)] is None)
    return tuple(shown) or BY_NATURE


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
        agreed(view.options),
        tuple(shown.tile for shown in view.circle),
        owners,
        view.coins,
        view.roller,
        view.roll,
        (None,) * seats,
        view.owing,
        view.last and (replace(view.last, verdicts=None) if view.last.verdicts else view.last),
    )
    while True:
        deeds = tuple(
            (view.deeds[seat] or any_deed(known, rng)) if seat in view.deeds else None
            for seat in range(seats)
        )
        if view.roll is None:
            movers = after_race(view.coins, view.owing)
            return replace(known, deeds=deeds, movers=movers)
        movers = racing(deeds, known.options.calm)
        if movers not in (NOBODY, BY_NATURE):
            return replace(known, deeds=deeds, movers=movers)


def race(state: State) -> game.OpenRace | None:
    """Say what a table must know of the open race: what decides it, and until when [K8] [K13].

    Without a clock there is no race [K24].
    """
    if state.roll is None or state.options.calm:
        return None
    acted = {seat: deed.at for seat, deed in enumerate(state.deeds) if deed is not None}
    decided = deciding(state)
    if decided is None:
        return game.OpenRace(state.options.race_ms, acted)
    seat, deed = decided
    names_until = deed.at + state.options.naming_ms
    is_named = deed.tile is not None or deed.thief is not None
    return game.OpenRace(
        state.options.race_ms, acted, deed.at, None if is_named else seat, names_until
    )


def racing(deeds: Sequence[Deed | None], calm: bool) -> tuple[By, ...]:
    """List who may still act or name after a roll [K6], and the clock, where there is one [K24]."""
    may = [s for s, deed in enumerate(deeds) if not deed or (is_grab(deed) and not deed.thief)]
    return tuple(may) if calm else (*may, NATURE)


def after_race(coins: tuple[int, ...], owing: tuple[int, ...]) -> tuple[By, ...]:
    """List who moves between races: who owes a tile, or nature until somebody has won [K21]."""
    return owing or (NOBODY if max(coins) >= COINS_TO_WIN else BY_NATURE)


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
    everybody = range(state.seats)
    movers = tuple(everybody) if state.options.calm else (*everybody, NATURE)
    return replace(state, roll=(move.symbol, move.colour), movers=movers)


def play_deed(state: State, seat: int, move: Slap | Grab) -> State:
    """Slap a tile or grab the master: one deed a roll [K6]."""
    if state.roll is None:
        raise refuse("give_first")
    if state.deeds[seat] is not None:
        raise refuse("one_deed")
    at = 0.0 if state.options.calm else read_time(move.at)
    if at > state.options.race_ms:  # [K8]
        raise refuse("too_late", race_ms=state.options.race_ms)
    if isinstance(move, Grab):
        deed = Deed(at, None, move.squeak)
        return replace(state, deeds=game.changed(state.deeds, seat, deed))
    place = PLACE.get(move.tile)
    if place is None or state.owners[place] is not None:
        raise refuse("not_in_the_middle")
    return with_last_deed(state, seat, Deed(at, move.tile))


def play_name(state: State, seat: int, move: Name) -> State:
    """Name a thief after one's own grab [K13]."""
    deed = state.deeds[seat]
    if deed is None:
        raise refuse("grab_first" if state.roll is not None else "give_first")
    at = 0.0 if state.options.calm else read_time(move.at)
    if at < deed.at:
        raise refuse("named_before_grab")
    return with_last_deed(state, seat, Deed(deed.at, None, deed.squeak, move.thief, at))


def play_pass(state: State, seat: int, move: Pass) -> State:
    """Do nothing: without a clock only who says so is done [K24]."""
    if state.roll is None:
        raise refuse("give_first")
    if not state.options.calm:
        raise refuse("clock_runs")
    if state.deeds[seat] is not None:
        raise refuse("one_deed")
    return with_last_deed(state, seat, PASSED)


def play_time(state: State, move: Time) -> State:
    """Close the race: its time is up [K8]."""
    if state.roll is None:
        raise refuse("race_closed")
    return close(state)


def play_give(state: State, seat: int, move: Give) -> State:
    """Give a tile of one's choice back to the middle [K10], to its old place [K20]."""
    if state.roll is not None:
        raise refuse("owes_nothing")
    at = PLACE.get(move.tile)
    if at is None or state.owners[at] != seat:
        raise refuse("not_your_tile")
    owing = game.others(state.owing, seat)
    owners, movers = game.changed(state.owners, at, None), after_race(state.coins, owing)
    return replace(state, owners=owners, owing=owing, movers=movers)


def with_last_deed(state: State, seat: int, deed: Deed) -> State:
    """Let a seat be done; the race closes when everybody has acted and named [K8]."""
    movers = game.others(state.movers, seat)
    done = replace(state, deeds=game.changed(state.deeds, seat, deed), movers=movers)
    return close(done) if movers in (NOBODY, BY_NATURE) else done


def close(state: State) -> State:
    """Settle the race by the deed that decides it [K8], if there is one."""
    decided = deciding(state)
    owner = owner_of(state, roll_of(state))
    if owner is not None:
        return settle_grab(state, owner, decided)
    owing = owing_for_grab(state, decided)
    if decided is None:
        return finish(state, "nobody_right", None, None, state.owners, owing=owing)  # [K11]
    return win_tile(state, decided[0], None, owing)  # [K9]


def owing_for_grab(state: State, slapped: tuple[int, Deed] | None) -> tuple[int, ...]:
    """Say who owes a tile: the quickest grabber, unless a right slap was quicker [K8] [K10]."""
    able = [seat for seat, deed in enumerate(state.deeds) if is_grab(deed)]
    if not able:
        return ()
    first = quickest(state, able if slapped is None else [*able, slapped[0]])
    return (first,) if first in able and first in state.owners else ()


def settle_grab(state: State, owner: int, decided: tuple[int, Deed] | None) -> State:
    """The tile lies in front of a player: the quickest grabber decides [K12]."""
    returned = with_owner(state, None)
    if decided is None:
        return finish(state, "nobody_grabbed", None, owner, returned)  # [K18]
    first, deed = decided
    right = names_rightly(state, deed)
    if first != owner and right and not deed.squeak:
        return win_tile(state, first, owner)  # [K16]
    if first == owner and not (right and deed.squeak):
        return finish(state, "owner_erred", first, owner, returned)  # [K15]
    coins = game.changed(state.coins, owner, state.coins[owner] + 1)
    outcome: Outcome = "coin_for_owner" if first == owner else "other_erred"  # [K14] [K17]
    return finish(state, outcome, first, owner, returned, coins)


def win_tile(state: State, seat: int, owner: int | None, owing: tuple[int, ...] = ()) -> State:
    """Put the tile in front of the winner; a sixth goes back to the middle at once [K19]."""
    if state.owners.count(seat) >= MOST_TILES:
        return finish(state, "sixth_tile", seat, owner, with_owner(state, None), owing=owing)
    return finish(state, "tile_won", seat, owner, with_owner(state, seat), owing=owing)


def finish(
    state: State,
    outcome: Outcome,
    seat: int | None,
    owner: int | None,
    owners: tuple[int | None, ...],
    coins: tuple[int, ...] | None = None,
    owing: tuple[int, ...] = (),
) -> State:
    """Write down what the race brought; the next player clockwise rolls [K5]."""
    coins = coins or state.coins
    return replace(
        state,
        owners=owners,
        coins=coins,
        roller=(state.roller + 1) % state.seats,
        roll=None,
        deeds=(None,) * state.seats,
        owing=owing,
        last=Race(roll_of(state), done_by_seat(state), outcome, seat, owner, owing),
        movers=after_race(coins, owing),
    )


def deciding(state: State) -> tuple[int, Deed] | None:
    """Find the deed that decides the race as it stands: the quickest right slap, or grab [K8]."""
    asked = roll_of(state)
    wanted = asked if owner_of(state, asked) is None else None
    able = [
        seat
        for seat, deed in enumerate(state.deeds)
        if deed and deed.tile == wanted and not deed.passed
    ]
    if not able:
        return None
    seat = quickest(state, able)
    return seat, deed_of(state, seat)


def quickest(state: State, seats: Sequence[int]) -> int:
    """Name the quickest; at equal times the first clockwise from the roller's left [K7]."""
    if len(seats) == 1:
        return seats[0]
    return min(
        seats,
        key=lambda seat: (deed_of(state, seat).at, (seat - state.roller - 1) % state.seats),
    )


def names_rightly(state: State, deed: Deed) -> bool:
    """Say whether a grabber named the thief of the roll, in time [K13]."""
    if deed.named_at is None or deed.named_at - deed.at > state.options.naming_ms:
        return False
    return deed.thief == THIEF_OF[roll_of(state)]


def judged(state: State) -> Race | None:
    """Tell of the race that was closed last what was right or wrong in every deed."""
    last = state.last
    if last is None:
        return None
    roller = (state.roller - 1) % state.seats
    then = replace(state, roll=last.roll, deeds=last.deeds, roller=roller)
    verdicts = tuple(
        None if deed is None else judge(then, last, seat, deed)
        for seat, deed in enumerate(last.deeds)
    )
    return replace(last, verdicts=verdicts)


def judge(then: State, last: Race, seat: int, deed: Deed) -> Verdict:
    """Judge a deed; a good one won the tile or the coin, which only one can."""
    why = why_slapping if last.owner is None else why_grabbing
    return Verdict(seat == last.seat and last.outcome in WINNING, why(then, last, seat, deed))


def why_slapping(then: State, last: Race, seat: int, deed: Deed) -> Why:
    """Say what a deed was worth while the tile lay in the middle [K9] [K10]."""
    if seat == last.seat:
        return "sixth_tile" if last.outcome == "sixth_tile" else "right_first"
    if deed.tile is not None:
        return "right_later" if deed.tile == last.roll else "wrong_tile"
    if seat in last.owing:
        return "grab_cost_a_tile"
    if last.seat is not None and quickest(then, [seat, last.seat]) == last.seat:
        return "after_the_decision"  # [K8]
    grabs = [by for by, other in enumerate(then.deeds) if is_grab(other)]
    return "grab_instead_of_slap" if quickest(then, grabs) == seat else "grab_later"


def why_grabbing(then: State, last: Race, seat: int, deed: Deed) -> Why:
    """Say what a deed was worth while the tile lay in front of a player [K12] to [K17]."""
    if deed.tile is not None:
        return "slap_instead_of_grab"
    if seat != last.seat:
        return "grab_later"
    if deed.squeak != (seat == last.owner):
        return "squeaked" if deed.squeak else "no_squeak"
    if deed.named_at is None:
        return "not_named"
    if not names_rightly(then, deed):
        return "wrong_thief" if deed.thief != THIEF_OF[last.roll] else "named_late"
    if last.outcome == "sixth_tile":
        return "sixth_tile"  # [K19]
    return "earned_coin" if seat == last.owner else "took_it"


def is_grab(deed: Deed | None) -> bool:
    """Say whether somebody has grabbed the master."""
    return deed is not None and deed.tile is None and not deed.passed


def done_by_seat(state: State) -> tuple[Deed | None, ...]:
    """Give what everybody did; who passed has done nothing [K24]."""
    if not state.options.calm:
        return state.deeds
    return tuple(None if deed and deed.passed else deed for deed in state.deeds)


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
    return state.owners[PLACE[tile]]


def with_owner(state: State, owner: int | None) -> tuple[int | None, ...]:
    """Give all owners with the tile of the roll moved."""
    return game.changed(state.owners, PLACE[roll_of(state)], owner)


def read_time(at: At) -> float:
    """Check the time of a deed: a finite number, not negative."""
    if at is UNSET or isinstance(at, bool) or not 0 <= at < math.inf:
        raise refuse("no_time")
    return at


@lru_cache(64)
def shown(options: Options) -> Shown:
    """Show the house rules; of a clock that runs as ever nothing need be said."""
    told = (options.starter, options.young, options.race_ms, options.naming_ms)
    return Shown(*told, calm=True) if options.calm else Shown(*told)


@lru_cache(64)
def agreed(options: Shown) -> Options:
    """Read the house rules as they are shown."""
    told = (options.starter, options.young, options.race_ms, options.naming_ms)
    return Options(*told, calm=options.calm is True)


def view_tile(state: State, tile: Tile, viewer: Viewer) -> TileView:
    """Show a tile, and its thief where the thief side is up."""
    owner = owner_of(state, tile)
    thief_up = owner is not None or state.options.young  # [K22]
    thief = THIEF_OF[tile] if thief_up or viewer == REFEREE else None
    return TileView(tile, "thief" if thief_up else "plate", thief, owner)


@lru_cache(4096)
def deeds_at(owners: tuple[int | None, ...]) -> tuple[Move, ...]:
    """List the slaps and grabs that this table allows."""
    return deeds_on(tuple(tile for tile, owner in zip(TILES, owners, strict=True) if owner is None))


@cache
def deeds_on(middle: tuple[Tile, ...]) -> tuple[Move, ...]:
    """List the slaps and grabs while these tiles lie in the middle [K6]."""
    return (*(Slap(tile) for tile in middle), *GRABS)


def any_deed(state: State, rng: Rng) -> Deed:
    """Draw a deed that may have been done, each equally likely, at any time of the race."""
    calm = state.options.calm
    ways = (*deeds_at(state.owners), PASS) if calm else deeds_at(state.owners)
    move = ways[rng.below(len(ways))]
    if isinstance(move, Pass):
        return PASSED
    at = 0.0 if calm else float(rng.below(state.options.race_ms))
    if isinstance(move, Slap):
        return Deed(at, move.tile)
    squeak = isinstance(move, Grab) and move.squeak
    if rng.below(2):
        return Deed(at, squeak=squeak)
    named_at = at + (0 if calm else rng.below(state.options.naming_ms))
    return Deed(at, None, squeak, THIEVES[rng.below(3)], named_at)


def refuse_mover(state: State, by: By) -> game.IllegalMove:
    """Say why somebody who is not to move is refused."""
    if by != NATURE and 0 <= by < state.seats:
        deed = state.deeds[by]
        if deed is not None:
            return refuse("named_already" if is_grab(deed) else "one_deed")
        if state.owing:
            return refuse("wait_for_give")
    return game.refuse_mover(to_move(state), by, state.seats)


def refuse(code: str, **fields: object) -> game.IllegalMove:
    """Make the refusal for a code of this game."""
    return game.illegal(REASONS, code, **fields)


NATURES_DEEDS: Final[game.Deeds[State]] = {Deal: play_deal, Roll: play_roll, Time: play_time}
PLAYERS_DEEDS: Final[game.SeatDeeds[State]] = {
    Slap: play_deed,
    Grab: play_deed,
    Name: play_name,
    Pass: play_pass,
    Give: play_give,
}
