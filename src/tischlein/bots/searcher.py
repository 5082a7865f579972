"""A plain searcher for any game: it imagines tables that agree with what it sees, and tries.

It needs `imagine`, `legal`, `play`, `draw` and the scores: a tree search over what the seat itself
would see (IS-MCTS). Everybody does what has served them best so far (UCB1), and where nothing is
known yet, anything. It counts its tries, not seconds: the same chance gives the same move.
"""

from collections.abc import Sequence
from math import fsum, inf, sqrt
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from tischlein.bots import doubt
from tischlein.bots.bot import Answer, Bot, Chance, Turn
from tischlein.bots.exact import log
from tischlein.chance import Quick
from tischlein.game import NATURE, AnyGame, By, Timed, ranking

TRIES: Final = {"easy": 4, "medium": 20, "hard": 100, "expert": 500}
"""How often each level tries."""
DEPTH: Final = 300
"""A game is played on for so many moves; then the points decide."""
CURIOSITY: Final = 0.7
APPRAISALS: Final = 400
"""So many games tell what a position is worth."""
QUICKEST: Final = 500.0
SLOWEST: Final = 2000.0
"""When a hand comes down in a race, in ms after the dice were seen."""


def levels(rules: AnyGame) -> dict[str, Bot]:
    """Give the levels of a game that has none of its own."""
    return {level: searcher(rules, tries) for level, tries in TRIES.items()}


def searcher(rules: AnyGame, tries: int) -> Bot:
    """Make a bot that tries so many times."""

    def search(turn: Turn, rng: Chance) -> Answer:
        tree = Tree(rules, turn, rng)
        if len(tree.ways) == 1:
            return Answer(tree.ways[0])
        for _ in range(max(1, round(tries * turn.effort))):
            tree.try_once()
        return tree.answer()

    return search


class Node:
    """What may come after some moves, and what it has brought to each seat."""

    def __init__(self) -> None:
        self.times = 0
        self.won: list[float] = []
        self.after: dict[bytes, Node] = {}

    def learn(self, shares: Sequence[float]) -> None:
        """Count what it has brought this time."""
        self.times += 1
        before = self.won or [0.0] * len(shares)
        self.won = [old + new for old, new in zip(before, shares, strict=True)]

    def mean(self, seat: int) -> float:
        """Give what it brings a seat."""
        return self.won[seat] / self.times


class Tree:
    """The search for one move."""

    def __init__(self, rules: AnyGame, turn: Turn, rng: Chance) -> None:
        self.rules, self.turn, self.rng = rules, turn, rng
        self.root = Node()
        self.ways = deeds(rules, rules.imagine(turn.view, rng), turn.seat, rng)

    def try_once(self) -> None:
        """Imagine a table, go where it looks promising until something is new, and play on."""
        rules, rng, path = self.rules, self.rng, [self.root]
        state = rules.imagine(self.turn.view, rng)
        by: By = self.turn.seat
        ways, new = self.ways, False
        while not new and len(path) < DEPTH:
            move = self._choose(path[-1], by, ways)
            path.append(path[-1].after.setdefault(self._told(by, move), Node()))
            state = played(rules, state, by, move, rng)
            new = by != NATURE and not path[-1].times
            if not (movers := rules.to_move(state)):
                break
            by = movers[rng.below(len(movers))]
            ways = deeds(rules, state, by, rng)
        shares = play_on(rules, state, rng)
        for node in path:
            node.learn(shares)

    def _choose(self, node: Node, by: By, ways: Sequence[Any | None]) -> Any | None:
        """Choose what is new, or else what promises most."""
        if by == NATURE:
            return ways[0]
        worth = [self._promise(node, by, move) for move in ways]
        return ways[worth.index(max(worth))]

    def _promise(self, node: Node, seat: int, move: Any | None) -> tuple[float, float]:
        """Say how much it is worth for a seat to go there; chance decides between equals."""
        after = node.after.get(self._told(seat, move))
        if after is None:
            return inf, self.rng.uniform()
        curious = CURIOSITY * sqrt(log(node.times) / after.times)
        return after.mean(seat) + curious, self.rng.uniform()

    def _told(self, by: By, move: Any | None) -> bytes:
        """Write down what the seat sees of a move: what it can't tell apart is the same for it."""
        return msgspec.json.encode(move and self.rules.seen(by, move, self.turn.seat))

    def answer(self) -> Answer:
        """Give the best move, and what each has brought."""
        seat = self.turn.seat
        found = [(move, self.root.after.get(self._told(seat, move))) for move in self.ways]
        tried = [(move, node) for move, node in found if node is not None]
        tried.sort(key=lambda way: -way[1].mean(seat))
        counts = [(node.won[seat], node.times) for _, node in tried]
        return Answer(
            tried[0][0],
            worth=tuple((move, node.mean(seat)) for move, node in tried),
            doubt=(0.0, *(doubt.of_pair(counts[0], count) for count in counts[1:])),
        )


def deeds(rules: AnyGame, state: Any, by: By, rng: Chance) -> list[Any | None]:
    """List what somebody can do: nature what it draws; in a race also nothing at all."""
    if by == NATURE:
        return [rules.draw(state, rng)]
    moves = [stamped(rules, state, by, move, rng) for move in rules.legal(state, by)]
    return [*moves, None] if NATURE in rules.to_move(state) else moves


def stamped(rules: AnyGame, state: Any, seat: int, move: Any, rng: Chance) -> Any:
    """Give a deed of a race the time at which a hand comes down: in time, after one's last one."""
    if not isinstance(move, Timed):
        return move
    race = getattr(rules, "race")(state)  # noqa: B009  # only games with a race have it
    if race is None:  # a house rule without a clock
        return move
    when = race.acted.get(seat, 0.0) + QUICKEST + (SLOWEST - QUICKEST) * rng.uniform()
    return replace(move, at=round(min(when, race.until), 1))


def played(rules: AnyGame, state: Any, by: By, move: Any | None, rng: Chance) -> Any:
    """Give the state after a move; who does nothing lets nature go on."""
    if move is None:
        return rules.play(state, NATURE, rules.draw(state, rng))
    return rules.play(state, by, move)


def play_on(rules: AnyGame, state: Any, rng: Chance) -> Sequence[float]:
    """Play a game on at random; give everybody's share of the win."""
    for _ in range(DEPTH):
        movers = rules.to_move(state)
        if not movers:
            break
        by = movers[rng.below(len(movers))]
        ways = deeds(rules, state, by, rng)
        state = played(rules, state, by, ways[rng.below(len(ways))], rng)
    return shares(rules, state)


def shares(rules: AnyGame, state: Any) -> list[float]:
    """Share the win: among the winners, or among who is ahead."""
    ahead = rules.winners(state) or ranking(rules, state)[0]
    return [(seat in ahead) / len(ahead) for seat in range(len(rules.scores(state)))]


def appraise(rules: AnyGame, state: Any) -> Sequence[float]:
    """Appraise a position by playing it on; the same position is worth the same again."""
    rng = Quick(0)
    ends = [play_on(rules, state, rng) for _ in range(APPRAISALS)]
    return [fsum(share) / len(ends) for share in zip(*ends, strict=True)]
