"""Races in virtual time: human reactions over lines with lag, jitter and uneven paths."""

import random
from collections.abc import Sequence
from typing import NamedTuple

from tischlein.game import NATURE, OpenRace
from tischlein.games.kakerlaken import rules as kakerlaken
from tischlein.games.kakerlaken.rules import TILES, Deal, Roll, Slap, State
from tischlein.table.race import Lag, closes_at, is_false_start, lead, stamp, window
from tischlein.table.settings import RaceRules

RULES = RaceRules()
PINGS = 12


def open_race(state: kakerlaken.State) -> OpenRace:
    """Give the race that is open in a state."""
    race = kakerlaken.race(state)
    assert race is not None
    return race


class Line(NamedTuple):
    """A line: its usual round trip, how much that varies, and the share of the way up."""

    trip: float
    jitter: float
    up: float


class Player(NamedTuple):
    """Somebody with human reactions at the end of a line, honest or not."""

    line: Line
    backdates: bool = False
    delays_pings: float = 0.0


EQUAL = [
    Player(Line(10, 3, 0.5)),
    Player(Line(50, 12, 0.6)),
    Player(Line(150, 30, 0.42)),
    Player(Line(300, 40, 0.55)),
]


def shares(
    players: Sequence[Player],
    races: int,
    seed: int,
    judge_by_arrival: bool = False,
    gains: list[float] | None = None,
) -> list[float]:
    """Run races for the first tile; give each player's share of the wins, in percent."""
    rng = random.Random(seed)
    wins = [0] * len(players)
    lags = [Lag() for _ in players]
    for _ in range(races):
        for player, lag in zip(players, lags, strict=True):
            lag.add(trip(player.line, rng) + player.delays_pings)
        wins[winner(players, lags, rng, judge_by_arrival, gains)] += 1
    return [round(100 * n / races, 2) for n in wins]


def trip(line: Line, rng: random.Random) -> float:
    """Draw one round trip: never shorter than the line allows, now and then longer."""
    return line.trip + min(rng.expovariate(1 / max(line.jitter, 0.01)), 2 * line.jitter)


def clock_error(line: Line, rng: random.Random) -> float:
    """Draw how far off a client's idea of the server's clock is: the median of several pings."""
    errors = []
    for _ in range(PINGS):
        there_and_back = trip(line, rng)
        up = there_and_back * line.up
        errors.append(up - there_and_back / 2)
    return sorted(errors)[PINGS // 2]


def reaction(rng: random.Random) -> float:
    """Draw a human time to find one plate among nine: ex-Gaussian."""
    return max(250.0, rng.gauss(620, 90) + rng.expovariate(1 / 180))


def winner(
    players: Sequence[Player],
    lags: Sequence[Lag],
    rng: random.Random,
    judge_by_arrival: bool,
    gains: list[float] | None,
) -> int:
    """Run one race with the table's own judge: deeds are taken in by arrival, until it closes."""
    ahead = lead(lags, RULES)
    arrivals = []
    for seat, player in enumerate(players):
        down = trip(player.line, rng) * (1 - player.line.up)
        planned = clock_error(player.line, rng)
        shown = max(planned, down - ahead)  # not before the roll has come
        took = reaction(rng)
        arrival = shown + took + trip(player.line, rng) * player.line.up
        claimed = took
        if player.backdates:
            claimed = max(RULES.false_start_ms, arrival - window(lags[seat], RULES))
            claimed = min(claimed, took)
            if gains is not None:
                gains.append(took - stamp(claimed, arrival, lags[seat], 0.0, RULES).at)
        arrivals.append((arrival, seat, arrival if judge_by_arrival else claimed))
    return judge(sorted(arrivals), lags, len(players), judge_by_arrival, rng)


def judge(
    arrivals: Sequence[tuple[float, int, float]],
    lags: Sequence[Lag],
    seats: int,
    judge_by_arrival: bool,
    rng: random.Random,
) -> int:
    """Take deeds in by their arrival until the race closes; give the winner."""
    state = kakerlaken.play(kakerlaken.start(seats), NATURE, Deal(TILES, rng.randrange(seats)))
    state = kakerlaken.play(state, NATURE, Roll(*TILES[0]))
    waiting = {seat: window(lag, RULES) for seat, lag in enumerate(lags)}
    for arrival, seat, claimed in arrivals:
        if arrival > closes_at(open_race(state), waiting, {}):
            break
        assert not is_false_start(claimed, arrival, RULES)
        at = claimed if judge_by_arrival else stamp(claimed, arrival, lags[seat], 0.0, RULES).at
        state = kakerlaken.play(state, seat, Slap(TILES[0], at))
        del waiting[seat]
    return won_by(state)


def won_by(state: State) -> int:
    """Close the race if it is still open, and say who got the tile."""
    if state.roll is not None:
        state = kakerlaken.play(state, NATURE, kakerlaken.TIME)
    assert state.last is not None
    assert state.last.seat is not None
    return state.last.seat
