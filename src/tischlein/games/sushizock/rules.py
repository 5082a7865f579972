"""Sushizock im Gockelwok (Reiner Knizia, Zoch 2008): dice, and piles to remember."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cache, lru_cache
from itertools import product
from math import factorial, prod
from typing import Annotated, Any, Final, Literal

from msgspec import Meta, Struct, field
from msgspec.structs import replace

from tischlein import game
from tischlein.game import BY_NATURE, NATURE, NOBODY, REFEREE, By, Rng, Seen, Viewer

NAME: Final = "sushizock"
SEATS: Final = range(2, 6)
HAS: Final[frozenset[game.Trait]] = frozenset({"turns"})

Face = Literal["sushi", "bones", "blue", "red"]
Kind = Literal["sushi", "bones"]

FACES: Final[tuple[Face, ...]] = ("sushi", "bones", "blue", "red")
DIE: Final[tuple[Face, ...]] = ("sushi", "sushi", "bones", "bones", "blue", "red")  # [S1]
DICE: Final = 5
ROLLS: Final = 3
SUSHI: Final = (1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6)  # [S2]
BONES: Final = (-4, -3, -3, -2, -2, -2, -2, -1, -1, -1, -1, -1)  # [S2]
STEAL_TOP: Final = 3  # [S13]
STEAL_ANY: Final = 4  # [S14]

Count = tuple[int, int, int, int]
"""How many of the dice show each of FACES: what order they lie in means nothing."""

NO_DICE: Final[Count] = (0, 0, 0, 0)


class Options(game.Options, frozen=True):
    """House rules; `open_piles` lets everybody look at covered tiles [S19]."""

    open_piles: bool = False


class Deal(game.Move, frozen=True):
    """Nature lays out the two rows and names the starter."""

    sushi: tuple[int, ...]
    bones: tuple[int, ...]
    starter: int


class Roll(game.Move, frozen=True):
    """Nature rolls the dice that are not set aside."""

    dice: tuple[Face, ...]


class Keep(game.Move, frozen=True):
    """Set some of the dice just rolled aside; the rest is rolled again."""

    dice: tuple[Face, ...]


class Take(game.Move, frozen=True):
    """Take the portion of a row that the dice point at."""

    row: Kind


class Steal(game.Move, frozen=True):
    """Take a tile from an opponent's pile; depth 1 is its top."""

    pile: Kind
    victim: int = field(name="from")
    depth: Annotated[int, Meta(ge=1)] = 1


class Forced(game.Move, frozen=True):
    """Take what must be taken when nothing can be claimed [S17]."""


Move = Deal | Roll | Keep | Take | Steal | Forced

CLAIMS: Final = frozenset((Take, Steal, Forced))
"""The moves that bring a tile and end a turn."""
TAKES: Final[dict[Kind, Take]] = {"sushi": Take("sushi"), "bones": Take("bones")}
FORCED: Final = Forced()
ONLY_FORCED: Final[tuple[Move, ...]] = (FORCED,)

REASONS: Final = game.COMMON_REASONS | {
    "wrong_tiles": "the deal must hold the twelve {row} of the game, each once",
    "wrong_number_of_dice": "dice for this roll: {need}, not {have}",
    "keep_one": "set at least one die aside before you roll again",
    "keep_not_all": "you cannot set all dice aside: at least one must be rolled again",
    "keep_not_rolled": "you can set aside only dice that you have just rolled",
    "no_roll_left": "you have no roll left: take or steal a portion now",
    "no_sushi_dice": "you need at least one sushi on the dice to take a sushi",
    "no_bones_dice": "you need at least one fishbone on the dice to take a bone",
    "sushi_row_short": "your dice ask for sushi number {want}; the row has {have}",
    "bones_row_short": "your dice ask for bone number {want}; the row has {have}",
    "few_blue": "you need three blue chopsticks to steal a sushi; you have {have}",
    "few_red": "you need three red chopsticks to steal a bone; you have {have}",
    "only_top_sushi": "with three blue chopsticks you can steal only the top sushi; "
    "to reach below you need four",
    "only_top_bone": "with three red chopsticks you can steal only the top bone; "
    "to reach below you need four",
    "not_from_yourself": "you cannot steal from yourself",
    "no_victim": "there is no seat {seat} to steal from; the seats are 0 to {last}",
    "pile_empty": "seat {seat} has no tile in that pile to steal",
    "pile_short": "you ask for tile {depth} from the top; that pile of seat {seat} has {have}",
    "not_forced_yet": "not yet, you can still roll: set at least one die aside",
    "can_claim": "you need not take the worst: your dice allow you to take or steal a portion",
}

