"""The bots for Schlacht am Buffet."""

from typing import Any

import numpy as np
import pytest

from tischlein.bots.buffet.worlds import LOWEST, NOBODY, Ints, Worlds
from tischlein.rules import NATURE, buffet
from tischlein.rules.buffet import FOODS, Deal, Exchange, Play, Shuffle, State


class Recorded(Worlds):
    """A batch of one table that tells the rules what it shuffles, as nature."""

    def shuffle(self, rows: Ints) -> None:
        super().shuffle(rows)
        cards = self.stock[rows[0], : self.size[rows[0]]] + LOWEST
        self.nature.append(Shuffle(tuple(int(card) for card in cards)))

    nature: list[Any]


def agree(worlds: Worlds, state: State) -> None:
    """Compare a packed table with the state of the rules, array by array."""
    packed = Worlds.of([state], np.random.default_rng(0))
    for name in ("hands", "shown", "covered", "tops", "at", "inside", "token", "part", "round",
                 "laid", "exchanging", "over", "last"):  # fmt: skip
        if state.over and name in ("hands", "last", "inside"):
            continue
        assert (getattr(worlds, name) == getattr(packed, name)).all(), name
    stock = worlds.stock[0, worlds.top[0] : worlds.size[0]] + LOWEST
    assert tuple(stock) == state.stock
    left = [worlds.values[p] for p in worlds.plates[0, worlds.next_plate[0] :]]
    assert left == [value for _, value in state.plates]
    laid = worlds.buffet[0, : worlds.laid[0]]
    assert [(FOODS[p // 6], worlds.values[p]) for p in laid] == list(state.buffet)


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_quick_tables_play_by_the_rules(seats: int) -> None:
    """Whole random games over arrays and by the rules, compared after every reveal [B5]-[B22]."""
    values = (-3, 0, 2, 2, 4, 7)
    for seed in range(30):
        options: dict[str, Any] = {"plate_values": values} if seed % 3 == 2 else {}
        rng = np.random.default_rng(1000 * seats + seed)
        state = buffet.start(seats, options)
        worlds = Recorded(1, seats, state.options, rng)
        worlds.nature = []
        worlds.deal(np.arange(1))
        deck = tuple(int(card) for card in worlds.stock[0] + LOWEST)
        plates = tuple((FOODS[p // 6], int(worlds.values[p])) for p in worlds.plates[0])
        state = buffet.play(state, NATURE, Deal(deck, plates, int(worlds.token[0])))
        while not state.over:
            agree(worlds, state)
            step(worlds, state_moves := moves(worlds, rng))
            for by, move in state_moves:
                state = buffet.play(state, by, move)
                while state.movers == (NATURE,):
                    state = buffet.play(state, NATURE, worlds.nature.pop(0))
        agree(worlds, state)
        assert worlds.nature == []
        winners = buffet.winners(state)
        shares = [(seat in winners) / len(winners) for seat in range(seats)]
        assert worlds.shares(np.arange(1))[0].tolist() == shares


def moves(worlds: Worlds, rng: np.random.Generator) -> list[tuple[int, Any]]:
    """Draw legal moves; low cards often, so that mice are level and hands run out [B13]."""
    hands = [np.repeat(np.arange(-1, 10), hand) for hand in worlds.hands[0]]
    if (seat := int(worlds.exchanging[0])) != NOBODY:
        given = hands[seat][rng.random(len(hands[seat])) < rng.random()]
        return [(seat, Exchange(tuple(int(card) for card in given)))]
    alike = rng.random() < 0.5
    return [
        (seat, Play(int(hands[seat][0] if alike else rng.choice(hands[seat]))))
        for seat in range(worlds.seats)
        if worlds.inside[0, seat]
    ]


def step(worlds: Worlds, made: list[tuple[int, Any]]) -> None:
    """Make the moves on the packed table."""
    row = np.arange(1)
    move = made[0][1]
    if isinstance(move, Exchange):
        worlds.exchange(row, np.bincount(np.array(move.cards, int) + 1, minlength=11)[None, :])
    else:
        cards = np.zeros((1, worlds.seats), int)
        for seat, played in made:
            cards[0, seat] = played.card - LOWEST
        worlds.play(row, cards)
