"""Sushizock im Gockelwok for learners: dice, rows, and piles to remember."""

from collections.abc import Mapping, Sequence
from itertools import combinations_with_replacement
from typing import Any, ClassVar, Final

from msgspec.structs import replace

from tischlein.bots import Turn
from tischlein.bots.bot import History
from tischlein.envs.draws import Chances, one_of
from tischlein.envs.layout import Block, Layout, from_seat, one_hot, padded
from tischlein.envs.material import some_of
from tischlein.envs.process import Position, Process
from tischlein.game import NATURE, By, Rng
from tischlein.games.sushizock.bots.memory import remember
from tischlein.games.sushizock.rules import BONES, DICE, DIE, FACES, NAME, ROLLS, SUSHI, count

TILES: Final = len(SUSHI)
KEEPS: Final = [
    keep for size in range(1, DICE) for keep in combinations_with_replacement(FACES, size)
]
TAKE_SUSHI, TAKE_BONES, FORCED = 1, 2, 3
FIRST_KEEP: Final = 4
FIRST_STEAL: Final = FIRST_KEEP + len(KEEPS)
KEEP_NUMBER: Final = {keep: number for number, keep in enumerate(KEEPS, start=FIRST_KEEP)}
KINDS: Final = ("sushi", "bones")
HIGHEST, WORST = max(SUSHI), min(BONES)


class SushizockPosition(Position, frozen=True):
    """A state, the tiles drawn so far for the deal, and the moves of the game."""

    dealt: tuple[int, ...] = ()
    moves: tuple[tuple[By, Any], ...] = ()


