"""Schlacht am Buffet / Sus au buffet (Martin Wallace, Kosmos 2011): secret cards, all at once."""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cache, lru_cache
from itertools import combinations, pairwise, product, starmap
from operator import add
from typing import Annotated, Any, Final, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

from tischlein import game
from tischlein.game import BY_NATURE, NATURE, NOBODY, REFEREE, By, Rng, Seen, Viewer

NAME: Final = "buffet"
SEATS: Final = range(3, 7)
HAS: Final[frozenset[game.Trait]] = frozenset({"secrets"})

Food = Literal["cheese", "potatoes", "sausage", "pizza", "chicken", "salad"]
Plate = tuple[Food, int]

FOODS: Final[tuple[Food, ...]] = (
    "cheese", "potatoes", "sausage", "pizza", "chicken", "salad",
)  # [B3]  # fmt: skip
RANK: Final = {food: rank for rank, food in enumerate(FOODS)}
CARDS: Final = tuple(card for card in range(-1, 10) for _ in range(10))  # [B1]
PLATE_VALUES: Final = (-1, 1, 2, 3, 4, 5)  # [B2]
HAND: Final = 9  # [B5]
SHORT_TABLE: Final = 3  # with so few players a round has two parts [B19]
SHORT_TABLE_PLATES: Final = 5

PlateValue = Annotated[int, Meta(ge=-99, le=99)]


class Options(game.Options, frozen=True):
    """House rules; `plate_values` are the six values of each food [B2]."""

    plate_values: Annotated[
        tuple[PlateValue, PlateValue, PlateValue, PlateValue, PlateValue, PlateValue],
        Meta(description="a list of six whole numbers from -99 to 99"),
    ] = PLATE_VALUES


class Deal(game.Move, frozen=True):
    """Nature shuffles cards and plates and gives somebody the token."""

    cards: tuple[int, ...]
    plates: tuple[Plate, ...]
    starter: int


class Shuffle(game.Move, frozen=True):
    """Nature makes the discard pile the new stock."""

    cards: tuple[int, ...]


class Play(game.Move, frozen=True):
    """Lay a card, face down until all have."""

    card: int


class Exchange(game.Move, frozen=True):
    """Give any cards away for as many from the stock [B10]."""

    cards: tuple[int, ...]


Move = Deal | Shuffle | Play | Exchange

VALUES: Final = tuple(dict.fromkeys(CARDS))
PLAYS: Final[dict[int, Move]] = {card: Play(card) for card in VALUES}
LISTS: Final = {
    frozenset(held): tuple([PLAYS[card] for card in held])
    for size in range(len(VALUES) + 1)
    for held in combinations(VALUES, size)
}
"""What can be laid, for each of the 2,048 sets of values that a hand may hold."""

REASONS: Final = game.COMMON_REASONS | {
    "wrong_cards": "the deal must hold the 110 cards of the game, ten of each from -1 to 9",
    "wrong_plates": "the deal must hold the 36 plates of the game",
    "nothing_to_shuffle": "the cards are shuffled only when a draw needs it",
    "wrong_shuffle": "the shuffled cards must be those of the discard pile",
    "shuffle_first": "the discard pile must be shuffled first",
    "card_not_held": "you do not hold the card {card}",
    "cards_not_held": "you can give away only cards that you hold",
    "out_of_the_round": "you have left this round; wait for the next",
    "exchange_first": "first say which cards you exchange; none is an answer too",
    "wait_for_exchange": "wait: seat {seat} may exchange cards first",
    "no_exchange": "only the first mouse to leave a round may exchange cards, at once",
}

Hand = tuple[int, ...]
Discard = tuple[int, bool]
"""A card of the discard pile, and whether it lies face up [B10] [B11]."""
FACE_UP: Final[dict[int, Discard]] = {card: (card, True) for card in VALUES}
Stacks = tuple[tuple[int, ...], ...]
"""The plates that a player has won, food by food in the order of FOODS, bottom to top."""


