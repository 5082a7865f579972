"""Schlacht am Buffet over arrays. A step is one decision of one seat, and what follows from it.

Seats that play at once decide one after the other, from the token's holder clockwise; nobody sees
what is laid. Cards have indices 0 to 10 for -1 to 9. A *pile* of cards is three words, in whose
twelve bytes stands how many cards of each value *or less* there are: to draw one of n cards is then
to compare twelve bytes with a number below n, and to subtract the result. Drawing so, each card
equally likely, is the same as having shuffled, and it needs no order.

Hands are filled when their seat comes to decide, in the same order as by the rules. The cards have
random numbers of their own, so it makes no difference when one looks: `settled` fills all hands.

Plates have indices, too: six for -1, then six for 1, and so on to 5, and of each value salad first,
cheese last: the rightmost of a buffet is always the lowest of a set. The next buffet is drawn while
a round is played, one plate a step.
"""

from typing import Any, Final, NamedTuple

import jax.numpy as jnp
import numpy as np
from jax import Array, lax

from tischlein.batch import lanes as w
from tischlein.batch.lanes import Lane, Last, Layout, choose, number, word

NAME: Final = "buffet"
SEATS: Final = range(3, 7)
VALUES: Final = 11
OF_EACH: Final = 10
HAND: Final = 9
PLATES: Final = 36
FOODS: Final = 6
SHORT_TABLE: Final = 3
FEWEST: Final = 70
"""No game has fewer decisions: seven rounds of ten at the least."""

BYTES: Final = 0x01010101
MARKS: Final = word(0x80808080)
NOT_LAID: Final = 15
HALF: Final = 18
"""A set of plates is two words of so many bits."""
ALL_PLATES: Final = (1 << HALF) - 1
NO_STACKS: Final = 0o111111
"""The value of the top plate of each food plus one, three bits each: nothing counts 0 [B18]."""
AT_ZERO: Final = 128
"""A place on the track is kept with so much added, so that it is not below zero."""

Pile = tuple[Lane, Lane, Lane]
Plates = tuple[Lane, Lane]
ALL_CARDS: Final = tuple(
    sum(min(VALUES, 4 * at + byte + 1) * OF_EACH << 8 * byte for byte in range(4))
    for at in range(3)
)

EXCHANGES: Final = np.arange(1 << HAND, dtype=np.uint32)
FIRST_EXCHANGE: Final = VALUES


class Lanes(NamedTuple):
    """A game; each tuple of six or fewer has one word a seat."""

    table: Lane
    """Fields of `Table`."""
    laid: Lane
    """The card of each seat, four bits each, 15 for none."""
    hands: tuple[Lane, ...]
    """Bytes 0 to 3 of a pile, and in the upper halves of these bytes, bytes 4 to 7."""
    hands_high: tuple[Lane, ...]
    """Bytes 8 to 11."""
    at: tuple[Lane, ...]
    """How far each mouse has come, ten bits each, three to a word."""
    stacks: tuple[Lane, ...]
    stock: Pile
    face_up: Pile
    face_down: Pile
    """The two parts of the discard pile [B10] [B11]."""
    on_table: Pile
    """The cards laid but not revealed."""
    buffet: Plates
    plates: Plates
    ahead: Plates
    """The next buffet, as far as it is drawn."""
    random: w.Random
    shuffle: w.Random
    """Random numbers for the cards alone."""


class Table(NamedTuple):
    """Whose turn it is, and how far the game is."""

    mover: Lane
    token: Lane
    starter: Lane
    inside: Lane
    """A bit for each seat that is in the round."""
    round: Lane
    second: Lane
    """1 in the second part of a round of three players."""
    exchanging: Lane
    """1 if the mover, first to leave, decides which cards to exchange."""
    opening: Lane
    """1 until the first cards of a round are revealed: hands are filled to nine."""


WIDTHS: Final = Table(3, 3, 3, 6, 4, 1, 1, 1)  # type: ignore[arg-type]