Pile = tuple[int, ...]
Piles = tuple[Pile, Pile]
"""A player's sushi and bones, each bottom to top."""


class Choices(Struct, frozen=True, gc=False):
    """What the dice of a turn allow, where the rows are long enough."""

    sushi: int
    bones: int
    takes: tuple[Move, ...]
    steal: tuple[Kind, int] | None
    """From which piles one may steal, and with how many chopsticks."""
    keeps: tuple[Move, ...]


class State(Struct, frozen=True, gc=False):
    """The whole table; `turn` is None until nature deals, `rolled` until it rolls."""

    seats: int
    options: Options
    sushi: Pile = ()
    bones: Pile = ()
    piles: tuple[Piles, ...] = ()
    turn: int | None = None
    aside: Count = NO_DICE
    rolled: Count | None = None
    rolls_left: int = ROLLS


class Rows(Struct, frozen=True):
    """The portions on the table, left to right."""

    sushi: tuple[int, ...]
    bones: tuple[int, ...]


class PileView(Struct, frozen=True):
    """A player's piles, bottom to top; null is a covered tile."""

    sushi: tuple[int | None, ...]
    bones: tuple[int | None, ...]


class Dice(Struct, frozen=True):
    """The dice of this turn."""

    aside: tuple[Face, ...]
    rolled: tuple[Face, ...]
    rolls_left: int


class View(Struct, frozen=True):
    """What somebody may see of the table."""

    rows: Rows
    piles: tuple[PileView, ...]
    dice: Dice
    turn: int | None
    options: Options


def start(seats: int, options: Mapping[str, Any] | None = None) -> State:
    """Give the empty table, before nature deals."""
    chosen = game.set_up(seats, options, SEATS, Options)
    return State(seats, chosen, piles=(((), ()),) * seats)


def to_move(state: State) -> tuple[By, ...]:
    """Say who may move now: nature deals and rolls, the player whose turn it is decides."""
    if state.rolled is not None:
        return (state.turn or 0,)
    return BY_NATURE if state.turn is None or state.sushi or state.bones else NOBODY  # [S20]


def legal(state: State, seat: int) -> Sequence[Move]:
    """List every legal move of a seat and nothing else."""
    if state.turn != seat or state.rolled is None:
        return ()
    dice = choices(state.aside, state.rolled)
    claims = dice.takes
    if dice.sushi > len(state.sushi) or dice.bones > len(state.bones):
        claims = takes(dice.sushi, dice.bones, len(state.sushi), len(state.bones))
    if dice.steal is not None:
        claims += steals(state, *dice.steal)
    return claims + dice.keeps if state.rolls_left else claims or ONLY_FORCED


def play(state: State, by: By, move: Move) -> State:
    """Give the state after the move, or raise IllegalMove."""
    if state.rolled is None or by != state.turn:  # else a glance is enough: this seat decides
        movers = to_move(state)
        if by not in movers:
            raise game.refuse_mover(movers, by, state.seats)
    deed = (NATURES_DEEDS if by == NATURE else PLAYERS_DEEDS).get(type(move))
    if deed is None:
        raise refuse("only_players" if by == NATURE else "only_nature")
    return deed(state, move)