class Reveal(Struct, frozen=True, gc=False):
    """What the last reveal showed: the cards in their order, and who left with which plates."""

    cards: tuple[tuple[int, int], ...]
    left: tuple[tuple[int, Plate | None], ...] = ()


class Tie(Struct, frozen=True):
    """Two seats with equal points: the first food whose top plates differ decides [B18]."""

    better: int
    worse: int
    food: Food
    plates: tuple[int, int]


class State(Struct, frozen=True, gc=False):
    """The whole table; `token` is None until nature has dealt, `movers` may move now."""

    seats: int
    options: Options
    token: int | None = None
    round: int = 0
    part: int = 1
    plates: tuple[Plate, ...] = ()
    buffet: tuple[Plate, ...] = ()
    stacks: tuple[Stacks, ...] = ()
    stock: tuple[int, ...] = ()
    discard: tuple[Discard, ...] = ()
    hands: tuple[Hand, ...] = ()
    at: tuple[int, ...] = ()
    inside: tuple[int, ...] = ()
    movers: tuple[By, ...] = BY_NATURE
    played: tuple[int | None, ...] = ()
    exchanging: int | None = None
    exchanged: tuple[int, ...] = ()
    drawing: tuple[tuple[int, int], ...] = ()
    revealed: Reveal | None = None
    over: bool = False


class View(Struct, frozen=True, omit_defaults=True):
    """What somebody may see; null is a hidden card. `ties` come with the end, if there are any."""

    buffet: tuple[Plate, ...]
    plates_left: int
    round: int
    part: int
    token: int | None
    at: tuple[int, ...]
    inside: tuple[int, ...]
    hands: tuple[tuple[int | None, ...], ...]
    played: dict[int, int | None]
    stacks: tuple[dict[Food, tuple[int, ...]], ...]
    stock: int
    discard: tuple[int | None, ...]
    exchanging: int | None
    exchanged: tuple[int | None, ...]
    drawing: tuple[tuple[int, int], ...]
    revealed: Reveal | None
    over: bool
    options: Options
    ties: tuple[Tie, ...] = ()


def start(seats: int, options: Mapping[str, Any] | None = None) -> State:
    """Give the empty table, before nature deals."""
    chosen = game.set_up(seats, options, SEATS, Options)
    nothing: Stacks = ((),) * len(FOODS)
    return State(
        seats,
        chosen,
        stacks=(nothing,) * seats,
        hands=((),) * seats,
        at=(0,) * seats,
        played=(None,) * seats,
    )


def to_move(state: State) -> tuple[By, ...]:
    """Say who may move now: all who are in and have not played yet, at once [B7]."""
    return state.movers


def legal(state: State, seat: int) -> Sequence[Move]:
    """List every legal move of a seat and nothing else."""
    if seat not in state.movers:
        return ()
    hand = state.hands[seat]
    return LISTS[frozenset(hand)] if state.exchanging is None else exchanges(hand)


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
    """List nothing: deals and shuffles are too many."""
    return ()


def draw(state: State, rng: Rng) -> Move:
    """Draw nature's next move: deal cards, plates and the token, or shuffle the discard pile."""
    if state.token is not None:
        return Shuffle(game.shuffled(sorted(card for card, _ in state.discard), rng))
    cards, plates = (
        game.shuffled(CARDS, rng),
        game.shuffled(all_plates(state.options), rng),
    )
    return Deal(cards, plates, game.draw_starter(state.options, state.seats, rng))


