"""Schlacht am Buffet for learners: secret cards, and an exchange that is decided card by card."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Final

from msgspec.structs import replace

from tischlein.bots import Turn
from tischlein.envs.draws import Chances, next_in_hand, pick
from tischlein.envs.layout import Block, Layout, flags, from_seat, one_hot
from tischlein.envs.material import some_of
from tischlein.envs.process import Ask, Position, Process
from tischlein.game import NATURE, By, Rng
from tischlein.games.buffet.rules import (
    CARDS,
    FOODS,
    HAND,
    NAME,
    PLATE_VALUES,
    SEATS,
    SHORT_TABLE_PLATES,
)
from tischlein.games.buffet.rules import VALUES as CARD_VALUES

FIRST_PLAY: Final = 1
FIRST_GIVE: Final = FIRST_PLAY + len(CARD_VALUES)
DONE: Final = FIRST_GIVE + len(CARD_VALUES)
COPIES: Final = len(CARDS) // len(CARD_VALUES)
SLOTS: Final = SHORT_TABLE_PLATES
PLATES: Final = len(FOODS) * len(PLATE_VALUES)
FAR: Final = 10_000
LOWEST: Final = -99
TOKEN: Final = 1_000
"""Cards whose value is not drawn yet are numbered from here when a draw is tried out."""


class BuffetPosition(Position, frozen=True):
    """A state, the cards picked for an exchange, and, where chance is listed, a draw under way."""

    giving: tuple[int, ...] = ()
    moves: tuple[tuple[By, Any], ...] = ()
    """What was decided and is played as soon as all cards for it are drawn."""
    groups: tuple[int, ...] = ()
    """How many cards each hand draws, one after the other; the last group are plates."""
    drawn: tuple[int, ...] = ()
    """The kinds of the cards, then of the plates, drawn so far."""


class Buffet(Process):
    """Schlacht am Buffet; all who are in the round play at once."""

    name: ClassVar[str] = NAME
    long_name: ClassVar[str] = "Schlacht am Buffet"
    version: ClassVar[int] = 0
    fewest: ClassVar[int | None] = 2  # they play as the last two do [B12]
    reductions: ClassVar[dict[str, int]] = {
        "values": len(CARD_VALUES), "copies": COPIES, "hand": HAND,
        "foods": len(FOODS), "plates": len(PLATE_VALUES),
    }  # fmt: skip

    @classmethod
    def material(cls, seats: int, sizes: Mapping[str, int]) -> dict[str, Any]:
        """Take fewer cards, smaller hands, fewer plates; two seats play as the last two [B12]."""
        values = CARD_VALUES if sizes["values"] == len(CARD_VALUES) else CARD_VALUES[2:]
        cards = [v for v in values[: sizes["values"]] for _ in range(sizes["copies"])]
        hands = seats if seats < SEATS[0] else seats + 1
        if len(cards) < hands * sizes["hand"]:
            raise ValueError(
                f"{seats} seats with hands of {sizes['hand']} need {hands * sizes['hand']} cards,"
                f" not {len(cards)}"
            )
        return {
            "SEATS": range(2, SEATS[-1] + 1),
            "CARDS": tuple(cards),
            "HAND": sizes["hand"],
            "FOODS": FOODS[: sizes["foods"]],
            "PLATE_VALUES": some_of(PLATE_VALUES, sizes["plates"]),
        }

    @classmethod
    def action_labels(cls, seats: int) -> list[str]:
        """Name all actions."""
        plays = [f"play {card}" for card in CARD_VALUES]
        return ["wait", *plays, *(f"give away {card}" for card in CARD_VALUES), "exchange"]

    @classmethod
    def make_layout(cls, seats: int) -> Layout:
        """Say what stands where."""
        n, foods = len(CARD_VALUES), ", ".join(FOODS)
        return Layout(
            (
                Block("hand", (n,), 0, COPIES, "how many of each card, -1 to 9, I hold"),
                Block("giving", (n,), 0, COPIES, "the cards that I am about to give away"),
                Block("laid", (n,), 0, 1, "the card that I have laid face down"),
                Block("hands", (seats,), 0, HAND, "how many cards each seat holds"),
                Block("at", (seats,), -FAR, FAR, "how far each mouse has come"),
                Block("inside", (seats,), 0, 1, "who is still in the round"),
                Block("played", (seats,), 0, 1, "who has laid a card face down"),
                Block("token", (seats,), 0, 1, "who holds the token"),
                Block("exchanging", (seats,), 0, 1, "who may exchange cards now"),
                Block("round", (1,), 0, PLATES, "the number of the round"),
                Block("part", (1,), 1, 2, "the part of the round (three seats)"),
                Block("buffet", (SLOTS, 2 + len(FOODS)), LOWEST, -LOWEST,
                      f"plates on the table, left to right: 1, value, then {foods}"),
                Block("tops", (seats, len(FOODS)), LOWEST, -LOWEST, f"top plates: {foods}"),
                Block("heights", (seats, len(FOODS)), 0, PLATES, "plates of each food won"),
                Block("unseen", (len(FOODS), len(PLATE_VALUES)), 0, 1,
                      "plates that nobody has seen yet, by food and value"),
                Block("stock", (1,), 0, len(CARDS), "cards in the stock"),
                Block("discard", (n,), 0, COPIES, "face-up cards of the discard pile"),
                Block("discard_down", (1,), 0, len(CARDS), "its face-down cards"),
                Block("shown", (seats, 2), -1, 9, "the last reveal: 1 and the card"),
            )
        )  # fmt: skip

    @staticmethod
    def seats_of(view: Any) -> int:
        """Count the seats of a table that is seen."""
        return len(view.hands)

    def begin(self) -> BuffetPosition:
        """Give the position before the deal."""
        if not self.listed:
            return BuffetPosition(self.empty)
        rules: Any = self.rules
        groups = (rules.HAND,) * self.seats
        return BuffetPosition(
            self.empty,
            moves=((NATURE, rules.Deal((), (), 0)),),
            groups=(*groups, rules.buffet_size(self.seats)),
        )

    def deciders(self, position: BuffetPosition) -> tuple[int, ...]:
        """Name the seats that decide; nobody while cards are drawn."""
        return () if position.groups else super().deciders(position)

    def nature_moves(self, position: BuffetPosition) -> bool:
        """Say whether cards are drawn."""
        return bool(position.groups) or super().nature_moves(position)

    def over(self, position: BuffetPosition) -> bool:
        """Say whether the game is over."""
        return not position.groups and super().over(position)

    def progress(self, position: BuffetPosition, seat: int) -> tuple[int, ...]:
        """Tell the seat that exchanges what it has picked so far."""
        return position.giving if position.state.exchanging == seat else ()

    def numbers(self, turn: Turn, progress: Any) -> list[int]:
        """List the cards to play, or those to give away, in rising order, and the end of it."""
        if turn.view.exchanging != turn.seat:
            return [FIRST_PLAY + CARD_VALUES.index(move.card) for move in turn.legal]
        left = Counter(turn.view.hands[turn.seat]) - Counter(progress)
        least = progress[-1] if progress else CARD_VALUES[0]
        gives = [FIRST_GIVE + at for at, v in enumerate(CARD_VALUES) if v >= least and left[v]]
        return [*gives, DONE]

    def features(self, turn: Turn, progress: Any) -> Mapping[str, Sequence[Any]]:
        """Show what lies open and one's own cards."""
        view, seat = turn.view, turn.seat
        hand = Counter(view.hands[seat])
        hand.subtract(progress)
        token = None if view.token is None else (view.token - seat) % self.seats
        stacks = from_seat(view.stacks, seat)
        shown = dict(view.revealed.cards) if view.revealed else {}
        return {
            "hand": [hand[card] for card in CARD_VALUES],
            "giving": [progress.count(card) for card in CARD_VALUES],
            "laid": [int(view.played.get(seat) == card) for card in CARD_VALUES],
            "hands": from_seat([len(cards) for cards in view.hands], seat),
            "at": from_seat(view.at, seat),
            "inside": flags(view.inside, self.seats, seat),
            "played": flags(view.played, self.seats, seat),
            "token": one_hot(token, self.seats),
            "exchanging": flags([view.exchanging], self.seats, seat),
            "round": [view.round],
            "part": [view.part],
            "buffet": [plate(view.buffet, at) for at in range(SLOTS)],
            "tops": [[mine.get(food, (0,))[-1] for food in FOODS] for mine in stacks],
            "heights": [[len(mine.get(food, ())) for food in FOODS] for mine in stacks],
            "unseen": self.unseen(view),
            "stock": [view.stock],
            "discard": [view.discard.count(card) for card in CARD_VALUES],
            "discard_down": [view.discard.count(None)],
            "shown": [card_of(shown, (seat + k) % self.seats) for k in range(self.seats)],
        }

    def unseen(self, view: Any) -> list[list[int]]:
        """Mark the plates that lie face down: all but those on the table and in stacks."""
        rules: Any = self.rules
        seen = Counter(view.buffet)
        for stacks in view.stacks:
            seen.update((food, value) for food in stacks for value in stacks[food])
        marks = [[0] * len(PLATE_VALUES) for _ in FOODS]
        for food in rules.FOODS:
            for at, value in enumerate(view.options.plate_values):
                seen[food, value] -= 1
                marks[FOODS.index(food)][at] = int(seen[food, value] < 0)
        return marks

    def act(self, position: BuffetPosition, chosen: Mapping[int, int]) -> BuffetPosition:
        """Lay all cards at once, pick a card to give away, or exchange those picked."""
        rules: Any = self.rules
        if position.state.exchanging is not None:
            seat, number = position.state.exchanging, chosen[position.state.exchanging]
            if number != DONE:
                card = CARD_VALUES[number - FIRST_GIVE]
                return replace(position, giving=(*position.giving, card))
            return self.after(position.state, ((seat, rules.Exchange(position.giving)),))
        plays = [(s, CARD_VALUES[chosen[s] - FIRST_PLAY]) for s in self.deciders(position)]
        return self.after(position.state, tuple((s, rules.PLAYS[card]) for s, card in plays))

    def move(self, turn: Turn, number: int) -> Any:
        """Find the legal move with a number."""
        rules: Any = self.rules
        return rules.PLAYS[CARD_VALUES[number - FIRST_PLAY]]

    def after(self, state: Any, moves: tuple[tuple[By, Any], ...]) -> BuffetPosition:
        """Play moves; where chance is listed, first let it draw what they need."""
        if self.listed:
            groups = self.groups(state, moves)
            if any(groups):
                return BuffetPosition(state, moves=moves, groups=groups)
        for by, move in moves:
            state = self.rules.play(state, by, move)
        if self.listed and self.rules.to_move(state) == (NATURE,):
            return self.after(state, ((NATURE, self.shuffle(state)),))
        return BuffetPosition(state)

    def shuffle(self, state: Any) -> Any:
        """Make the shuffle whose order is still open."""
        rules: Any = self.rules
        return rules.Shuffle(tuple(sorted(card for card, _ in state.discard)))

    def groups(self, state: Any, moves: tuple[tuple[By, Any], ...]) -> tuple[int, ...]:
        """Try moves out with numbered cards: say how many each hand draws, and how many plates."""
        tried = self.with_tokens(state)
        for by, move in moves:
            shuffled = move
            if by == NATURE:
                shuffled = replace(move, cards=tuple(card for card, _ in tried.discard))
            tried = self.rules.play(tried, by, shuffled)
        numbered = [(min(new), len(new)) for hand in tried.hands if (new := tokens(hand))]
        plates = len(state.plates) - len(tried.plates)
        return (*(n for _, n in sorted(numbered)), plates)

    def with_tokens(self, state: Any) -> Any:
        """Number the cards of the pile that is drawn from."""
        if self.rules.to_move(state) == (NATURE,):
            named = tuple((TOKEN + at, True) for at in range(len(state.discard)))
            return replace(state, discard=named)
        return replace(state, stock=tuple(range(TOKEN, TOKEN + len(state.stock))))

    def draw(self, position: BuffetPosition, rng: Rng) -> BuffetPosition:
        """Deal or shuffle at once, as at any table."""
        if self.listed:
            return self.happen(position, pick(self.chances(position), rng))
        move = self.rules.draw(position.state, rng)
        return BuffetPosition(self.rules.play(position.state, NATURE, move))

    def choose(self, turn: Turn, ask: Ask, rng: Rng) -> Any | None:
        """Let a policy play a card, or pick all cards of an exchange."""
        giving: tuple[int, ...] = ()
        while True:
            number = ask(self.seen(turn, giving), self.numbers(turn, giving))
            if number < FIRST_GIVE:
                return self.move(turn, number)
            if number == DONE:
                rules: Any = self.rules
                return rules.Exchange(giving)
            giving = (*giving, CARD_VALUES[number - FIRST_GIVE])

    def chances(self, position: BuffetPosition) -> Chances:
        """List the next card of a hand, the next plate, or who gets the token."""
        if not position.groups:
            return []
        before, size = group(position)
        if size == 0:
            return self.starters()
        cards, plates = self.piles(position)
        hands = sum(position.groups[:-1])
        pile, since = (cards, 0) if before < hands else (plates, hands)
        gone = Counter(position.drawn[since:before])
        counts = tuple(n - gone[kind] for kind, n in enumerate(pile))
        return next_in_hand(counts, position.drawn[before:], size)

    def kinds(self, state: Any) -> tuple[Any, ...]:
        """List the different plates."""
        rules: Any = self.rules
        return tuple(dict.fromkeys(rules.all_plates(state.options)))

    def piles(self, position: BuffetPosition) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Count the cards and the plates that can be drawn, kind by kind."""
        rules: Any = self.rules
        state = position.state
        cards, plates = self.open_piles(rules, position)
        left = Counter(cards)
        kinds = self.kinds(state)
        unlaid = Counter(plates)
        counts = tuple(left[value] for value in CARD_VALUES)
        return counts, tuple(unlaid[kind] for kind in kinds)

    def open_piles(self, rules: Any, position: BuffetPosition) -> tuple[Sequence[int], Any]:
        """Give the cards and plates whose order is still open."""
        state = position.state
        if state.token is None:
            return rules.CARDS, rules.all_plates(state.options)
        by, move = position.moves[0]
        return (move.cards if by == NATURE else state.stock), state.plates

    def happen(self, position: BuffetPosition, outcome: int) -> BuffetPosition:
        """Draw a card or a plate; when all are there, play what was decided."""
        if group(position)[1]:
            position = replace(position, drawn=(*position.drawn, outcome))
            if group(position)[1] or position.state.token is None:
                return position
        return self.resolved(position, outcome)

    def resolved(self, position: BuffetPosition, starter: int) -> BuffetPosition:
        """Play what was decided with the cards and plates that were drawn."""
        rules: Any = self.rules
        state, hands = position.state, sum(position.groups[:-1])
        kinds = self.kinds(state)
        first = [CARD_VALUES[kind] for kind in position.drawn[:hands]]
        laid = [kinds[kind] for kind in position.drawn[hands:]]
        pile, plates = self.open_piles(rules, position)
        cards, plates = on_top(first, pile), on_top(laid, plates)
        moves = position.moves
        if state.token is None:
            moves = ((NATURE, rules.Deal(cards, plates, starter)),)
        elif moves[0][0] == NATURE:
            moves, state = ((NATURE, rules.Shuffle(cards)),), replace(state, plates=plates)
        else:
            state = replace(state, stock=cards, plates=plates)
        for by, move in moves:
            state = rules.play(state, by, move)
        if rules.to_move(state) == (NATURE,):
            return self.after(state, ((NATURE, self.shuffle(state)),))
        return BuffetPosition(state)

    def chance_label(self, position: BuffetPosition, outcome: int) -> str:
        """Say which card is drawn, which plate is laid, or who gets the token."""
        before, size = group(position)
        if size == 0:
            return f"seat {outcome} gets the token"
        if before < sum(position.groups[:-1]):
            return f"draw {CARD_VALUES[outcome]}"
        food, value = self.kinds(position.state)[outcome]
        return f"lay {food} {value}"

    def most_chances(self) -> int:
        """Count the plates."""
        return PLATES

    def most_steps_of_chance(self) -> int:
        """Count full hands for all, a buffet and the token."""
        return HAND * self.seats + SLOTS + 1

    def most_points(self) -> float:
        """Bound the points by the best and the worst plate of each food."""
        values = self.empty.options.plate_values
        return float(len(FOODS) * (max(0, *values) - min(0, *values)))


def plate(buffet: Sequence[Any], at: int) -> list[int]:
    """Show a place of the buffet."""
    if at >= len(buffet):
        return [0] * (2 + len(FOODS))
    food, value = buffet[at]
    return [1, value, *one_hot(FOODS.index(food), len(FOODS))]


def card_of(shown: Mapping[int, int], seat: int) -> list[int]:
    """Show the card that a seat has revealed."""
    return [1, shown[seat]] if seat in shown else [0, 0]


def group(position: BuffetPosition) -> tuple[int, int]:
    """Say where the group under way begins in what is drawn, and how large it is."""
    before = 0
    for size in position.groups:
        if len(position.drawn) < before + size:
            return before, size
        before += size
    return before, 0


def tokens(hand: Sequence[int]) -> list[int]:
    """List the cards of a hand that are numbers only."""
    return [card for card in hand if card >= TOKEN]


def on_top(first: Sequence[Any], pile: Sequence[Any]) -> tuple[Any, ...]:
    """Lay what was drawn on top of the rest of a pile."""
    rest = list(pile)
    for thing in first:
        rest.remove(thing)
    return (*first, *rest)


PROCESS: Final = Buffet
