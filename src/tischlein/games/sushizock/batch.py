"""Sushizock over arrays. A game is thirteen words; a step is one decision and the roll after it.

All twelve sushi lie in one line, wherever they are: the row, then the pile of seat 0 from bottom
to top, of seat 1, and so on; so do the bones. Each value less one is written in bits, and bit k of
all twelve makes a *plane* of twelve bits. Taking, stealing and the forced take are then one deed:
a tile leaves its place in the line for the end of the mover's pile.

While a game is played, each step draws one tile of the next game's rows from the bag, without
putting it back: a fair shuffle, and done in time, since no game has fewer than 24 decisions.
"""

from itertools import product
from typing import Any, Final, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array, lax

from tischlein.batch import lanes as w
from tischlein.batch.lanes import Lane, Last, Layout, choose, number, word

NAME: Final = "sushizock"
SEATS: Final = range(2, 6)
TILES: Final = 12
DICE: Final = 5
SUSHI: Final = (2, 2, 2, 2, 2, 2)
"""How many sushi of each value from 1 to 6 [S2]."""
BONES: Final = (5, 4, 2, 1, 0, 0)
"""How many bones of each value from -1 to -4 [S2]."""
FEWEST: Final = 24
"""No game has fewer decisions: each tile on the table needs one to take it."""

FIELDS: Final = 0x02108421
"""One in each of six fields of five bits: the lengths of the row and of up to five piles."""
MARKS: Final = 0x21084210
"""The highest bit of each of these fields."""
PLANES: Final = 0x00010001
"""One in each half of a word: two planes of tiles."""
LINE: Final = 0x0FFF0FFF
"""All places of two planes."""
FACES: Final = 0xC84400
"""How far to shift for each side of a die: sushi twice, bones twice, blue, red [S1]."""
CLAIM: Final = word(1 << 31)
"""A move that ends the turn: this bit, the kind in bit 30, and the place of the tile in its line.

Without this bit a move is the dice to keep: four numbers of four bits.
"""

KEEPS: Final = tuple(
    way for way in product(range(DICE), repeat=4) if 0 < sum(way) < DICE
)  # [S7], sushi, bones, blue, red
KEEP_WORDS: Final = np.array([sum(n << 4 * at for at, n in enumerate(way)) for way in KEEPS], "u4")
FORCED: Final = 0
TAKES: Final = 1
FIRST_KEEP: Final = 3
FIRST_STEAL: Final = FIRST_KEEP + len(KEEPS)


class Lanes(NamedTuple):
    """A game: where all tiles lie, the dice, whose turn it is, the rows of the next game."""

    sushi: Lane
    """Planes 0 and 1 of the sushi."""
    sushi_high: Lane
    """Plane 2."""
    bones: Lane
    sushi_lengths: Lane
    bones_lengths: Lane
    dice: Lane
    """Eight numbers of four bits: aside, then rolled; each sushi, bones, blue, red."""
    turn: Lane
    """Whose turn it is, from bit 4 who started, from bit 8 how many rolls are left."""
    next_low: Lane
    next_middle: Lane
    next_high: Lane
    """The planes of the next game's tiles, the sushi above bit 12."""
    bag: Lane
    """How many tiles of each value or less are still to be drawn; the top bit: they are bones."""
    random: Lane
    random_high: Lane


def bag_of(counts: tuple[int, ...]) -> int:
    """Write how many tiles there are of each value or less."""
    return sum(sum(counts[: at + 1]) << 5 * at for at in range(len(counts)))


SUSHI_BAG: Final = bag_of(SUSHI)
BONES_BAG: Final = word(1 << 31 | bag_of(BONES))


def actions(seats: int) -> int:
    """Say how many actions there are: forced, takes, keeps, steals by opponent and depth."""
    return FIRST_STEAL + 2 * (seats - 1) * TILES


def mover(lanes: Lanes) -> Lane:
    """Say whose turn it is."""
    return lanes.turn & 7


def started(lanes: Lanes) -> Lane:
    """Say who began."""
    return lanes.turn >> 4 & 7


def rolls_left(lanes: Lanes) -> Lane:
    """Say how many rolls are left."""
    return lanes.turn >> 8 & 3


def claims(lanes: Lanes) -> tuple[Lane, Lane, Lane, Lane]:
    """Say whether each row can be taken from, how many chopsticks can steal, and whether bones."""
    dice = (lanes.dice & 0xFFFF) + (lanes.dice >> 16)
    sushi, bones, blue, red = dice & 15, dice >> 4 & 15, dice >> 8 & 15, dice >> 12
    take_sushi = (sushi > 0) & (sushi <= (lanes.sushi_lengths & 31))  # [S10]
    take_bones = (bones > 0) & (bones <= (lanes.bones_lengths & 31))  # [S11]
    return number(take_sushi), number(take_bones), jnp.maximum(blue, red), red >= 3