def view(state: State, viewer: Viewer) -> View:
    """Show what lies open, and of the secret cards those of the viewer [B23]."""
    sees_all = viewer == REFEREE
    seats = range(state.seats)
    return View(
        buffet=state.buffet,
        plates_left=len(state.plates),
        round=state.round,
        part=state.part,
        token=state.token,
        at=state.at,
        inside=state.inside,
        hands=tuple(
            state.hands[seat] if sees_all or seat == viewer else (None,) * len(state.hands[seat])
            for seat in seats
        ),
        played={
            seat: state.played[seat] if sees_all or seat == viewer else None
            for seat in seats
            if state.played[seat] is not None
        },
        stacks=tuple(
            {food: stack for food, stack in zip(FOODS, stacks, strict=True) if stack}
            for stacks in state.stacks
        ),
        stock=len(state.stock),
        discard=tuple(card if face_up or sees_all else None for card, face_up in state.discard),
        exchanging=state.exchanging,
        exchanged=state.exchanged if sees_all else (None,) * len(state.exchanged),
        drawing=state.drawing,
        revealed=state.revealed,
        over=state.over,
        options=state.options,
        ties=ties(state) if state.over else (),
    )


def seen(by: By, move: Move, viewer: Viewer, later: bool = False) -> Seen | None:
    """Tell a move: the deal, shuffles, cards laid (at first) and exchanged are secret [B23]."""
    if viewer == REFEREE or by == viewer:
        return game.whole(by, move)
    match move:
        case Deal():
            mine = range(0) if viewer is None else range(viewer * HAND, (viewer + 1) * HAND)
            cards = [card if at in mine else None for at, card in enumerate(move.cards)]
            plates = [None] * len(move.plates)
            return {"by": by, "do": "deal", "cards": cards, "plates": plates,
                    "starter": move.starter}  # fmt: skip
        case Shuffle():
            return {"by": by, "do": "shuffle", "cards": [None] * len(move.cards)}
        case Play():
            return {"by": by, "do": "play", "card": move.card if later else None}
        case Exchange():
            return {"by": by, "do": "exchange", "cards": [None] * len(move.cards)}


def retold(
    moves: Sequence[tuple[By, Move]], since: int, state: State, viewer: Viewer, later: bool = False
) -> list[Seen | None]:
    """Tell moves as they were seen: here nobody has to forget."""
    return [seen(by, move, viewer, later) for by, move in moves[since:]]


def in_secret(state: State) -> int:
    """Say how many of the latest moves are not told yet: the cards that lie face down [B7]."""
    return len(state.played) - state.played.count(None)


def waits_for(state: State, viewer: Viewer) -> tuple[By, ...]:
    """Say who may move now: everybody sees who has laid a card."""
    return to_move(state)


def standing(state: State, viewer: Viewer) -> tuple[int, ...] | None:
    """Give the scores: all plates lie open."""
    return scores(state)


def scores(state: State) -> tuple[int, ...]:
    """Sum the top plates [B17] [B18]."""
    return tuple(sum(top_plates(stacks)) for stacks in state.stacks)


def winners(state: State) -> tuple[int, ...]:
    """Name the seats with the most points; a tie is broken food by food [B18]."""
    return game.in_order(merits(state))[0] if state.over else ()


def merits(state: State) -> tuple[tuple[int, ...], ...]:
    """Give what puts the seats in order: points first, then the top plates food by food [B18]."""
    tops = [top_plates(stacks) for stacks in state.stacks]
    return tuple((sum(top), *top) for top in tops)


def ties(state: State) -> tuple[Tie, ...]:
    """Say which food decides between neighbours in the order who have equal points [B18]."""
    found, seats = merits(state), [s for level in game.in_order(merits(state)) for s in level]
    return tuple(
        broken(better, worse, found[better][1:], found[worse][1:])
        for better, worse in pairwise(seats)
        if found[better][0] == found[worse][0] and found[better] != found[worse]
    )


def broken(better: int, worse: int, more: Sequence[int], less: Sequence[int]) -> Tie:
    """Find the first food whose top plates differ [B3] [B18]."""
    at = next(at for at in range(len(FOODS)) if more[at] != less[at])
    return Tie(better, worse, FOODS[at], (more[at], less[at]))