def chances(state: State) -> Sequence[tuple[Move, Fraction]]:
    """List the rolls with their probabilities, equal rolls merged; a deal can't be listed."""
    if state.turn is None or state.rolled is not None or not (state.sushi or state.bones):
        return ()
    return rolls_beside(state.aside)


def draw(state: State, rng: Rng) -> Move:
    """Draw nature's next move: shuffle both rows and name the starter, or roll."""
    if state.turn is not None:
        return Roll(tuple([DIE[rng.below(6)] for _ in range(DICE - sum(state.aside))]))
    sushi, bones = game.shuffled(SUSHI, rng), game.shuffled(BONES, rng)
    return Deal(sushi, bones, game.draw_starter(state.options, state.seats, rng))


def view(state: State, viewer: Viewer) -> View:
    """Show rows, dice and piles, of each pile only the top [S19]."""
    all_open = viewer == REFEREE or piles_are_open(state)
    show = whole_pile if all_open else top_only
    piles = tuple(PileView(show(sushi), show(bones)) for sushi, bones in state.piles)
    dice = Dice(faces(state.aside), faces(state.rolled or NO_DICE), state.rolls_left)
    return View(Rows(state.sushi, state.bones), piles, dice, state.turn, state.options)


def seen(by: By, move: Move, viewer: Viewer, later: bool = False) -> Seen | None:
    """Tell a move: all that happens at this table is open when it happens."""
    return game.whole(by, move)


def retold(
    moves: Sequence[tuple[By, Move]], since: int, state: State, viewer: Viewer, later: bool = False
) -> list[Seen | None]:
    """Tell moves as long as their tiles can be seen: what lies covered must be remembered [S19]."""
    claims = [at for at in range(since, len(moves)) if type(moves[at][1]) in CLAIMS]
    if viewer == REFEREE or piles_are_open(state) or not claims:
        return [game.whole(by, move) for by, move in moves[since:]]
    on_top = claims_on_top(moves) if len(claims) > 1 else ()  # the last tile always lies on top
    return [
        game.whole(by, move) if at >= claims[-1] or at in on_top else faded(by, move)
        for at, (by, move) in enumerate(moves[since:], start=since)
    ]


def in_secret(state: State) -> int:
    """Say how many of the latest moves are not told yet: nothing here is done in secret."""
    return 0


def waits_for(state: State, viewer: Viewer) -> tuple[By, ...]:
    """Say who may move now: everybody knows."""
    return to_move(state)


def standing(state: State, viewer: Viewer) -> tuple[int, ...] | None:
    """Give the scores, which would tell what lies covered until the end [S19]."""
    return scores(state) if viewer == REFEREE or piles_are_open(state) else None


def scores(state: State) -> tuple[int, ...]:
    """Sum what counts: all bones, and the sushi that are not higher than the bones [S21] [S22]."""
    return tuple(sum(sushi[: len(bones)]) + sum(bones) for sushi, bones in state.piles)


def winners(state: State) -> tuple[int, ...]:
    """Name the seats with the most points; equal scores share the win [S22]."""
    if not is_over(state):
        return ()
    points = scores(state)
    return tuple(seat for seat in range(state.seats) if points[seat] == max(points))


def imagine(view: View, rng: Rng) -> State:
    """Put the tiles that are not in sight under the covers, in any order."""
    sushi_piles = [pile.sushi for pile in view.piles]
    bones_piles = [pile.bones for pile in view.piles]
    sushi = fill_covered(sushi_piles, SUSHI if view.turn is not None else (), view.rows.sushi, rng)
    bones = fill_covered(bones_piles, BONES if view.turn is not None else (), view.rows.bones, rng)
    piles = tuple(zip(sushi, bones, strict=True))
    aside, rolled = count(view.dice.aside), count(view.dice.rolled) if view.dice.rolled else None
    return State(
        *(len(view.piles), view.options, view.rows.sushi, view.rows.bones, piles, view.turn),
        *(aside, rolled, view.dice.rolls_left),
    )