def reach(lengths: Lane, own: Lane, chopsticks: Lane) -> Lane:
    """Say how deep each pile of the opponents can be stolen from [S13] [S14] [S15]."""
    piles = lengths & ~(31 << own) & ~word(31)
    tops = (piles | piles >> 1 | piles >> 2 | piles >> 3) & FIELDS
    return choose(chopsticks >= 4, piles, choose(chopsticks == 3, tops, 0))


def worst(lanes: Lanes) -> tuple[Lane, Lane]:
    """Find the forced take: the worst bone, or without bones the smallest sushi [S17]."""
    is_bone = (lanes.bones_lengths & 31) > 0
    length = choose(is_bone, lanes.bones_lengths, lanes.sushi_lengths) & 31
    low = choose(is_bone, lanes.bones, ~lanes.sushi)
    high = choose(is_bone, 0, ~lanes.sushi_high)
    left = (1 << length) - 1
    for plane in (high, low >> 16, low):
        better = left & plane
        left = choose(better != 0, better, left)
    return number(is_bone), w.ones(w.lowest(left) - 1)


def any_move(lanes: Lanes, seats: int, bits: Lane) -> tuple[Lane, Lane]:
    """Choose one of the legal moves, each equally likely; also give what is left of the bits."""
    take_sushi, take_bones, chopsticks, steal_bones = claims(lanes)
    own = mover(lanes) * 5 + 5
    lengths = choose(steal_bones, lanes.bones_lengths, lanes.sushi_lengths)
    reaches = reach(lengths, own, chopsticks) * FIELDS
    rolled = [lanes.dice >> 16 + 4 * face & 15 for face in range(4)]
    ways = (rolled[0] + 1) * (rolled[1] + 1) * (rolled[2] + 1) * (rolled[3] + 1)
    keeps = choose(rolls_left(lanes) > 0, ways - 2, 0)  # [S7], not none and not all
    takes = take_sushi + take_bones
    claimed = takes + (reaches >> 25 & 31)
    chosen, rest = w.below(bits, claimed + keeps, 7)
    kept = dice_of(rolled, ways, chosen - claimed)
    place = choose(
        chopsticks >= 4,
        any_place(lengths, own, chosen - takes),
        top_place(lengths, reaches, chosen - takes),
    )
    dice = lanes.dice + (lanes.dice >> 16)
    from_bones = chosen >= take_sushi
    first = chosen < takes
    is_bone = choose(first, number(from_bones), number(steal_bones))
    place = choose(first, choose(from_bones, dice >> 4 & 15, dice & 15) - 1, place)
    forced_bone, forced_place = worst(lanes)
    forced = claimed + keeps == 0
    is_bone = choose(forced, forced_bone, is_bone)
    place = choose(forced, forced_place, place)
    return choose((chosen < claimed) | forced, CLAIM | is_bone << 30 | place, kept), rest


def any_place(lengths: Lane, own: Lane, chosen: Lane) -> Lane:
    """Find tile number `chosen` of all tiles in the piles of others."""
    place = (lengths & 31) + chosen
    mine = lengths >> own & 31
    first = (lengths * FIELDS >> own & 31) - mine
    return place + choose(place >= first, mine, 0)


def top_place(lengths: Lane, reaches: Lane, chosen: Lane) -> Lane:
    """Find the top of pile number `chosen` of those that can be reached."""
    at = 6 - w.ones(reaches + (15 - chosen) * FIELDS & MARKS)
    return (lengths * FIELDS >> (at * 5 & 31) & 31) - 1


def dice_of(rolled: list[Lane], ways: Lane, chosen: Lane) -> Lane:
    """Make the dice to keep out of a number, as one reads the digits of a fraction."""
    fraction = (to_float(chosen) + 1.5) / to_float(ways)
    kept = jnp.zeros_like(chosen)
    for face, most in enumerate(rolled):
        digits = fraction * to_float(most + 1)
        digit = digits.astype(jnp.int32)
        fraction = digits - digit.astype(jnp.float32)
        kept |= digit.astype(jnp.uint32) << 4 * face
    return kept


def to_float(lane: Lane) -> Array:
    """Write small numbers as floats."""
    return lane.astype(jnp.int32).astype(jnp.float32)