def imagine(view: View, rng: Rng) -> State:
    """Deal the cards and plates that are not in sight to the places where they may be."""
    dealt = view.token is not None
    piles: list[Iterable[int | None]] = [*view.hands, view.played.values(), view.discard]
    piles += [view.exchanged, (None,) * view.stock]
    in_sight = [card for pile in piles for card in pile if card is not None]
    hidden = iter(game.shuffled(game.without(CARDS if dealt else (), in_sight), rng))

    def known(cards: Iterable[int | None]) -> tuple[int, ...]:
        return tuple(next(hidden) if card is None else card for card in cards)

    plates = game.without(all_plates(view.options) if dealt else (), plates_in_sight(view))
    face_up = [card is not None for card in view.discard]
    played = {seat: known([card])[0] for seat, card in view.played.items()}
    return State(
        seats=len(view.hands),
        options=view.options,
        token=view.token,
        round=view.round,
        part=view.part,
        plates=game.shuffled(plates, rng),
        buffet=view.buffet,
        stacks=tuple(tuple(stacks.get(food, ()) for food in FOODS) for stacks in view.stacks),
        stock=known((None,) * view.stock),
        discard=tuple(zip(known(view.discard), face_up, strict=True)),
        hands=tuple(tuple(sorted(known(hand))) for hand in view.hands),
        at=view.at,
        inside=view.inside,
        movers=movers_in(view),
        played=tuple(played.get(seat) for seat in range(len(view.hands))),
        exchanging=view.exchanging,
        exchanged=known(view.exchanged),
        drawing=view.drawing,
        revealed=view.revealed,
        over=view.over,
    )


def plates_in_sight(view: View) -> list[Plate]:
    """List the plates on the table and in stacks."""
    won = [(food, value) for stacks in view.stacks for food in stacks for value in stacks[food]]
    return [*view.buffet, *won]


def movers_in(view: View) -> tuple[By, ...]:
    """Say who may move at a table that is seen."""
    if view.over:
        return NOBODY
    if view.drawing or view.token is None:
        return BY_NATURE
    if view.exchanging is not None:
        return (view.exchanging,)
    return tuple(seat for seat in view.inside if seat not in view.played)


def play_deal(state: State, move: Deal) -> State:
    """Give everybody nine cards and lay out the first buffet [B5] [B6]."""
    if state.token is not None:
        raise refuse("dealt_already")
    if not game.same_multiset(move.cards, CARDS):
        raise refuse("wrong_cards")
    if not game.same_multiset(move.plates, all_plates(state.options)):
        raise refuse("wrong_plates")
    game.check_starter(state.options, move.starter, state.seats)
    hands = [move.cards[seat * HAND : (seat + 1) * HAND] for seat in range(state.seats)]
    dealt = replace(
        state,
        token=move.starter,
        plates=move.plates,
        hands=tuple(tuple(sorted(hand)) for hand in hands),
        stock=move.cards[state.seats * HAND :],
    )
    return go_on(new_round(dealt))


def play_shuffle(state: State, move: Shuffle) -> State:
    """Make the discard pile the stock in the middle of a draw [B15]."""
    if state.token is None:
        raise refuse("deal_first")
    if not game.same_multiset(move.cards, [card for card, _ in state.discard]):
        raise refuse("wrong_shuffle")
    return go_on(replace(state, stock=move.cards, discard=()))


def play_card(state: State, seat: int, move: Play) -> State:
    """Lay a card; when all who are in have, they are revealed [B7]."""
    if state.exchanging is not None:
        raise refuse("exchange_first")
    hand = state.hands[seat]
    if move.card not in hand:
        raise refuse("card_not_held", card=str(move.card))
    laid = replace(
        state,
        hands=game.changed(state.hands, seat, game.less(hand, move.card)),
        played=game.changed(state.played, seat, move.card),
        movers=game.others(state.movers, seat),
    )
    return laid if laid.movers else reveal(laid)


def play_exchange(state: State, seat: int, move: Exchange) -> State:
    """Give cards away for as many from the stock [B10]."""
    if state.exchanging is None:
        raise refuse("no_exchange")
    hand = list(state.hands[seat])
    for card in move.cards:
        if card not in hand:
            raise refuse("cards_not_held")
        hand.remove(card)
    hands = game.changed(state.hands, seat, tuple(hand))
    drawing = ((seat, len(move.cards)),) if move.cards else ()
    return go_on(
        replace(state, hands=hands, exchanging=None, exchanged=move.cards, drawing=drawing)
    )