def is_over(state: State) -> bool:
    """Say whether the last portion on the table is taken [S20]."""
    return state.turn is not None and not state.sushi and not state.bones


def can_claim(state: State) -> bool:
    """Say whether all dice of this turn together allow a portion [S6] [S7]."""
    return isinstance(legal(state, state.turn or 0)[0], Take | Steal)


def steals(state: State, pile: Kind, chopsticks: int) -> tuple[Move, ...]:
    """List the steals of a kind: the top of each opponent's pile, or any tile [S13] [S14] [S15]."""
    which = 0 if pile == "sushi" else 1
    found: tuple[Move, ...] = ()
    for victim in range(state.seats):
        if victim != state.turn:
            size = len(state.piles[victim][which])
            found += steals_from(pile, victim, size if chopsticks >= STEAL_ANY else min(size, 1))
    return found


def play_deal(state: State, move: Deal) -> State:
    """Lay out both rows [S3] and let the starter begin [S4]."""
    if state.turn is not None:
        raise refuse("dealt_already")
    for row, tiles, given in (("sushi", SUSHI, move.sushi), ("bones", BONES, move.bones)):
        if not game.same_multiset(given, tiles):
            raise refuse("wrong_tiles", row=row)
    game.check_starter(state.options, move.starter, state.seats)
    return replace(state, sushi=move.sushi, bones=move.bones, turn=move.starter)


def play_roll(state: State, move: Roll) -> State:
    """Roll all dice that are not aside [S5] [S7]; a single die ends the rolling [S8]."""
    if state.turn is None:
        raise refuse("deal_first")
    rolled = count_beside(state.aside, move.dice)
    if rolled is None:
        need = DICE - sum(state.aside)
        raise refuse("wrong_number_of_dice", need=need, have=len(move.dice))
    left = state.rolls_left - 1 if len(move.dice) > 1 else 0
    return replace(state, rolled=rolled, rolls_left=left)


def play_keep(state: State, move: Keep) -> State:
    """Set dice aside; the rest will be rolled again [S7]."""
    if not state.rolls_left:
        raise refuse("no_roll_left")
    aside = set_aside(state.aside, state.rolled, move.dice)
    if aside is None:
        if not move.dice:
            raise refuse("keep_one")
        all_of_them = count(move.dice) == state.rolled
        raise refuse("keep_not_all" if all_of_them else "keep_not_rolled")
    return replace(state, aside=aside, rolled=None)


def play_take(state: State, move: Take) -> State:
    """Take the n-th portion of a row with n dice of its kind [S10] [S11]."""
    which, row = (0, state.sushi) if move.row == "sushi" else (1, state.bones)
    want = state.aside[which] + (state.rolled or NO_DICE)[which]
    if want == 0:
        raise refuse(f"no_{move.row}_dice")
    if want > len(row):
        raise refuse(f"{move.row}_row_short", want=want, have=len(row))
    return take_at(state, move.row, want - 1)


def play_steal(state: State, move: Steal) -> State:
    """Steal a tile of an opponent [S13] [S14] [S15]."""
    sushi = move.pile == "sushi"
    which = 0 if sushi else 1
    chopsticks = state.aside[2 + which] + (state.rolled or NO_DICE)[2 + which]
    if chopsticks < STEAL_TOP:
        raise refuse("few_blue" if sushi else "few_red", have=chopsticks)
    if not 0 <= move.victim < state.seats:
        raise refuse("no_victim", seat=str(move.victim), last=str(state.seats - 1))
    if move.victim == state.turn:
        raise refuse("not_from_yourself")
    pile = state.piles[move.victim][which]
    if not pile:
        raise refuse("pile_empty", seat=str(move.victim))
    if not 1 <= move.depth <= len(pile):
        where = {"depth": str(move.depth), "seat": str(move.victim)}
        raise refuse("pile_short", have=len(pile), **where)
    if move.depth > 1 and chopsticks < STEAL_ANY:
        raise refuse("only_top_sushi" if sushi else "only_top_bone")
    at = len(pile) - move.depth
    rest = pile[:at] + pile[at + 1 :]
    piles = list(state.piles)
    piles[move.victim] = (rest, piles[move.victim][1]) if sushi else (piles[move.victim][0], rest)
    return gain(state, state.sushi, state.bones, piles, which, pile[at])


