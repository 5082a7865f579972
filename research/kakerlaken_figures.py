"""Make `research/results/kakerlaken.json`, the figures that docs/strategy/kakerlaken.md cites.

Run: `python -m research.kakerlaken_figures`. Everything follows from the seed.
"""

from collections.abc import Sequence
from math import log2
from typing import Any

from msgspec.structs import replace

from research.figures import keep
from tischlein.bots import Bot, bot_named
from tischlein.chance import Quick
from tischlein.games import game_named
from tischlein.games.kakerlaken.bots.chances import Table, appraise
from tischlein.games.kakerlaken.bots.deciding import ANYBODY, OTHER_ACTS, OWNER_ACTS, grabbing
from tischlein.games.kakerlaken.bots.hands import (
    BIT_MS,
    MEDIUM,
    NOT_MS,
    SIMPLE_MS,
    TOUCH_MS,
    Hand,
    at_pace,
    at_plates,
    hesitation,
    reaction,
)
from tischlein.games.kakerlaken.bots.levels import human
from tischlein.games.kakerlaken.rules import Options, Roll
from tischlein.lab.command import cores
from tischlein.lab.places import Processes
from tischlein.lab.simulate import ask_bots, play_game, seed_of
from tischlein.lab.tally import Mean, mean
from tischlein.lab.tournament import Setup, hold
from tischlein.record import Replay

SEED = "kakerlaken figures"
RACES = 40_000
GAMES = 2000
GRABBING_GAMES = 1200
SEATS = range(2, 6)
NAMING_MS = Options().naming_ms


def adult() -> Hand:
    """Make the average adult from the published figures alone (see `hands`)."""
    average = SIMPLE_MS + BIT_MS * log2(9) + sum(TOUCH_MS) / 2
    return Hand(
        mean=0.75 * average,
        spread=0.1 * average,
        tail=0.25 * average,
        slip=0.06,
        daring=0.9,
        excluding=NOT_MS,
        hesitates=0.06,
    )


def races_won(one: Hand, other: Hand, number: int, seed: str, plates: bool) -> Mean:
    """Give the share of races for a tile that one hand wins of those that either wins."""
    rng = Quick(seed)
    won: list[float] = []
    while len(won) < number:
        ends = []
        for hand in (one, other):
            ready = at_plates(hand) if plates else hand
            at = reaction(rng, ready) + hesitation(rng, hand)
            ends.append(float("inf") if rng.uniform() < hand.slip else at)
        if ends[0] != ends[1]:
            won.append(float(ends[0] < ends[1]))
    return mean(won)


def breaks_even(table: Table, pace: float) -> float:
    """Find how often a non-owner (seat 1) may err before grabbing (from seat 0) does not pay.

    All others are average players; 1 means that it always pays.
    """
    seats = len(table)
    hands = tuple(at_pace(MEDIUM, pace) if seat == 1 else MEDIUM for seat in range(seats))
    acting = tuple(OWNER_ACTS if seat == 0 else OTHER_ACTS for seat in range(seats))

    def gain(err: float) -> float:
        errs = tuple(err if seat == 1 else ANYBODY.errs for seat in range(seats))
        grabs = tuple(1.0 if seat == 1 else acts for seat, acts in enumerate(acting))
        leaves = tuple(0.0 if seat == 1 else acts for seat, acts in enumerate(acting))
        ends = [grabbing(table, hands, errs, acts, 0, NAMING_MS)[1] for acts in (grabs, leaves)]
        return ends[0] - ends[1]

    low, high = 0.0, 1.0
    if gain(high) > 0:
        return 1.0
    for _ in range(30):
        middle = (low + high) / 2
        low, high = (middle, high) if gain(middle) > 0 else (low, middle)
    return round(low, 4)


def tables(seats: int) -> dict[str, Table]:
    """Name a few tables: everybody has a coin and two tiles (one, of five players), but."""
    each = (1, 2) if seats < 5 else (1, 1)
    rest = (each,) * (seats - 2)
    return {
        "even": (each, each, *rest),
        "owner_has_3_coins": ((3, each[1]), each, *rest),
        "grabber_has_3_coins": (each, (3, each[1]), *rest),
        "grabber_has_5_tiles": ((1, 1), (1, 5), *((1, 1),) * (seats - 2)),
    }


