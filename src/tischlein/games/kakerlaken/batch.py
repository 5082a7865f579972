"""Kakerlaken Sushi over arrays. A decision is *what* to do; a step is one decision of one seat.

In a race the seats decide one after the other, from seat 0, and nobody sees what the others do. A
seat slaps a tile, grabs the master or waits; after a grab the same seat decides what to name, or
waits. The clock closes the race when all have decided. *When* a deed is done the action may say;
else the engine draws it: any of the 8,000 milliseconds of a race, and for a name any of the 6,000
after the grab, of which 3,000 are in time.
"""

from typing import Final, NamedTuple

import jax.numpy as jnp
from jax import Array

from tischlein.batch import lanes as w
from tischlein.batch.lanes import Lane, Last, Layout, choose, number, word

NAME: Final = "kakerlaken"
SEATS: Final = range(2, 6)
TILES: Final = 9
MOST_TILES: Final = 5
COINS_TO_WIN: Final = 4
RACE_MS: Final = 8000
NAMING_MS: Final = 3000
FEWEST: Final = 16
"""No game has fewer decisions: four coins, two races each, two seats."""

SLAP: Final = 0
GRAB: Final = 9
NAME_IT: Final = 11
GIVE: Final = 14
WAIT: Final = 23
WHEN: Final = 5
"""From this bit on an action may say when: one more than the milliseconds, 0 for any time."""
LATEST: Final = 8191
"""The longest that a name may take after its grab; a deed comes by the end of its race [K8]."""
NEVER: Final = 0x7FFFFFFF