def moved(planes: Lane, place: Lane, before: Lane, to: Lane, below: Lane) -> Lane:
    """Move a tile of two planes from one place of the line to another."""
    tile = planes >> place & PLANES
    rest = planes & before | planes >> 1 & (before ^ LINE)  # [S12]
    return rest & below | tile << to | (rest & (below ^ LINE)) << 1


def play(lanes: Lanes, seats: int, move: Lane, bits: Lane) -> tuple[Lanes, Array, Last]:
    """Play a move and roll [S5]; after the last tile deal anew [S20]."""
    after = drawn_ahead(claimed(lanes, move), bits)
    is_claim = move >> 31 != 0
    over = (after.sushi_lengths | after.bones_lengths) & 31 == 0
    rolling, random = w.draw((lanes.random, lanes.random_high))
    aside = choose(is_claim, 0, (lanes.dice & 0xFFFF) + move)
    count = DICE - (aside * 0x1111 >> 12 & 15)
    rolled, rest = rolled_dice(rolling, count)
    turn, starter, left = mover(lanes), started(lanes), rolls_left(lanes)
    left = choose(is_claim, 2, choose(count > 1, left - 1, 0))  # [S8]
    following = choose(turn == seats - 1, 0, turn + 1)
    turn = choose(is_claim, following, turn)
    after = after._replace(
        dice=aside | rolled << 16,
        turn=turn | starter << 4 | left << 8,
        random=random[0],
        random_high=random[1],
    )
    starter, _ = w.below(rest, seats, 3)  # [S4]
    last = (*after[:5], started(lanes))
    return w.choose_all(over, dealt(after, starter), after), over, last


def claimed(lanes: Lanes, move: Lane) -> Lanes:
    """Move a tile to the top of the mover's pile [S19], if the move says so."""
    is_bone, place = move >> 30 & 1 != 0, move & 15
    own = mover(lanes) * 5 + 5
    lengths = choose(is_bone, lanes.bones_lengths, lanes.sushi_lengths)
    ends = lengths * FIELDS
    behind = (ends + (15 - place) * FIELDS & MARKS) >> 4
    new_lengths = lengths - w.lowest(behind) + (1 << own)
    to = ends - behind >> own & 31
    before, under = ((1 << place) - 1) * PLANES, ((1 << to) - 1) * PLANES
    planes = choose(is_bone, lanes.bones, lanes.sushi)
    new_planes = moved(planes, place, before, to, under)
    new_high = moved(lanes.sushi_high, place, before, to, under)
    sushi, bones = (move >> 30) == 2, (move >> 30) == 3
    return lanes._replace(
        sushi=choose(sushi, new_planes, lanes.sushi),
        sushi_high=choose(sushi, new_high, lanes.sushi_high),
        bones=choose(bones, new_planes, lanes.bones),
        sushi_lengths=choose(sushi, new_lengths, lanes.sushi_lengths),
        bones_lengths=choose(bones, new_lengths, lanes.bones_lengths),
    )


def rolled_dice(bits: Lane, count: Lane) -> tuple[Lane, Lane]:
    """Roll some dice, and give what is left of the bits."""
    rolled = jnp.zeros_like(bits)
    for die in range(DICE):
        side, bits = w.below(bits, 6, 3)
        face = 1 << (FACES >> side * 4 & 15)
        rolled += choose(count > die, face, 0)
    return rolled, bits


def drawn_ahead(lanes: Lanes, bits: Lane) -> Lanes:
    """Draw one tile of the next game's rows: first the sushi, then the bones [S3]."""
    left = lanes.bag >> 25 & 31
    chosen, _ = w.below(bits, left, 4)
    larger = (lanes.bag + (15 - chosen) * FIELDS & MARKS) >> 4
    value, any_left = 6 - w.ones(larger), number(left > 0)
    bag = lanes.bag - larger
    return lanes._replace(
        next_low=lanes.next_low << any_left | value & any_left,
        next_middle=lanes.next_middle << any_left | value >> 1 & any_left,
        next_high=lanes.next_high << any_left | value >> 2 & any_left,
        bag=choose(bag == 0, BONES_BAG, bag),
    )


def dealt(lanes: Lanes, starter: Lane) -> Lanes:
    """Lay out the rows that were drawn ahead, and start."""
    low, middle, high = lanes.next_low, lanes.next_middle, lanes.next_high
    nothing = jnp.zeros_like(low)
    return lanes._replace(
        sushi=low >> 12 | middle >> 12 << 16,
        sushi_high=high >> 12,
        bones=low & 0xFFF | (middle & 0xFFF) << 16,
        sushi_lengths=nothing + TILES,
        bones_lengths=nothing + TILES,
        turn=starter | starter << 4 | 2 << 8,
        next_low=nothing,
        next_middle=nothing,
        next_high=nothing,
        bag=nothing + SUSHI_BAG,
    )


