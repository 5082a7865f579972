"""Schlacht am Buffet by the rules [B1] to [B23]."""

import itertools
from typing import Any

FOODS = ["cheese", "potatoes", "sausage", "pizza", "chicken", "salad"]
VALUES = [-1, 1, 2, 3, 4, 5]
CARDS = [value for value in range(-1, 10) for _ in range(10)]
HAND = 9


def _is_seat(found: object, seats: int) -> bool:
    """Tell whether this is the number of a seat."""
    return type(found) is int and 0 <= found < seats


def _are_ints(found: object) -> bool:
    """Tell whether this is a list of whole numbers."""
    return isinstance(found, list) and all(type(one) is int for one in found)


def header_fault(seats: int, options: dict[str, Any]) -> str:
    """Say what is wrong with the number of seats or the options, or ""."""
    if not 3 <= seats <= 6:
        return "buffet is for 3 to 6"
    for name, value in options.items():
        if name == "starter":
            if value is not None and not _is_seat(value, seats):
                return "starter is neither null nor a seat"
        elif name == "plate_values":
            if not _are_ints(value) or len(value) != 6:
                return "plate_values is not a list of six whole numbers"
        else:
            return f"unknown option {name}"
    return ""


class Buffet:
    """The table: hands, stock, discards, plates, mice and the token."""

    def __init__(self, seats: int, options: dict[str, Any]) -> None:
        """Set up an empty table that waits for the deal."""
        self.seats = seats
        self.starter = options.get("starter")
        self.all_plates = []
        for food in FOODS:
            for value in options.get("plate_values", VALUES):
                self.all_plates.append([food, value])
        self.over = False
        self.dealt = False
        self.hands: list[list[int]] = [[] for _ in range(seats)]
        self.stock: list[int] = []  # top first
        self.discard: list[tuple[int, bool]] = []  # card, face up?
        self.plates: list[list[Any]] = []  # face down, top first
        self.buffet: list[list[Any]] = []  # left to right
        self.stacks: list[dict[str, list[int]]] = []
        for _ in range(seats):
            self.stacks.append({food: [] for food in FOODS})
        self.token = -1
        self.at = [0] * seats
        self.inside: list[int] = []
        self.played: dict[int, int] = {}
        self.round = 0
        self.part = 1
        self.may_exchange = -1  # the seat that has to say what it exchanges
        self.given: list[int] = []  # cards given away, the draw not yet done
        self.draws: list[list[int]] = []  # [seat, how many] still to be drawn
        self.after_draws = ""  # "play", "exchange" or "round"

    def plates_needed(self) -> int:
        """One plate fewer than players; five with three players [B6] [B19]."""
        return 5 if self.seats == 3 else self.seats - 1

    def clockwise(self) -> list[int]:
        """List all seats from the token's holder clockwise."""
        return [(self.token + step) % self.seats for step in range(self.seats)]

    def to_move(self) -> list[int | str]:
        """Nature deals and shuffles; one seat exchanges; all who are in play at once."""
        if self.over:
            return []
        if not self.dealt or self.draws:
            return ["nature"]
        if self.may_exchange >= 0:
            return [self.may_exchange]
        return [
            seat for seat in range(self.seats) if seat in self.inside and seat not in self.played
        ]

    def legal(self, seat: int) -> list[dict[str, Any]]:
        """List the cards to play [B7], or every choice of cards to exchange [B10]."""
        if seat not in self.to_move():
            return []
        hand = sorted(self.hands[seat])
        if seat != self.may_exchange:
            return [{"do": "play", "card": card} for card in sorted(set(hand))]
        found: list[list[int]] = []
        for many in range(len(hand) + 1):
            for chosen in sorted(set(itertools.combinations(hand, many))):
                found.append(list(chosen))
        return [{"do": "exchange", "cards": cards} for cards in found]

    def why_not(self, move: dict[str, Any]) -> str:
        """Say why the move is illegal, or "" if it is legal."""
        by, do = move.get("by"), move.get("do")
        if by != "nature" and not _is_seat(by, self.seats):
            return "by is neither a seat nor nature"
        if by not in self.to_move():
            return f"{by} is not to move"
        if by == "nature":
            if not self.dealt:
                return self.deal_fault(move) if do == "deal" else "the deal comes first"
            return self.shuffle_fault(move) if do == "shuffle" else "nature has to shuffle"
        hand = list(self.hands[int(str(by))])
        if by == self.may_exchange:
            if do != "exchange":
                return "the first to leave says what is exchanged [B10]"
            cards = move.get("cards")
            if not isinstance(cards, list) or not _are_ints(cards):
                return "cards is not a list of cards"
            for card in cards:
                if card not in hand:
                    return f"there is no such {card} in the hand"
                hand.remove(card)
            return ""
        if do != "play":
            return "a card is to be played [B7]"
        if type(move.get("card")) is not int:
            return "card is not a card"
        return "" if move["card"] in hand else "this card is not in the hand"

    def deal_fault(self, move: dict[str, Any]) -> str:
        """Check the cards, the plates and the holder of the token [B1] [B2] [B5]."""
        cards, plates = move.get("cards"), move.get("plates")
        if not isinstance(cards, list) or not _are_ints(cards) or sorted(cards) != CARDS:
            return "these are not the 110 cards"
        if not isinstance(plates, list):
            return "plates is not a list"
        left = list(self.all_plates)
        for plate in plates:
            if not isinstance(plate, list) or len(plate) != 2 or type(plate[1]) is not int:
                return "a plate is [food, value]"
            if plate not in left:
                return f"there is no such plate {plate}"
            left.remove(plate)
        if left:
            return "plates are missing"
        if not _is_seat(move.get("starter"), self.seats):
            return "the starter is not a seat"
        if self.starter is not None and move.get("starter") != self.starter:
            return "the options name another starter"
        return ""

    def shuffle_fault(self, move: dict[str, Any]) -> str:
        """Check that just the discard pile is shuffled [B15]."""
        cards = move.get("cards")
        if not isinstance(cards, list) or not _are_ints(cards):
            return "cards is not a list of cards"
        if sorted(cards) != sorted(card for card, _ in self.discard):
            return "these are not the cards of the discard pile"
        return ""

    def carry_out(self, move: dict[str, Any]) -> None:
        """Carry out a legal move."""
        if move["do"] == "deal":
            self.stock = list(move["cards"])
            for seat in range(self.seats):
                for _ in range(HAND):
                    self.hands[seat].append(self.stock.pop(0))
            self.plates = [list(plate) for plate in move["plates"]]
            self.token = move["starter"]
            self.dealt = True
            self.inside = list(range(self.seats))
            self.begin_round()
        elif move["do"] == "shuffle":
            self.stock = list(move["cards"])
            self.discard = []
            self.draw()
        elif move["do"] == "exchange":
            seat = self.may_exchange
            self.may_exchange = -1
            for card in move["cards"]:
                self.hands[seat].remove(card)
                self.given.append(card)
            self.draws = [[seat, len(self.given)]]
            self.after_draws = "exchange"
            self.draw()
        else:
            self.hands[move["by"]].remove(move["card"])
            self.played[move["by"]] = move["card"]
            if len(self.played) == len(self.inside):
                self.reveal()

    def begin_round(self) -> None:
        """Lay out the plates by falling value, then by the rank of the food [B6] [B3]."""
        self.round += 1
        self.part = 1
        for _ in range(self.plates_needed()):
            self.buffet.append(self.plates.pop(0))
        self.buffet.sort(key=lambda plate: (-plate[1], FOODS.index(plate[0])))

    def reveal(self) -> None:
        """Move all mice that are in, then see who leaves [B7] [B9] [B11] [B12]."""
        for seat in self.clockwise():
            if seat in self.played:
                self.at[seat] += self.played[seat]
                self.discard.append((self.played[seat], True))
        self.played = {}
        last = min(self.at[seat] for seat in self.inside)
        behind = [seat for seat in self.inside if self.at[seat] == last]
        if len(behind) > 1:
            self.before_playing()
        elif len(self.inside) > 2:
            first_to_leave = len(self.inside) == self.seats
            self.leave(behind[0])
            self.eat(behind[0])
            if first_to_leave and self.part == 1:
                self.may_exchange = behind[0]
            else:
                self.before_playing()
        else:
            self.leave(behind[0])
            if self.seats == 3 and self.part == 1:
                self.eat(behind[0])
            self.eat(self.inside[0])
            if self.seats == 3 and self.part == 1:
                self.part = 2
                self.inside = list(range(self.seats))
                self.before_playing()
            else:
                self.end_round()

    def leave(self, seat: int) -> None:
        """Take a mouse out; its token goes to the next clockwise who is in [B14]."""
        self.inside.remove(seat)
        while self.token not in self.inside:
            self.token = (self.token + 1) % self.seats

    def eat(self, seat: int) -> None:
        """Put the rightmost plate on top of the seat's stack of that food [B9] [B17]."""
        food, value = self.buffet.pop()
        self.stacks[seat][food].append(value)

    def before_playing(self) -> None:
        """Whoever has to play and has no card draws nine, the token's holder first [B13]."""
        self.draws = []
        for seat in self.clockwise():
            if seat in self.inside and not self.hands[seat]:
                self.draws.append([seat, HAND])
        self.after_draws = "play"
        self.draw()

    def end_round(self) -> None:
        """End the game if too few plates are left [B16], else all refill [B15]."""
        self.inside = []
        if len(self.plates) < self.plates_needed():
            self.over = True
            return
        self.inside = list(range(self.seats))
        self.at = [0] * self.seats
        self.draws = [[seat, HAND - len(self.hands[seat])] for seat in self.clockwise()]
        self.after_draws = "round"
        self.draw()

    def draw(self) -> None:
        """Draw card by card; stop where the stock is empty and a shuffle is needed [B15]."""
        while self.draws:
            seat, many = self.draws[0]
            if many == 0:
                self.draws.pop(0)
            elif self.stock:
                self.hands[seat].append(self.stock.pop(0))
                self.draws[0][1] -= 1
            else:
                return
        if self.after_draws == "exchange":
            for card in self.given:
                self.discard.append((card, False))
            self.given = []
            self.before_playing()
        elif self.after_draws == "round":
            self.begin_round()

    def tops(self, seat: int) -> list[int]:
        """List the top plates by the rank of the foods, 0 where there is none [B18]."""
        found = []
        for food in FOODS:
            stack = self.stacks[seat][food]
            found.append(stack[-1] if stack else 0)
        return found

    def scores(self) -> list[int]:
        """Add up the top plates [B17] [B18]."""
        return [sum(self.tops(seat)) for seat in range(self.seats)]

    def winners(self) -> list[int]:
        """Most points, then the better plate of the best food that differs [B18]."""
        if not self.over:
            return []
        ranks = [[sum(self.tops(seat)), *self.tops(seat)] for seat in range(self.seats)]
        return [seat for seat in range(self.seats) if ranks[seat] == max(ranks)]

    def view(self) -> dict[str, Any]:
        """Show everything; the mice that have left stay where they were."""
        stacks = []
        for one in self.stacks:
            stacks.append({food: list(one[food]) for food in FOODS if one[food]})
        return {
            "buffet": [list(plate) for plate in self.buffet],
            "plates_left": len(self.plates),
            "round": self.round,
            "part": self.part,
            "token": self.token if self.dealt else None,
            "at": list(self.at),
            "inside": list(self.inside),
            "hands": [list(hand) for hand in self.hands],
            "played": {str(seat): card for seat, card in self.played.items()},
            "stacks": stacks,
            "stock": len(self.stock),
            "discard": [card if face_up else None for card, face_up in self.discard],
        }