def win_share(bot: Bot, other: Bot, seats: int, games: int, seed: str) -> Mean:
    """Give the share of wins of one bot among others, in all seats of every deal."""
    rules = game_named("kakerlaken")
    shares = []
    for deal in range(1, games // seats + 1):
        won = 0.0
        for seat in range(seats):
            bots = [bot if at == seat else other for at in range(seats)]
            played = play_game(rules, ask_bots(bots), ["x"] * seats, {}, seed_of(seed, deal))
            won += seat in played.outcome().winners
        shares.append(won / seats)
    return mean(shares)


def grabbing_figures() -> dict[str, Any]:
    """Let a player who errs more or less grab always or never, among average players."""
    others = bot_named(game_named("kakerlaken"), "medium")
    found = {}
    for slip in (0.03, 0.12, 0.25, 0.4):
        always, never = (human(replace(MEDIUM, slip=slip, daring=daring)) for daring in (1.0, 0.0))
        seed = f"{SEED} grabs"
        right = (1 - slip) * (1 - 2 * slip / 3)
        found[f"{slip:.2f}"] = {
            "errs": round(1 - right, 4),
            "always": win_share(always, others, 3, GRABBING_GAMES, seed),
            "never": win_share(never, others, 3, GRABBING_GAMES, seed),
        }
    return found


def equals(seats: int) -> dict[str, Any]:
    """Let equal players meet: who wins by turn order, and how long it takes."""
    rules = game_named("kakerlaken")
    medium = bot_named(rules, "medium")
    wins: list[list[float]] = [[] for _ in range(seats)]
    moves, races = [], []
    misses: dict[int, list[float]] = {}
    for number in range(1, GAMES + 1):
        seed = seed_of(f"{SEED} {seats}", number)
        played = play_game(rules, ask_bots([medium] * seats), ["medium"] * seats, {}, seed)
        starter = played.moves[0][1].starter
        (winner,) = played.outcome().winners
        for turn in range(seats):
            wins[turn].append(float((winner - starter) % seats == turn))
        for share, miss in appraised(played, number % 20 + 1, winner):
            misses.setdefault(min(4, int(5 * share)), []).append(miss)
        moves.append(len(played.moves))
        races.append(sum(1 for _, move in played.moves if isinstance(move, Roll)))
    return {
        "wins_by_turn": [mean(own) for own in wins],
        "moves": mean(moves),
        "races": mean(races),
        "races_middle_half": [quartile(races, 0.25), quartile(races, 0.75)],
        "wins_less_appraised": {f"{at / 5}": mean(found) for at, found in sorted(misses.items())},
    }


def appraised(played: Replay, race: int, winner: int) -> list[tuple[float, float]]:
    """Give what each seat's share was thought to be before a race, and by how much it missed.

    The number of the race is fixed beforehand: a part of the length of a game would be unfair,
    since whoever is well ahead in the middle of a long game has been unlucky since.
    """
    rolls = [at for at, (_, move) in enumerate(played.moves) if isinstance(move, Roll)]
    if len(rolls) < race:
        return []
    shares = appraise(played.states[rolls[race - 1]])
    return [(share, (seat == winner) - share) for seat, share in enumerate(shares)]


def quartile(values: Sequence[float], part: float) -> float:
    """Give the value that a part of all values lie below."""
    return sorted(values)[int(part * len(values))]


def levels() -> dict[str, Any]:
    """Let each level meet the one below, in all seats."""
    bots = ("random", "easy", "medium", "hard", "expert")
    setup = Setup("kakerlaken", bots, tuple(SEATS), GAMES, SEED, pairs="next", mixed=False)
    result = hold(setup, Processes(cores()), lambda done: None)
    return {
        str(table.seats): {
            duel.who: {"over": duel.against, "both": duel.both, "alone": duel.alone,
                       "games": duel.games}
            for duel in table.duels
            if bots.index(duel.who) > bots.index(duel.against)
        }
        for table in result.tables
    }  # fmt: skip


def main() -> None:
    """Make all figures and keep them."""
    figures = {
        "adult_against_medium": {
            "plates": races_won(adult(), MEDIUM, RACES, SEED, plates=True),
            "thieves": races_won(adult(), MEDIUM, RACES, SEED, plates=False),
        },
        "breaks_even": {
            str(seats): {
                name: {f"{pace}": breaks_even(table, pace) for pace in (0.8, 1.0, 1.25)}
                for name, table in tables(seats).items()
            }
            for seats in SEATS
        },
        "grabbing_with_3_seats": grabbing_figures(),
        "equals": {str(seats): equals(seats) for seats in SEATS},
        "levels": levels(),
    }
    keep("kakerlaken", SEED, figures, races=RACES, games=GAMES, grabbing_games=GRABBING_GAMES)


if __name__ == "__main__":
    main()