def pack(table: Table) -> Lane:
    """Write the fields of a table into one word."""
    packed, shift = table.mover, 0
    for at, width in enumerate(WIDTHS[:-1]):
        shift += int(width)
        packed = packed | table[at + 1] << shift
    return packed


def unpack(packed: Lane) -> Table:
    """Read the fields of a table."""
    found, shift = [], 0
    for width in WIDTHS:
        found.append(packed >> shift & (1 << int(width)) - 1)
        shift += int(width)
    return Table(*found)


def size_of_buffet(seats: int) -> int:
    """Say how many plates a round needs [B6] [B19]."""
    return 5 if seats == SHORT_TABLE else seats - 1


def rounds(seats: int) -> int:
    """Say how many rounds a game has [B16]."""
    return PLATES // size_of_buffet(seats)


def actions(seats: int) -> int:
    """Say how many actions there are: cards to lay, then sets of places in the sorted hand."""
    return FIRST_EXCHANGE + len(EXCHANGES)


def mover(lanes: Lanes) -> Lane:
    """Say whose turn it is."""
    return unpack(lanes.table).mover


# Piles of cards


def plus(pile: Pile, more: Pile) -> Pile:
    """Put two piles together."""
    return (pile[0] + more[0], pile[1] + more[1], pile[2] + more[2])


def minus(pile: Pile, less: Pile) -> Pile:
    """Take cards out of a pile."""
    return (pile[0] - less[0], pile[1] - less[1], pile[2] - less[2])


def size(pile: Pile) -> Lane:
    """Count a pile."""
    return pile[2] >> 24


def counted(pile: Pile) -> Pile:
    """Say how many of each value, no longer or less, a pile holds."""
    low, middle, high = pile
    return (low - (low << 8), middle - (middle << 8 | low >> 24), high - (high << 8 | middle >> 24))


def summed(counts: Pile) -> Pile:
    """Turn how many of each value into how many of each value or less."""
    low = counts[0] * BYTES
    middle = counts[1] * BYTES + (low >> 24) * BYTES
    return (low, middle, counts[2] * BYTES + (middle >> 24) * BYTES)


def larger(pile: Pile, than: Lane) -> Pile:
    """Put a one where more cards than so many are of this value or less."""
    less = (127 - than) * BYTES
    low, middle, high = ((part + less & MARKS) >> 7 for part in pile)
    return (low, middle, high)


def pile_of(low: Lane, high: Lane) -> Pile:
    """Unfold a hand."""
    return (low & 0x0F0F0F0F, low >> 4 & 0x0F0F0F0F, high)


def at_seat(by_seat: tuple[Lane, ...], seat: Lane) -> Lane:
    """Take the word of one seat."""
    found = by_seat[0]
    for at, lane in enumerate(by_seat[1:], start=1):
        found = choose(seat == at, lane, found)
    return found


def with_seat(by_seat: tuple[Lane, ...], seat: Lane, lane: Lane) -> tuple[Lane, ...]:
    """Change the word of one seat."""
    return tuple(choose(seat == at, lane, old) for at, old in enumerate(by_seat))


def hand_of(lanes: Lanes, seat: Lane) -> Pile:
    """Give the hand of a seat."""
    return pile_of(at_seat(lanes.hands, seat), at_seat(lanes.hands_high, seat))


def with_hand(lanes: Lanes, seat: Lane, hand: Pile) -> Lanes:
    """Change the hand of a seat."""
    return lanes._replace(
        hands=with_seat(lanes.hands, seat, hand[0] | hand[1] << 4),
        hands_high=with_seat(lanes.hands_high, seat, hand[2]),
    )