def reveal(state: State) -> State:
    """Move all mice by their cards [B7]; a mouse alone at the back leaves the round [B9]."""
    order = clockwise(state.token, state.inside)
    at, cards, standing, shown = list(state.at), [], [], []
    for seat in order:
        card = state.played[seat] or 0
        at[seat] += card
        cards.append((seat, card))
        standing.append(at[seat])
        shown.append(FACE_UP[card])
    moved = replace(
        state,
        at=tuple(at),
        played=(None,) * state.seats,
        discard=(*state.discard, *shown),  # [B11]
        revealed=Reveal(tuple(cards)),
    )
    back = min(standing)
    return go_on(moved) if standing.count(back) > 1 else leave(moved, order[standing.index(back)])


def leave(state: State, seat: int) -> State:
    """Let the mouse at the back go with the rightmost plate; the last two settle it [B9] [B12]."""
    first_to_leave = state.part == 1 and len(state.inside) == state.seats
    inside = game.others(state.inside, seat)
    if len(inside) > 1:
        token = clockwise(state.token, inside)[0]  # [B14]
        gone = win_plate(replace(state, inside=inside, token=token), seat)
        return replace(gone, exchanging=seat, movers=(seat,)) if first_to_leave else go_on(gone)
    everybody_eats = state.seats == SHORT_TABLE and state.part == 1  # [B20]
    gone = win_plate(state, seat) if everybody_eats else leave_hungry(state, seat)
    settled = win_plate(replace(gone, token=inside[0]), inside[0])  # [B14]
    return go_on(second_part(settled) if everybody_eats else new_round(settled))


def win_plate(state: State, seat: int) -> State:
    """Put the rightmost plate on top of the player's stack of that food [B17]."""
    food, value = plate = state.buffet[-1]
    mine = state.stacks[seat]
    stack = (*mine[RANK[food]], value)
    stacks = game.changed(state.stacks, seat, game.changed(mine, RANK[food], stack))
    told = tell(state, seat, plate)
    return replace(state, buffet=state.buffet[:-1], stacks=stacks, revealed=told)


def leave_hungry(state: State, seat: int) -> State:
    """Let the second of the last two go without a plate [B12] [B21]."""
    return replace(state, revealed=tell(state, seat, None))


def tell(state: State, seat: int, plate: Plate | None) -> Reveal:
    """Add to what the last reveal brought."""
    shown = state.revealed or Reveal(())
    return Reveal(shown.cards, (*shown.left, (seat, plate)))


def second_part(state: State) -> State:
    """Let all three in again where they stand, for the two plates that remain [B21]."""
    return replace(state, part=2, inside=tuple(range(state.seats)))


def new_round(state: State) -> State:
    """Call everybody in and fill all hands to nine [B15], or end the game [B16]."""
    if len(state.plates) < buffet_size(state.seats):
        return replace(state, over=True, movers=NOBODY)
    everybody = tuple(range(state.seats))
    missing = [(seat, HAND - len(state.hands[seat])) for seat in clockwise(state.token, everybody)]
    return replace(
        state,
        round=state.round + 1,
        part=1,
        at=(0,) * state.seats,
        inside=everybody,
        drawing=tuple([draw for draw in missing if draw[1]]),
    )


def go_on(state: State) -> State:
    """Serve what is to be drawn, until cards can be played or the stock must be shuffled."""
    if state.drawing:
        state = serve(state)
        if state.drawing:
            return replace(state, movers=BY_NATURE)
    if state.over:
        return state
    if state.exchanged:
        face_down = tuple([(card, False) for card in state.exchanged])
        state = replace(state, discard=state.discard + face_down, exchanged=())
    if not state.buffet:
        state = lay_buffet(state)
    if () not in state.hands:  # the usual case, asked at once
        return replace(state, movers=state.inside)
    empty = [seat for seat in clockwise(state.token, state.inside) if not state.hands[seat]]
    if not empty:
        return replace(state, movers=state.inside)
    return go_on(replace(state, drawing=tuple([(seat, HAND) for seat in empty])))  # [B13]