class Sushizock(Process):
    """Sushizock im Gockelwok, decision by decision."""

    name: ClassVar[str] = NAME
    long_name: ClassVar[str] = "Sushizock im Gockelwok"
    version: ClassVar[int] = 0
    reductions: ClassVar[dict[str, int]] = {"tiles": TILES, "dice": DICE, "rolls": ROLLS}

    @classmethod
    def material(cls, seats: int, sizes: Mapping[str, int]) -> dict[str, Any]:
        """Lay fewer tiles of each kind, roll fewer dice, fewer times."""
        return {
            "SUSHI": some_of(SUSHI, sizes["tiles"]),
            "BONES": some_of(BONES, sizes["tiles"]),
            "DICE": sizes["dice"],
            "ROLLS": sizes["rolls"],
        }

    @classmethod
    def action_labels(cls, seats: int) -> list[str]:
        """Name all actions; those of a smaller table are the first of a larger one's."""
        labels = ["wait", "take sushi", "take bones", "forced"]
        labels += [f"keep {' '.join(keep)}" for keep in KEEPS]
        for other in range(1, seats):
            for kind in KINDS:
                labels += [f"steal {kind} {depth} from +{other}" for depth in range(1, TILES + 1)]
        return labels

    @classmethod
    def make_layout(cls, seats: int) -> Layout:
        """Say what stands where."""
        seen = "the top; below it only what `memory` knows"
        return Layout(
            (
                Block("turn", (seats,), 0, 1, "whose turn it is"),
                Block("rolls_left", (1,), 0, ROLLS, "how often may still be rolled this turn"),
                Block("aside", (4,), 0, DICE, f"dice set aside: {', '.join(FACES)}"),
                Block("rolled", (4,), 0, DICE, "dice just rolled, likewise"),
                Block("sushi_row", (TILES,), 0, HIGHEST, "sushi on the table, left to right"),
                Block("bones_row", (TILES,), WORST, 0, "bones on the table, left to right"),
                Block("sushi_heights", (seats,), 0, TILES, "how many sushi each seat has"),
                Block("bones_heights", (seats,), 0, TILES, "how many bones each seat has"),
                Block("sushi_piles", (seats, TILES), 0, HIGHEST, f"sushi, bottom to top: {seen}"),
                Block("bones_piles", (seats, TILES), WORST, 0, f"bones, bottom to top: {seen}"),
            )
        )

    @staticmethod
    def seats_of(view: Any) -> int:
        """Count the seats of a table that is seen."""
        return len(view.piles)

    def begin(self) -> SushizockPosition:
        """Give the position before the deal."""
        return SushizockPosition(self.empty)

    def numbers(self, turn: Turn, progress: Any) -> list[int]:
        """List the legal actions as numbers."""
        return sorted(self.number(move, turn.seat) for move in turn.legal)

    def number(self, move: Any, seat: int) -> int:
        """Give the number of a move."""
        match type(move).__name__:
            case "Take":
                return TAKE_SUSHI if move.row == "sushi" else TAKE_BONES
            case "Forced":
                return FORCED
            case "Keep":
                return KEEP_NUMBER[move.dice]
            case _:
                other = (move.victim - seat) % self.seats - 1
                kind = KINDS.index(move.pile)
                return int(FIRST_STEAL + (other * 2 + kind) * TILES + move.depth - 1)

    def move(self, turn: Turn, number: int) -> Any:
        """Find the legal move with a number."""
        return next(move for move in turn.legal if self.number(move, turn.seat) == number)

    def features(self, turn: Turn, progress: Any) -> Mapping[str, Sequence[Any]]:
        """Show rows, dice and piles; of the piles what lies open, or all that was ever open."""
        view, seat = turn.view, turn.seat
        piles = [(pile.sushi, pile.bones) for pile in view.piles]
        known = remember(turn) if self.memory else None
        shown = from_seat(piles if known is None else known.piles, seat)
        whose = None if view.turn is None else (view.turn - seat) % self.seats
        return {
            "turn": one_hot(whose, self.seats),
            "rolls_left": [view.dice.rolls_left],
            "aside": count(view.dice.aside),
            "rolled": count(view.dice.rolled),
            "sushi_row": padded(view.rows.sushi, TILES),
            "bones_row": padded(view.rows.bones, TILES),
            "sushi_heights": from_seat([len(sushi) for sushi, _ in piles], seat),
            "bones_heights": from_seat([len(bones) for _, bones in piles], seat),
            "sushi_piles": [padded(sushi, TILES) for sushi, _ in shown],
            "bones_piles": [padded(bones, TILES) for _, bones in shown],
        }

    def history(self, position: SushizockPosition, seat: int) -> Sequence[Any]:
        """Tell the moves so far: all of them are open."""
        return History(self.rules, position.moves, len(position.moves), seat)

    def act(self, position: SushizockPosition, chosen: Mapping[int, int]) -> SushizockPosition:
        """Let the seat whose turn it is keep, take or steal."""
        (seat,) = self.deciders(position)
        return self.played(position, seat, self.move(self.turn(position, seat), chosen[seat]))

    def played(self, position: SushizockPosition, by: By, move: Any) -> SushizockPosition:
        """Play a move and write it down."""
        state = self.rules.play(position.state, by, move)
        return SushizockPosition(state, (), (*position.moves, (by, move)))

    def draw(self, position: SushizockPosition, rng: Rng) -> SushizockPosition:
        """Deal at once or roll, as at any table."""
        return self.played(position, NATURE, self.rules.draw(position.state, rng))

    def chances(self, position: SushizockPosition) -> Chances:
        """List the rolls; a deal is drawn tile by tile, the starter last."""
        if not self.nature_moves(position):
            return []
        if position.state.turn is not None:
            rolls = self.rules.chances(position.state)
            return [(number, chance) for number, (_, chance) in enumerate(rolls)]
        sushi, bones = self.tiles()
        at = len(position.dealt)
        if at == len(sushi) + len(bones):
            return self.starters()
        pile = sushi if at < len(sushi) else bones
        here = position.dealt if at < len(sushi) else position.dealt[len(sushi) :]
        return one_of([pile.count(kind) - here.count(kind) for kind in range(HIGHEST + 1)])

    def tiles(self) -> tuple[list[int], list[int]]:
        """Give the sushi and, without their sign, the bones of this game."""
        rules: Any = self.rules
        return list(rules.SUSHI), [-bone for bone in rules.BONES]

    def happen(self, position: SushizockPosition, outcome: int) -> SushizockPosition:
        """Deal a tile, name the starter, or roll."""
        if position.state.turn is not None:
            roll = self.rules.chances(position.state)[outcome][0]
            return self.played(position, NATURE, roll)
        sushi, bones = (len(tiles) for tiles in self.tiles())
        dealt = position.dealt
        if len(dealt) < sushi + bones:
            return replace(position, dealt=(*dealt, outcome))
        rules: Any = self.rules
        laid = dealt[:sushi], tuple(-bone for bone in dealt[sushi:])
        return self.played(position, NATURE, rules.Deal(*laid, outcome))

    def chance_label(self, position: SushizockPosition, outcome: int) -> str:
        """Say which tile is laid, who starts, or what is rolled."""
        if position.state.turn is not None:
            roll: Any = self.rules.chances(position.state)[outcome][0]
            return f"roll {' '.join(roll.dice)}"
        sushi, bones = (len(tiles) for tiles in self.tiles())
        at = len(position.dealt)
        if at == sushi + bones:
            return f"seat {outcome} starts"
        return f"lay sushi {outcome}" if at < sushi else f"lay bone -{outcome}"

    def most_chances(self) -> int:
        """Count the rolls of five dice."""
        return len(list(combinations_with_replacement(set(DIE), DICE)))

    def most_steps_of_chance(self) -> int:
        """Count the tiles of a deal, the starter and a roll."""
        return 2 * TILES + 2

    def most_points(self) -> float:
        """Bound the points by all tiles of both kinds."""
        return float(sum(SUSHI) - sum(BONES))


PROCESS: Final = Sushizock