def drawn(lanes: Lanes, seat: Lane, wanted: Lane) -> Lanes:
    """Let a seat draw up to nine cards; an empty stock is shuffled from the discards [B15]."""
    stock, hand = lanes.stock, hand_of(lanes, seat)
    discards = plus(lanes.face_up, lanes.face_down)
    shuffled = wanted != wanted
    random = lanes.shuffle
    for card in range(HAND):
        needed = wanted > card
        empty = needed & (size(stock) == 0)
        stock = w.choose_all(empty, discards, stock)
        shuffled = shuffled | empty
        bits, following = w.draw(random)
        random = w.choose_all(needed, following, random)
        chosen, _ = w.below(bits, size(stock), 7)
        taken = larger(stock, choose(needed, chosen, 127))
        stock, hand = minus(stock, taken), plus(hand, taken)
    nothing = jnp.zeros_like(wanted)
    none = (nothing, nothing, nothing)
    return with_hand(lanes, seat, hand)._replace(
        stock=stock,
        face_up=w.choose_all(shuffled, none, lanes.face_up),
        face_down=w.choose_all(shuffled, none, lanes.face_down),
        shuffle=random,
    )


def wanted_by(lanes: Lanes, table: Table, seat: Lane) -> Lane:
    """Say how many cards a seat draws before it plays [B13] [B15]."""
    have = size(hand_of(lanes, seat))
    wanted = choose((table.opening > 0) | (have == 0), HAND - have, 0)
    return choose(table.exchanging > 0, 0, wanted)


def following(inside: Lane, seat: Lane, seats: int) -> Lane:
    """Name the next seat clockwise that is in the round."""
    turned = (inside | inside << seats) >> seat + 1
    found = seat + 1 + w.ones(w.lowest(turned) - 1)
    return choose(found >= seats, found - seats, found)


def settled(lanes: Lanes, seats: int) -> Lanes:
    """Fill the hands of all who are still to play, as the rules do before anybody plays."""
    table = unpack(lanes.table)

    def fill(_: Any, carried: tuple[Lanes, Lane]) -> tuple[Lanes, Lane]:
        lanes, seat = carried
        seat = following(table.inside, seat, seats)
        to_play = (lanes.laid >> 4 * seat & 15) == NOT_LAID
        wanted = wanted_by(lanes, table, seat)
        return drawn(lanes, seat, choose(to_play, wanted, 0)), seat

    filled: Lanes = lax.fori_loop(0, seats - 1, fill, (lanes, table.mover))[0]
    return filled


# Moves: the pile of cards that leaves the hand


def any_move(lanes: Lanes, bits: Lane) -> Pile:
    """Choose one of the legal moves, each equally likely."""
    table = unpack(lanes.table)
    counts = counted(hand_of(lanes, table.mover))
    held = tuple((part + 0x7F7F7F7F & MARKS) >> 7 for part in counts)
    different = summed(held)
    chosen, _ = w.below(bits, size(different), 4)
    card = larger(different, chosen)
    given = [jnp.zeros_like(bits)] * 3
    for value in range(VALUES):
        part, shift = value // 4, value % 4 * 8
        some, bits = w.below(bits, (counts[part] >> shift & 15) + 1, 4)
        given[part] |= some << shift
    return w.choose_all(table.exchanging > 0, summed((given[0], given[1], given[2])), card)


def move_of(lanes: Lanes, seats: int, action: Lane) -> Pile:
    """Read an action as a move."""
    hand = hand_of(lanes, mover(lanes))
    places = action - FIRST_EXCHANGE
    is_exchange = action >= FIRST_EXCHANGE
    found = []
    for part in range(3):
        words = jnp.zeros_like(action)
        for byte in range(4):
            up_to = hand[part] >> 8 * byte & 15
            given = w.ones(places & (1 << up_to) - 1)
            laid = number(action <= 4 * part + byte)
            words |= choose(is_exchange, given, laid) << 8 * byte
        found.append(words)
    return (found[0], found[1], found[2])