def play_forced(state: State, move: Forced) -> State:
    """Take the worst bone, or without bones the smallest sushi [S17] [S18]."""
    if state.rolls_left:
        raise refuse("not_forced_yet")
    if can_claim(state):
        raise refuse("can_claim")
    row: Kind = "bones" if state.bones else "sushi"
    tiles = state.bones or state.sushi
    return take_at(state, row, tiles.index(min(tiles)))


def take_at(state: State, row: Kind, at: int) -> State:
    """Take a tile out of a row; the gap closes up [S12]."""
    sushi, bones = state.sushi, state.bones
    if row == "sushi":
        return gain(state, sushi[:at] + sushi[at + 1 :], bones, state.piles, 0, sushi[at])
    return gain(state, sushi, bones[:at] + bones[at + 1 :], state.piles, 1, bones[at])


def gain(
    state: State, sushi: Pile, bones: Pile, piles: Sequence[Piles], which: int, tile: int
) -> State:
    """Put a tile on top of the player's pile [S19]; the turn passes on [S6] [S4]."""
    turn = state.turn or 0
    after = list(piles)
    mine = piles[turn]
    after[turn] = ((*mine[0], tile), mine[1]) if which == 0 else (mine[0], (*mine[1], tile))
    following = (turn + 1) % state.seats
    return State(state.seats, state.options, sushi, bones, tuple(after), following)


def added(a: Count, b: Count) -> Count:
    """Add two counts of dice."""
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3])


@lru_cache(4096)  # bounded, since what players send comes here
def count(dice: tuple[Face, ...]) -> Count:
    """Count how many dice show each face."""
    return (dice.count("sushi"), dice.count("bones"), dice.count("blue"), dice.count("red"))


@lru_cache(4096)
def count_beside(aside: Count, dice: tuple[Face, ...]) -> Count | None:
    """Count a roll beside the dice aside; None if it has too many or too few dice [S7]."""
    return count(dice) if len(dice) + sum(aside) == DICE else None


@cache
def faces(dice: Count) -> tuple[Face, ...]:
    """List the dice of a count, face by face."""
    return tuple(face for face, n in zip(FACES, dice, strict=True) for _ in range(n))


@cache
def keeps(rolled: Count) -> tuple[Move, ...]:
    """List the moves that set at least one die of a roll aside, and not all [S7]."""
    a, b, c, d = (range(n, -1, -1) for n in rolled)
    ways: list[Count] = list(product(a, b, c, d))
    return tuple(Keep(faces(way)) for way in ways if way not in (NO_DICE, rolled))


@lru_cache(4096)
def set_aside(aside: Count, rolled: Count, dice: tuple[Face, ...]) -> Count | None:
    """Count the dice aside when more join them; None if these cannot be kept [S7]."""
    kept = count(dice)
    may_be_kept = Keep(faces(kept)) in keeps(rolled) and sum(kept) == len(dice)
    return added(aside, kept) if may_be_kept else None


@cache
def choices(aside: Count, rolled: Count) -> Choices:
    """Say what the dice of a turn allow [S10] [S13] [S7]."""
    sushi, bones, blue, red = added(aside, rolled)
    steal: tuple[Kind, int] | None = None
    if blue >= STEAL_TOP:
        steal = ("sushi", blue)
    elif red >= STEAL_TOP:
        steal = ("bones", red)
    return Choices(sushi, bones, takes(sushi, bones, sushi, bones), steal, keeps(rolled))