def fresh(random: w.Random, seats: int) -> Lanes:
    """Start from nothing but random words: shuffle, then deal."""
    zero = jnp.zeros_like(random[0])
    lanes = Lanes(*[zero] * len(Lanes._fields))._replace(bag=zero + SUSHI_BAG)

    def prepare(_: Any, carried: tuple[Lanes, w.Random]) -> tuple[Lanes, w.Random]:
        lanes, random = carried
        bits, random = w.draw(random)
        return drawn_ahead(lanes, bits), random

    lanes, random = lax.fori_loop(0, 2 * TILES, prepare, (lanes, random))
    bits, random = w.draw(random)
    rolled, rest = rolled_dice(bits, zero + DICE)
    starter, _ = w.below(rest, seats, 3)
    return dealt(lanes, starter)._replace(
        dice=rolled << 16, random=random[0], random_high=random[1]
    )


def random_step(lanes: Lanes, seats: int) -> tuple[Lanes, Array, Last]:
    """Play any legal move."""
    bits, random = w.draw((lanes.random, lanes.random_high))
    move, rest = any_move(lanes, seats, bits)
    return play(lanes._replace(random=random[0], random_high=random[1]), seats, move, rest)


def chosen(lanes: Lanes, seats: int) -> Lane:
    """Say which action `random_step` will choose."""
    bits, _ = w.draw((lanes.random, lanes.random_high))
    move, _ = any_move(lanes, seats, bits)
    every = jnp.arange(actions(seats), dtype=jnp.uint32)
    moves = jax.vmap(lambda action: move_of(lanes, seats, action), out_axes=-1)(every)
    return jnp.argmax(legal(lanes, seats) & (moves == jnp.expand_dims(move, -1)), -1)


def settled(lanes: Lanes, seats: int) -> Lanes:
    """Do what is put off: nothing."""
    return lanes


def step(lanes: Lanes, seats: int, action: Lane) -> tuple[Lanes, Array, Last]:
    """Play the move of an action."""
    bits, random = w.draw((lanes.random, lanes.random_high))
    after = lanes._replace(random=random[0], random_high=random[1])
    return play(after, seats, move_of(lanes, seats, action), bits)


def last_of(lanes: Lanes) -> Last:
    """Give what is needed to count this position."""
    return (*lanes[:5], started(lanes))


def scores(last: Last, seats: int) -> list[Array]:
    """Sum what counts: all bones, and the sushi that are not higher than the bones [S21] [S22]."""
    sushi, high, bones, sushi_lengths, bones_lengths, _ = last
    found = []
    for seat in range(seats):
        length, height = sushi_lengths >> 5 * seat + 5 & 31, bones_lengths >> 5 * seat + 5 & 31
        below = sushi_lengths * FIELDS >> 5 * seat & 31
        counting = jnp.minimum(length, height)
        eaten = (1 << counting) - 1 << below
        bony = (1 << height) - 1 << (bones_lengths * FIELDS >> 5 * seat & 31)
        plus = counting + w.ones(sushi & eaten) + 2 * w.ones(sushi >> 16 & eaten)
        minus = height + w.ones(bones & bony) + 2 * w.ones(bones >> 16 & bony)
        found.append((plus + 4 * w.ones(high & eaten) - minus).astype(jnp.int32))
    return found


def best(last: Last, points: list[Array]) -> list[Array]:
    """Say which seats have the most points [S22]."""
    most = points[0]
    for other in points[1:]:
        most = jnp.maximum(most, other)
    return [one == most for one in points]


def opponent(lanes: Lanes, seats: int, number_of: Any) -> Lane:
    """Name an opponent, counted clockwise from the mover's left."""
    seat = mover(lanes) + 1 + number_of
    return choose(seat >= seats, seat - seats, seat)


def move_of(lanes: Lanes, seats: int, action: Lane) -> Lane:
    """Read an action as a move."""
    steal = action - FIRST_STEAL
    pile, depth = steal // TILES, steal % TILES
    stolen_bone = pile >= seats - 1
    victim = opponent(lanes, seats, choose(stolen_bone, pile - (seats - 1), pile))
    lengths = choose(stolen_bone, lanes.bones_lengths, lanes.sushi_lengths)
    stolen = (lengths * FIELDS >> 5 * victim + 5 & 31) - 1 - depth
    dice = (lanes.dice & 0xFFFF) + (lanes.dice >> 16)
    forced_bone, forced = worst(lanes)
    is_take = action < FIRST_KEEP
    is_bone = choose(is_take, action - TAKES, number(stolen_bone))
    place = choose(is_take, (dice >> 4 * (action - TAKES) & 15) - 1, stolen)
    is_bone = choose(action == FORCED, forced_bone, is_bone)
    place = choose(action == FORCED, forced, place)
    keep = jnp.asarray(KEEP_WORDS)[jnp.clip(action - FIRST_KEEP, 0, len(KEEPS) - 1)]
    is_keep = (action >= FIRST_KEEP) & (action < FIRST_STEAL)
    return choose(is_keep, keep, CLAIM | is_bone << 30 | place & 15)