def chosen(lanes: Lanes, seats: int) -> Lane:
    """Say which action `random_step` will choose."""
    bits, _ = w.draw(lanes.random)
    move = any_move(lanes, bits)
    hand, places = hand_of(lanes, mover(lanes)), jnp.zeros_like(bits)
    counts, before = counted(move), jnp.zeros_like(bits)
    for value in range(VALUES):
        part, shift = value // 4, value % 4 * 8
        places |= (1 << (counts[part] >> shift & 15)) - 1 << before
        before = hand[part] >> shift & 15
    exchanging = unpack(lanes.table).exchanging > 0
    return choose(exchanging, places + FIRST_EXCHANGE, card_of(move))


def card_of(move: Pile) -> Lane:
    """Name the one card of a move."""
    return 12 - ((move[0] + move[1] + move[2]) * BYTES >> 24)


def legal(lanes: Lanes, seats: int) -> Array:
    """Say of each action whether it is legal; the last axis is that of the actions."""
    table = unpack(lanes.table)
    hand = hand_of(lanes, table.mover)
    counts, cards, starts = counted(hand), [], jnp.ones_like(lanes.table)
    for value in range(VALUES):
        part, shift = value // 4, value % 4 * 8
        cards.append((counts[part] >> shift & 15) > 0)
        starts |= 1 << (hand[part] >> shift & 15)
    all_places = (1 << size(hand)) - 1
    equal = jnp.expand_dims(~starts & all_places, -1)
    fits = jnp.expand_dims(all_places, -1) >= EXCHANGES
    exchanges = fits & (EXCHANGES & equal & ~(EXCHANGES << 1) == 0)  # of equal cards the first
    exchanging = jnp.expand_dims(table.exchanging > 0, -1)
    return jnp.concatenate([jnp.stack(cards, -1) & ~exchanging, exchanges & exchanging], -1)


# A step


def play(lanes: Lanes, seats: int, move: Pile, bits: Lane) -> tuple[Lanes, Array, Last]:
    """Play a move; when all have laid a card reveal them, and go on to the next decision."""
    table = unpack(lanes.table)
    seat, exchanging = table.mover, table.exchanging > 0
    lanes = drawn_ahead(with_hand(lanes, seat, minus(hand_of(lanes, seat), move)), seats, bits)
    nothing = jnp.zeros_like(seat)
    none = (nothing, nothing, nothing)
    laid = lanes.laid & ~(15 << 4 * seat) | card_of(move) << 4 * seat
    lanes = lanes._replace(
        laid=choose(exchanging, lanes.laid, laid),
        on_table=plus(lanes.on_table, w.choose_all(exchanging, none, move)),
    )
    after = following(table.inside, seat, seats)
    table = table._replace(mover=choose(exchanging, table.token, after), exchanging=nothing)
    complete = ~exchanging & (after == table.token)
    lanes, table, over, last = revealed(lanes, table, seats, complete, bits)
    given = choose(exchanging, size(move), 0)
    drawer = choose(given > 0, seat, table.mover)
    wanted = choose(given > 0, given, wanted_by(lanes, table, table.mover))
    lanes = drawn(lanes._replace(table=pack(table)), drawer, wanted)
    exchanged = w.choose_all(exchanging, move, none)
    return lanes._replace(face_down=plus(lanes.face_down, exchanged)), over, last