EACH: Final = 0o111111111
"""One in each of nine fields of three bits: whose a tile is, 0 for the middle."""
THIEVES: Final = sum((1 + (tile // 3 + tile % 3) % 3) << 2 * tile for tile in range(TILES))
"""The thief on each tile, from 1, two bits each [K3]."""
HALVES: Final = (15, 9, 6, 3)

WAITED: Final = 12
GRABBED: Final = 10
SQUEAKED: Final = 11
"""Kinds of deeds: 0 none, 1 to 9 a slap, and these."""

DEED, NAMING, GIVING = range(3)


class Lanes(NamedTuple):
    """A game; `deeds` has one word a seat."""

    table: Lane
    """Fields of `Table`."""
    owners: Lane
    coins: Lane
    """Three bits a seat."""
    circle: Lane
    """The number of the circle's order among all orders; no rule asks for it."""
    deeds: tuple[Lane, ...]
    """13 bits when, 4 bits the kind, 2 bits the thief named, 13 bits how long after the grab."""
    random: w.Random


class Table(NamedTuple):
    """Whose turn it is, and what the dice show."""

    mover: Lane
    phase: Lane
    roller: Lane
    roll: Lane
    starter: Lane
    owing: Lane
    """A bit for each seat that must give a tile back."""


def pack(table: Table) -> Lane:
    """Write the fields of a table into one word."""
    low = table.mover | table.phase << 3 | table.roller << 5
    return low | table.roll << 8 | table.starter << 12 | table.owing << 15


def unpack(packed: Lane) -> Table:
    """Read the fields of a table."""
    return Table(
        packed & 7, packed >> 3 & 3, packed >> 5 & 7, packed >> 8 & 15, packed >> 12 & 7,
        packed >> 15 & 31,
    )  # fmt: skip


def actions(seats: int) -> int:
    """Say how many actions there are."""
    return WAIT + 1


def mover(lanes: Lanes) -> Lane:
    """Say whose turn it is."""
    return lanes.table & 7


def tiles_of(owners: Lane, owner: Lane) -> Lane:
    """Mark the tiles of a seat, counted from 1, or with 0 those in the middle."""
    others = owners ^ owner * EACH
    return ~(others | others >> 1 | others >> 2) & EACH


def any_move(lanes: Lanes, bits: Lane, when: Lane) -> Lane:
    """Choose one of the moves that the rules list, each equally likely, and its time."""
    table = unpack(lanes.table)
    naming = table.phase == NAMING
    giving = table.phase == GIVING
    tiles = tiles_of(lanes.owners, choose(giving, table.mover + 1, 0))
    count = w.ones(tiles)
    ways = choose(naming, 3, choose(giving, count, count + 2))
    chosen, _ = w.below(bits, ways, 4)
    tile = tile_number(w.nth(tiles, chosen, HALVES))
    action = choose(chosen < count, tile + choose(giving, GIVE, SLAP), GRAB + chosen - count)
    action = choose(naming, NAME_IT + chosen, action)
    return action | when + 1 << WHEN


def tile_number(place: Lane) -> Lane:
    """Divide the place of a tile's field by three."""
    return place * 11 >> 5


def any_time(lanes: Lanes, bits: Lane) -> Lane:
    """Draw when a deed is done: in the race, or how long after the grab."""
    race, naming = w.scaled(bits, RACE_MS), w.scaled(bits, 2 * NAMING_MS)
    return choose(unpack(lanes.table).phase == NAMING, naming, race)


def legal(lanes: Lanes, seats: int) -> Array:
    """Say of each action whether it is legal; the last axis is that of the actions."""
    table = unpack(lanes.table)
    acting, naming, giving = (table.phase == phase for phase in (DEED, NAMING, GIVING))
    middle, mine = tiles_of(lanes.owners, word(0)), tiles_of(lanes.owners, table.mover + 1)
    slaps = [acting & (middle >> 3 * tile & 1 != 0) for tile in range(TILES)]
    gives = [giving & (mine >> 3 * tile & 1 != 0) for tile in range(TILES)]
    return jnp.stack([*slaps, acting, acting, naming, naming, naming, *gives, ~giving], -1)


def play(
    lanes: Lanes, seats: int, action: Lane, bits: Lane, more: Lane
) -> tuple[Lanes, Array, Last]:
    """Play a move; the last deed closes the race [K8], and the next player rolls [K5]."""
    table = unpack(lanes.table)
    naming, giving = table.phase == NAMING, table.phase == GIVING
    what, latest = action & (1 << WHEN) - 1, choose(naming, LATEST, RACE_MS)
    when = jnp.minimum((action >> WHEN) - 1, latest)
    lanes = lanes._replace(
        deeds=with_deed(lanes.deeds, table.mover, deed_of(what, when, naming), naming, giving),
        owners=choose(giving, lanes.owners & ~(7 << 3 * (what - GIVE & 15)), lanes.owners),
    )
    grabbed = (what == GRAB) | (what == GRAB + 1)
    closes = ~giving & ~grabbed & (table.mover == seats - 1)
    lanes, table = closed(lanes, table, seats, closes)
    owing = choose(giving, table.owing & ~(1 << table.mover), table.owing)
    given_all = owing == 0
    next_mover = choose(grabbed, table.mover, table.mover + 1)
    between = closes | giving
    debtor = w.ones(w.lowest(owing) - 1)
    rolls = between & given_all
    over = rolls & (lanes.coins & 0o44444 != 0)  # [K21]
    roll, rest = w.below(bits, TILES, 4)
    last = (lanes.coins, table.starter)
    starter, _ = w.below(rest, seats, 3)
    table = Table(
        mover=choose(between, choose(given_all, 0, debtor), next_mover),
        phase=choose(between, choose(given_all, DEED, GIVING), choose(grabbed, NAMING, DEED)),
        roller=choose(over, starter, table.roller),
        roll=choose(rolls, roll, table.roll),
        starter=choose(over, starter, table.starter),
        owing=owing,
    )
    deeds = tuple(choose(closes, 0, deed) for deed in lanes.deeds)
    lanes = dealt_anew(lanes._replace(table=pack(table), deeds=deeds), over, bits, more)
    return lanes, over, last


def dealt_anew(lanes: Lanes, over: Array, bits: Lane, more: Lane) -> Lanes:
    """Put all tiles back and lay another circle where a game is over."""
    return lanes._replace(
        owners=choose(over, 0, lanes.owners),
        coins=choose(over, 0, lanes.coins),
        circle=choose(over, any_circle(bits, more), lanes.circle),
    )


def any_circle(bits: Lane, more: Lane) -> Lane:
    """Lay the nine tiles in any order [K5]: draw its number, by bits that the roll has not used."""
    return w.scaled(w.rotate(bits, 16), 720) * 504 + w.scaled(w.rotate(more, 16), 504)


def deed_of(what: Lane, when: Lane, naming: Array) -> Lane:
    """Write down a deed, or what follows a grab."""
    kind = choose(what < GRAB, what + 1, choose(what == WAIT, WAITED, what - GRAB + GRABBED))
    deed = choose(what == WAIT, 0, when) | kind << 13
    name = choose(what == WAIT, 0, (what - NAME_IT + 1) << 17 | when << 19)
    return choose(naming, name, deed)


def with_deed(
    deeds: tuple[Lane, ...], seat: Lane, deed: Lane, naming: Array, giving: Array
) -> tuple[Lane, ...]:
    """Give a seat its deed, or add a name to it."""
    return tuple(
        choose((seat == at) & ~giving, choose(naming, old | deed, deed), old)
        for at, old in enumerate(deeds)
    )


def closed(lanes: Lanes, table: Table, seats: int, closes: Array) -> tuple[Lanes, Table]:
    """Settle the race: by slaps where the tile lies in the middle, by grabs where it is won."""
    owner = lanes.owners >> 3 * table.roll & 7
    in_middle = owner == 0
    slap, grab = quickest(lanes, table, seats)
    first = First(*(choose(in_middle, one, other) for one, other in zip(slap, grab, strict=True)))
    any_one = first.time != NEVER
    thief = word(THIEVES) >> 2 * table.roll & 3
    right = ((first.deed >> 17 & 3) == thief) & (first.deed >> 19 <= NAMING_MS)  # [K13]
    squeaks = (first.deed >> 13 & 15) == SQUEAKED
    own = first.seat + 1 == owner
    wins = any_one & (in_middle | (~own & right & ~squeaks))  # [K9] [K16]
    coin = any_one & ~in_middle & choose(own, right & squeaks, ~right | squeaks)  # [K14] [K17]
    full = w.ones(tiles_of(lanes.owners, first.seat + 1)) >= MOST_TILES  # [K19]
    new_owner = choose(wins & ~full, first.seat + 1, 0)  # [K18]: also where nobody grabbed
    shift = 3 * table.roll
    has_tiles = tiles_of(lanes.owners, grab.seat + 1) != 0
    owing = number(in_middle & (grab.time < slap.time) & has_tiles) << grab.seat  # [K8] [K10]
    earned = choose(coin & closes, 1 << 3 * (owner - 1 & 7), 0)
    owners = lanes.owners & ~(7 << shift) | new_owner << shift
    roller = choose(table.roller == seats - 1, 0, table.roller + 1)
    return (
        lanes._replace(owners=choose(closes, owners, lanes.owners), coins=lanes.coins + earned),
        table._replace(
            roller=choose(closes, roller, table.roller), owing=choose(closes, owing, table.owing)
        ),
    )


class First(NamedTuple):
    """The quickest of some: its seat, its deed, and when (`NEVER` if there is none)."""

    seat: Lane
    deed: Lane
    time: Lane


def quickest(lanes: Lanes, table: Table, seats: int) -> tuple[First, First]:
    """Find the quickest right slap and the quickest grab [K7]."""
    nobody = jnp.zeros_like(table.mover)
    slap = grab = First(nobody, nobody, nobody + NEVER)
    for seat, its in enumerate(lanes.deeds):
        kind = its >> 13 & 15
        from_roller = choose(seat > table.roller, seat - table.roller, seat + seats - table.roller)
        time = (its & LATEST) << 3 | from_roller
        slap = quicker(slap, kind == table.roll + 1, seat, its, time)
        grab = quicker(grab, (kind == GRABBED) | (kind == SQUEAKED), seat, its, time)
    return slap, grab


def quicker(first: First, counts: Array, seat: int, deed: Lane, time: Lane) -> First:
    """Give the quicker of two deeds, if the second counts."""
    better = counts & (time < first.time)
    one = (word(seat), deed, time)
    return First(*(choose(better, new, old) for new, old in zip(one, first, strict=True)))


def fresh(random: w.Random, seats: int) -> Lanes:
    """Start from nothing but random words."""
    zero = jnp.zeros_like(random[0])
    bits, random = w.draw(random)
    more, random = w.draw(random)
    roll, rest = w.below(bits, TILES, 4)
    starter, _ = w.below(rest, seats, 3)
    table = Table(zero, zero, starter, roll, starter, zero)
    return Lanes(pack(table), zero, zero, any_circle(more, bits), (zero,) * seats, random)


def random_step(lanes: Lanes, seats: int) -> tuple[Lanes, Array, Last]:
    """Play any move that the rules list, at any time."""
    move, random = w.draw(lanes.random)
    time, random = w.draw(random)
    bits, random = w.draw(random)
    action = any_move(lanes, move, any_time(lanes, time))
    return play(lanes._replace(random=random), seats, action, bits, move)


def chosen(lanes: Lanes, seats: int) -> Lane:
    """Say which action `random_step` will choose."""
    move, random = w.draw(lanes.random)
    time, _ = w.draw(random)
    return any_move(lanes, move, any_time(lanes, time))


def settled(lanes: Lanes, seats: int) -> Lanes:
    """Do what is put off: nothing."""
    return lanes


def step(lanes: Lanes, seats: int, action: Lane) -> tuple[Lanes, Array, Last]:
    """Play the move of an action, at its time or at any."""
    move, random = w.draw(lanes.random)
    time, random = w.draw(random)
    bits, random = w.draw(random)
    timed = choose(action >> WHEN == 0, action | any_time(lanes, time) + 1 << WHEN, action)
    return play(lanes._replace(random=random), seats, timed, bits, move)


def last_of(lanes: Lanes) -> Last:
    """Give what is needed to count this position."""
    return (lanes.coins, unpack(lanes.table).starter)


def scores(last: Last, seats: int) -> list[Array]:
    """Count the fish coins."""
    return [(last[0] >> 3 * seat & 7).astype(jnp.int32) for seat in range(seats)]


def best(last: Last, points: list[Array]) -> list[Array]:
    """Say who has four fish coins [K21]."""
    return [coins >= COINS_TO_WIN for coins in points]


def layout(seats: int) -> Layout:
    """Say what stands where in an observation."""
    return [
        ("whose each tile is: 0 the middle, 1 mine, 2 the next clockwise, …", TILES),
        ("the roll: its tile, from 0", 1),
        ("the thief on that tile, from 1, if its thief side is up", 1),
        ("1: deed, 2: name, 3: give", 1),
        ("whose decision; who rolled; both from my seat clockwise", 2),
        ("coins, from my seat clockwise", seats),
    ]


def observe(lanes: Lanes, seats: int, seat: Lane) -> list[Lane]:
    """Tell a seat what it may know [K23]."""
    table = unpack(lanes.table)
    owners = [lanes.owners >> 3 * tile & 7 for tile in range(TILES)]
    turned = [choose(owner > seat, owner - seat, owner + seats - seat) for owner in owners]
    seen = [choose(owner == 0, 0, own) for owner, own in zip(owners, turned, strict=True)]
    up = lanes.owners >> 3 * table.roll & 7 != 0
    seen += [table.roll, choose(up, word(THIEVES) >> 2 * table.roll & 3, 0), table.phase + 1]
    seen += [
        choose(who >= seat, who - seat, who + seats - seat) for who in (table.mover, table.roller)
    ]
    others = [choose(seat + at >= seats, seat + at - seats, seat + at) for at in range(seats)]
    seen += [lanes.coins >> 3 * who & 7 for who in others]
    return seen