def serve(state: State) -> State:
    """Draw from the stock as far as it goes; what is still owed waits for the shuffle [B15]."""
    hands, stock = list(state.hands), state.stock
    owed: tuple[tuple[int, int], ...] = ()
    at = 0
    for n, (seat, wanted) in enumerate(state.drawing):
        drawn = stock[at : at + wanted]
        if drawn:
            hands[seat] = tuple(sorted(hands[seat] + drawn))
        at += wanted
        if at > len(stock):
            owed = ((seat, wanted - len(drawn)), *state.drawing[n + 1 :])
            break
    return replace(state, hands=tuple(hands), stock=stock[at:], drawing=owed)


def lay_buffet(state: State) -> State:
    """Lay plates out by falling value, equal ones by the rank of their food [B6] [B19]."""
    size = buffet_size(state.seats)
    plates = sorted(state.plates[:size], key=lambda plate: (-plate[1], RANK[plate[0]]))
    return replace(state, buffet=tuple(plates), plates=state.plates[size:])


def buffet_size(seats: int) -> int:
    """Say how many plates a round needs [B6] [B19]."""
    return SHORT_TABLE_PLATES if seats == SHORT_TABLE else seats - 1


@cache
def clockwise(token: int | None, seats: tuple[int, ...]) -> tuple[int, ...]:
    """List seats clockwise from the token's holder, or from the next one still there."""
    first = token or 0
    return tuple([s for s in seats if s >= first] + [s for s in seats if s < first])


def top_plates(stacks: Stacks) -> tuple[int, ...]:
    """List what counts of each food, best food first; no plate counts 0 [B17] [B18]."""
    return tuple([stack[-1] if stack else 0 for stack in stacks])


@lru_cache(64)
def all_plates(options: Options) -> tuple[Plate, ...]:
    """List the 36 plates, food by food [B2]."""
    return tuple((food, value) for food in FOODS for value in options.plate_values)


def exchanges(hand: Hand) -> list[Move]:
    """List every choice of cards to give away, from none to all [B10]."""
    half = len(hand) // 2
    while 0 < half < len(hand) and hand[half] == hand[half - 1]:
        half += 1  # equal cards stay together
    return [*map(Exchange, starmap(add, product(choices(hand[:half]), choices(hand[half:]))))]


@lru_cache(4096)  # halves of hands come again and again, whole hands hardly ever
def choices(cards: Hand) -> tuple[Hand, ...]:
    """List every choice from some sorted cards, from none to all."""
    ways: list[Hand] = [()]
    for card in dict.fromkeys(cards):
        some = [(card,) * n for n in range(cards.count(card) + 1)]
        ways = [way + more for way in ways for more in some]
    return tuple(ways)


def refuse_mover(state: State, by: By) -> game.IllegalMove:
    """Say why somebody who is not to move is refused."""
    if state.exchanging is not None and by != NATURE and 0 <= by < state.seats:
        return refuse("wait_for_exchange", seat=str(state.exchanging))
    movers = to_move(state)
    gone = by != NATURE and 0 <= by < state.seats and by not in state.inside
    if gone and movers not in (NOBODY, BY_NATURE):
        return refuse("out_of_the_round")
    if movers and movers != BY_NATURE and by != NATURE and by in state.inside:
        return refuse("already_moved")
    return game.refuse_mover(movers, by, state.seats)


def refuse(code: str, **fields: object) -> game.IllegalMove:
    """Make the refusal for a code of this game."""
    return game.illegal(REASONS, code, **fields)


NATURES_DEEDS: Final[game.Deeds[State]] = {Deal: play_deal, Shuffle: play_shuffle}
PLAYERS_DEEDS: Final[game.SeatDeeds[State]] = {Play: play_card, Exchange: play_exchange}