def revealed(
    lanes: Lanes, table: Table, seats: int, complete: Array, bits: Lane
) -> tuple[Lanes, Table, Array, Last]:
    """Move all mice by their cards [B7]; a mouse alone at the back leaves the round [B9]."""
    at, back = moved_mice(lanes, table, seats, complete)
    leaves = complete & (back & back - 1 == 0)
    seat = w.ones(back - 1)
    inside = choose(leaves, table.inside & ~back, table.inside)
    goes_on = inside & inside - 1 != 0
    settles = leaves & ~goes_on
    ahead = w.ones(inside - 1)
    exchanging = leaves & (table.second == 0) & (table.inside == (1 << seats) - 1)
    token = choose(
        leaves & (table.token == seat), following(inside, table.token, seats), table.token
    )
    token = choose(settles, ahead, token)
    eats_now = settles & (table.second == 0) if seats == SHORT_TABLE else settles & False  # [B20]
    lanes = cards_discarded(lanes._replace(at=at), complete)
    if seats == SHORT_TABLE:
        lanes = plate_won(lanes, leaves & (goes_on | eats_now), seat)
        lanes = plate_won(lanes, settles, ahead)
    else:
        lanes = plate_won(lanes, leaves, choose(goes_on, seat, ahead))  # [B9] [B12]
    last = (*lanes.stacks, table.starter)
    new_round = settles & ~eats_now
    over = new_round & (table.round == rounds(seats))
    starter, _ = w.below(w.rotate(bits, 7), seats, 3)
    token = choose(over, starter, token)
    first = choose(complete, token, table.mover)
    table = Table(
        mover=choose(exchanging, seat, first),
        token=token,
        starter=choose(over, starter, table.starter),
        inside=choose(settles, (1 << seats) - 1, inside),
        round=choose(over, 1, table.round + number(new_round)),
        second=choose(eats_now, 1, choose(new_round, 0, table.second)),
        exchanging=number(exchanging),
        opening=choose(new_round, 1, choose(complete, 0, table.opening)),
    )
    return dealt(lanes, table, seats, new_round, over), table, over, last


def cards_discarded(lanes: Lanes, complete: Array) -> Lanes:
    """Lay the cards that were played on the discard pile, face up, where all have played [B11]."""
    nothing = jnp.zeros_like(lanes.laid)
    none = (nothing, nothing, nothing)
    return lanes._replace(
        laid=choose(complete, word(0xFFFFFFFF), lanes.laid),
        face_up=plus(lanes.face_up, w.choose_all(complete, lanes.on_table, none)),
        on_table=w.choose_all(complete, none, lanes.on_table),
    )