def legal(lanes: Lanes, seats: int) -> Array:
    """Say of each action whether it is legal; the last axis is that of the actions."""
    take_sushi, take_bones, chopsticks, steal_bones = claims(lanes)
    own = mover(lanes) * 5 + 5
    lengths = choose(steal_bones, lanes.bones_lengths, lanes.sushi_lengths)
    reaches = reach(lengths, own, chopsticks)
    keeping = jnp.expand_dims(lanes.dice >> 16, -1)
    keeps = (keeping + 0x8888 - KEEP_WORDS & 0x8888 == 0x8888) & (keeping != KEEP_WORDS)
    keeps &= jnp.expand_dims(rolls_left(lanes) > 0, -1)
    steals = []
    for bones in (False, True):
        for other in range(seats - 1):
            deep = reaches >> 5 * opponent(lanes, seats, other) + 5 & 31
            deep = choose(steal_bones == bones, deep, 0)
            steals += [deep > depth for depth in range(TILES)]
    claims_found = [take_sushi > 0, take_bones > 0]
    found = jnp.concatenate([jnp.stack(claims_found, -1), keeps, jnp.stack(steals, -1)], axis=-1)
    return jnp.concatenate([~found.any(-1, keepdims=True), found], axis=-1)


def tiles(planes: Lane, high: Lane, first: Lane, length: Lane) -> list[Lane]:
    """List the values of some tiles of a line; 0 where there is none."""
    found = []
    for at in range(TILES):
        place = first + at & 31
        value = planes >> place & 1 | (planes >> place + 16 & 1) << 1 | (high >> place & 1) << 2
        found.append(choose(at < length, value + 1, 0))
    return found


def layout(seats: int) -> Layout:
    """Say what stands where in an observation."""
    each = [f"seat {at} from mine" for at in range(seats)]
    return [
        ("row of sushi, 0: none", TILES),
        ("row of bones, without the minus", TILES),
        ("dice aside: sushi, bones, blue, red", 4),
        ("dice rolled: sushi, bones, blue, red", 4),
        ("rolls left", 1),
        ("whose turn, from my seat clockwise", 1),
        *[(f"{who}: sushi, bones, top sushi, top bone", 4) for who in each],
        *[(f"{who}: its sushi from bottom to top, its bones (memory)", 2 * TILES) for who in each],
    ]


def observe(lanes: Lanes, seats: int, seat: Lane) -> list[Lane]:
    """Tell a seat what lies open, and what one who forgets nothing knows of the piles [S19]."""
    none = jnp.zeros_like(lanes.sushi)
    sushi_ends, bones_ends = lanes.sushi_lengths * FIELDS, lanes.bones_lengths * FIELDS
    seen = tiles(lanes.sushi, lanes.sushi_high, none, lanes.sushi_lengths & 31)
    seen += tiles(lanes.bones, none, none, lanes.bones_lengths & 31)
    seen += [lanes.dice >> 4 * at & 15 for at in range(8)]
    turn = mover(lanes) - seat
    seen += [rolls_left(lanes), choose(mover(lanes) < seat, turn + seats, turn)]
    open_piles, memory = [], []
    for other in range(seats):
        who = seat + other
        who = choose(who >= seats, who - seats, who)
        sushi_length = lanes.sushi_lengths >> 5 * who + 5 & 31
        bones_length = lanes.bones_lengths >> 5 * who + 5 & 31
        sushi = tiles(lanes.sushi, lanes.sushi_high, sushi_ends >> 5 * who & 31, sushi_length)
        bones = tiles(lanes.bones, none, bones_ends >> 5 * who & 31, bones_length)
        tops = [top(sushi, sushi_length), top(bones, bones_length)]
        open_piles += [sushi_length, bones_length, *tops]
        memory += sushi + bones
    return seen + open_piles + memory


def top(pile: list[Lane], length: Lane) -> Lane:
    """Give the top tile of a pile, 0 if it is empty."""
    found = jnp.zeros_like(length)
    for at, tile in enumerate(pile):
        found = choose(length == at + 1, tile, found)
    return found