@cache
def takes(sushi: int, bones: int, sushi_left: int, bones_left: int) -> tuple[Move, ...]:
    """List what so many sushi and bones dice allow to take from rows so long [S10] [S11]."""
    found: list[Move] = []
    if 0 < sushi <= sushi_left:
        found.append(TAKES["sushi"])
    if 0 < bones <= bones_left:
        found.append(TAKES["bones"])
    return tuple(found)


@cache
def steals_from(pile: Kind, victim: int, reach: int) -> tuple[Move, ...]:
    """List the steals from one pile that reach so deep."""
    return tuple(Steal(pile, victim, depth) for depth in range(1, reach + 1))


@cache
def rolls_beside(aside: Count) -> tuple[tuple[Move, Fraction], ...]:
    """List the rolls of the dice that are not aside."""
    return rolls_of(DICE - sum(aside))


@cache
def rolls_of(dice: int) -> tuple[tuple[Move, Fraction], ...]:
    """List the different rolls of some dice with their exact probabilities."""
    found = []
    for way in product(range(dice + 1), repeat=len(FACES)):
        if sum(way) == dice:
            orders = factorial(dice) // prod(factorial(n) for n in way)
            weight = prod(DIE.count(face) ** n for face, n in zip(FACES, way, strict=True))
            found.append((Roll(faces(way)), Fraction(orders * weight, len(DIE) ** dice)))
    return tuple(found)


def piles_are_open(state: State) -> bool:
    """Say whether covered tiles may be looked at: by house rule, or when all is counted."""
    return state.options.open_piles or is_over(state)


def whole_pile(pile: Pile) -> tuple[int | None, ...]:
    """Show a pile from bottom to top."""
    return pile


def top_only(pile: Pile) -> tuple[int | None, ...]:
    """Show the top of a pile, and how many lie below it."""
    return (None,) * (len(pile) - 1) + pile[-1:]


def claims_on_top(moves: Sequence[tuple[By, Move]]) -> set[int]:
    """Find the claims, by number, whose tile now lies on top of some pile."""
    piles: defaultdict[tuple[By, Kind], list[list[int]]] = defaultdict(list)
    bones = 0
    for at, (by, move) in enumerate(moves):
        if type(move) is Steal:
            tile = piles[move.victim, move.pile].pop(-move.depth)
            piles[by, move.pile].append([*tile, at])
        elif type(move) in CLAIMS:
            forced: Kind = "bones" if bones < len(BONES) else "sushi"  # [S17]
            kind = move.row if type(move) is Take else forced
            piles[by, kind].append([at])
            bones += kind == "bones"
    return {at for pile in piles.values() if pile for at in pile[-1]}


def faded(by: By, move: Move) -> Seen:
    """Tell what is left of a move when its tile lies covered: dice and rows would give it away."""
    if type(move) in CLAIMS:
        return {"by": by, "do": None}
    told = game.whole(by, move)
    return {
        name: [None] * len(value) if isinstance(value, tuple) else value
        for name, value in told.items()
    }


def fill_covered(
    piles: Sequence[Sequence[int | None]], tiles: Sequence[int], row: Sequence[int], rng: Rng
) -> list[Pile]:
    """Fill the covered places of all piles with the tiles that are nowhere to be seen."""
    in_sight = [*row, *(tile for pile in piles for tile in pile if tile is not None)]
    hidden = iter(game.shuffled(game.without(tiles, in_sight), rng))
    return [tuple(next(hidden) if tile is None else tile for tile in pile) for pile in piles]


def refuse(code: str, **fields: object) -> game.IllegalMove:
    """Make the refusal for a code of this game."""
    return game.illegal(REASONS, code, **fields)


NATURES_DEEDS: Final[game.Deeds[State]] = {Deal: play_deal, Roll: play_roll}
PLAYERS_DEEDS: Final[game.Deeds[State]] = {
    Keep: play_keep,
    Take: play_take,
    Steal: play_steal,
    Forced: play_forced,
}