def moved_mice(
    lanes: Lanes, table: Table, seats: int, complete: Array
) -> tuple[tuple[Lane, ...], Lane]:
    """Move the mice; give the places, and as bits who is at the back."""
    words, places = list(lanes.at), []
    for seat in range(seats):
        card = lanes.laid >> 4 * seat & 15
        moves = complete & (table.inside >> seat & 1 != 0)
        shift = seat % 3 * 10
        words[seat // 3] += choose(moves, card - 1, 0) << shift
        places.append(choose(moves, words[seat // 3] >> shift & 1023, 1023))
    behind = places[0]
    for place in places[1:]:
        behind = jnp.minimum(behind, place)
    back = jnp.zeros_like(behind)
    for seat, place in enumerate(places):
        back |= number(place == behind) << seat
    return tuple(words), back


def plate_won(lanes: Lanes, wins: Array, seat: Lane) -> Lanes:
    """Put the rightmost plate on top of the player's stack of that food [B17]."""
    low, high = lanes.buffet
    from_high = low == 0
    plate = w.lowest(choose(from_high, high, low))
    place = w.ones(plate - 1)
    third = number(place >= 6) + number(place >= 12)
    value = third + choose(from_high, 3, 0)
    shift = 3 * (place - 6 * third)
    code = value + number(value > 0)
    stacks = tuple(
        choose(wins & (seat == at), old & ~(7 << shift) | code << shift, old)
        for at, old in enumerate(lanes.stacks)
    )
    gone = choose(wins, plate, 0)
    buffet = (low & ~choose(from_high, 0, gone), high & ~choose(from_high, gone, 0))
    return lanes._replace(stacks=stacks, buffet=buffet)


def drawn_ahead(lanes: Lanes, seats: int, bits: Lane) -> Lanes:
    """Draw one plate of the next buffet, until it is complete."""
    low, high = lanes.plates
    complete = w.ones(lanes.ahead[0]) + w.ones(lanes.ahead[1]) >= size_of_buffet(seats)
    in_low = w.ones(low)
    chosen, _ = w.below(bits, in_low + w.ones(high), 6)
    from_high = chosen >= in_low
    left = choose(from_high, high, low)
    chosen = choose(from_high, chosen - in_low, chosen)
    place = w.nth(left, chosen, (9, 5, 3, 2, 1))
    plate = choose(complete, 0, 1 << (place & 31))
    new_low, new_high = choose(from_high, 0, plate), choose(from_high, plate, 0)
    return lanes._replace(
        plates=(low & ~new_low, high & ~new_high),
        ahead=(lanes.ahead[0] | new_low, lanes.ahead[1] | new_high),
    )


def dealt(lanes: Lanes, table: Table, seats: int, new_round: Array, over: Array) -> Lanes:
    """Lay out the next buffet [B6]; after the last round begin a new game [B5]."""
    nothing = jnp.zeros_like(lanes.table)
    none = (nothing, nothing, nothing)
    all_cards = tuple(nothing + word(part) for part in ALL_CARDS)
    all_plates = (nothing + ALL_PLATES, nothing + ALL_PLATES)
    last_round = new_round & (table.round == rounds(seats))  # the plates ahead: of the next game
    return lanes._replace(
        hands=tuple(choose(over, 0, hand) for hand in lanes.hands),
        hands_high=tuple(choose(over, 0, hand) for hand in lanes.hands_high),
        at=tuple(choose(new_round, at_start(), at) for at in lanes.at),
        stacks=tuple(choose(over, NO_STACKS, stack) for stack in lanes.stacks),
        stock=w.choose_all(over, all_cards, lanes.stock),
        face_up=w.choose_all(over, none, lanes.face_up),
        face_down=w.choose_all(over, none, lanes.face_down),
        buffet=w.choose_all(new_round, lanes.ahead, lanes.buffet),
        ahead=w.choose_all(new_round, (nothing, nothing), lanes.ahead),
        plates=w.choose_all(last_round, all_plates, lanes.plates),
    )


def at_start() -> Any:
    """Give three mice on 0."""
    return word(AT_ZERO * (1 | 1 << 10 | 1 << 20))


def fresh(random: w.Random, seats: int) -> Lanes:
    """Start from nothing but random words."""
    zero = jnp.zeros_like(random[0])
    first, random = w.draw(random)
    second, random = w.draw(random)
    empty = Lanes(
        table=zero,
        laid=zero + word(0xFFFFFFFF),
        hands=(zero,) * seats,
        hands_high=(zero,) * seats,
        at=(zero + at_start(),) * (2 if seats > 3 else 1),
        stacks=(zero + NO_STACKS,) * seats,
        stock=(zero, zero, zero),
        face_up=(zero, zero, zero),
        face_down=(zero, zero, zero),
        on_table=(zero, zero, zero),
        buffet=(zero, zero),
        plates=(zero + ALL_PLATES, zero + ALL_PLATES),
        ahead=(zero, zero),
        random=random,
        shuffle=(first | 1, second),
    )

    def prepare(_: Any, lanes: Lanes) -> Lanes:
        bits, random = w.draw(lanes.random)
        return drawn_ahead(lanes._replace(random=random), seats, bits)

    lanes = lax.fori_loop(0, size_of_buffet(seats), prepare, empty)
    bits, random = w.draw(lanes.random)
    starter, _ = w.below(bits, seats, 3)
    table = Table(
        starter, starter, starter, zero + (1 << seats) - 1, zero + 1, zero, zero, zero + 1
    )
    yes = zero == 0
    lanes = dealt(lanes._replace(random=random), table, seats, yes, yes)
    return drawn(lanes._replace(table=pack(table)), starter, zero + HAND)


def random_step(lanes: Lanes, seats: int) -> tuple[Lanes, Array, Last]:
    """Play any legal move."""
    bits, random = w.draw(lanes.random)
    ahead, random = w.draw(random)
    return play(lanes._replace(random=random), seats, any_move(lanes, bits), ahead)


def step(lanes: Lanes, seats: int, action: Lane) -> tuple[Lanes, Array, Last]:
    """Play the move of an action."""
    bits, random = w.draw(lanes.random)
    return play(lanes._replace(random=random), seats, move_of(lanes, seats, action), bits)


def last_of(lanes: Lanes) -> Last:
    """Give what is needed to count this position."""
    return (*lanes.stacks, unpack(lanes.table).starter)


def scores(last: Last, seats: int) -> list[Array]:
    """Sum the top plates [B17] [B18]."""
    found = []
    for stack in last[:seats]:
        tops = [stack >> 3 * food & 7 for food in range(FOODS)]
        total = tops[0] + tops[1] + tops[2] + tops[3] + tops[4] + tops[5]
        found.append((total - FOODS).astype(jnp.int32))
    return found


def best(last: Last, points: list[Array]) -> list[Array]:
    """Say who wins: most points, then the better plates, food by food [B18]."""
    ranks = [
        (score << 18) + stack.astype(jnp.int32) for score, stack in zip(points, last, strict=False)
    ]
    most = ranks[0]
    for rank in ranks[1:]:
        most = jnp.maximum(most, rank)
    return [rank == most for rank in ranks]


def layout(seats: int) -> Layout:
    """Say what stands where in an observation."""
    each = [f"seat {at} from mine" for at in range(seats)]
    return [
        ("my hand: how many of -1, 0, … 9", VALUES),
        ("the buffet, a flag a plate: -1 salad, … -1 cheese, 1 salad, … 5 cheese", PLATES),
        ("plates still to come, the same (none in the last round)", PLATES),
        ("face-up discards: how many of -1, 0, … 9", VALUES),
        ("stock; face-down discards; round; part; 1: I exchange cards", 5),
        ("whose turn; who has the token; both from my seat clockwise", 2),
        *[(f"{who}: in the round; cards in hand; has laid a card; distance", 4) for who in each],
        *[(f"{who}: top plate of cheese, … salad, 0: none", FOODS) for who in each],
    ]


def observe(lanes: Lanes, seats: int, seat: Lane) -> list[Lane]:
    """Tell a seat what it may know [B23]."""
    lanes = settled(lanes, seats)
    table = unpack(lanes.table)
    to_come = table.round < rounds(seats)
    seen = in_list(hand_of(lanes, seat))
    seen += flags(lanes.buffet)
    plates = (lanes.plates[0] | lanes.ahead[0], lanes.plates[1] | lanes.ahead[1])
    seen += [choose(to_come, flag, 0) for flag in flags(plates)]
    seen += in_list(lanes.face_up)
    mine = choose(table.mover == seat, table.exchanging, 0)
    seen += [size(lanes.stock), size(lanes.face_down), table.round, table.second + 1, mine]
    seen += [from_seat(table.mover, seat, seats), from_seat(table.token, seat, seats)]
    others = [choose(seat + at >= seats, seat + at - seats, seat + at) for at in range(seats)]
    for who in others:
        laid = number((lanes.laid >> 4 * who & 15) != NOT_LAID)
        place = at_seat(lanes.at, who // 3) >> who % 3 * 10 & 1023
        in_hand = size(hand_of(lanes, who))
        seen += [table.inside >> who & 1, in_hand, laid, place - AT_ZERO]
    for who in others:
        stack = at_seat(lanes.stacks, who)
        seen += [(stack >> 3 * food & 7) - 1 for food in reversed(range(FOODS))]
    return seen


def in_list(pile: Pile) -> list[Lane]:
    """List how many of each value a pile holds."""
    counts = counted(pile)
    return [counts[value // 4] >> value % 4 * 8 & 255 for value in range(VALUES)]


def flags(plates: Plates) -> list[Lane]:
    """List which plates are in a set."""
    return [plates[at // HALF] >> at % HALF & 1 for at in range(PLATES)]


def from_seat(who: Lane, seat: Lane, seats: int) -> Lane:
    """Count clockwise from a seat."""
    return choose(who >= seat, who - seat, who + seats - seat)
