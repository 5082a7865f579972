"""Races in virtual time: human reactions over lines with lag, jitter, loss and uneven paths.

Whoever plays is honest or a liar of some kind; the judge is the table's own.
"""

import random
from collections.abc import Callable, Sequence
from statistics import fmean
from typing import NamedTuple

from tischlein.game import NATURE, OpenRace
from tischlein.games.kakerlaken import rules as kakerlaken
from tischlein.games.kakerlaken.rules import TILES, Deal, Roll, Slap, State
from tischlein.table.lines import Lag, head_start, stamp, window
from tischlein.table.race import closes_at, is_false_start
from tischlein.table.settings import RaceRules

RULES = RaceRules()
PINGS = 4
"""So often a line is measured between two races."""
PICTURE = 16.7
"""A screen shows a new picture so often, in ms: that long the dice may wait to be drawn."""
RESENT = 220.0
"""What is lost on its way comes so much later, in ms."""
HELD = 420.0
"""So long a liar holds an answer back, in ms."""


def open_race(state: kakerlaken.State) -> OpenRace:
    """Give the race that is open in a state."""
    race = kakerlaken.race(state)
    assert race is not None
    return race


class Line(NamedTuple):
    """A line: its usual round trip, how much that varies, the share of the way up, what is lost."""

    trip: float
    jitter: float
    up: float
    loss: float = 0.0


class Player(NamedTuple):
    """Somebody with human reactions at the end of a line, honest or not."""

    line: Line
    backdates: bool = False
    draws_late: bool = True
    holds_echoes: float = 0.0
    """The share of the page's echoes that is held back."""
    picks_echoes: bool = False
    """Whether the page answers only the quickest of a few pongs."""
    holds_pings: bool = False
    slower: float = 0.0
    """So much slower are the true reactions, in ms."""


def all_lines(loss: float = 0.0) -> list[Player]:
    """Set a table of equals, near and far: 10, 50, 150 and 300 ms, with uneven paths."""
    return [
        Player(Line(10, 3, 0.5, loss)),
        Player(Line(50, 12, 0.6, loss)),
        Player(Line(150, 30, 0.42, loss)),
        Player(Line(300, 40, 0.55, loss)),
    ]


EQUAL = all_lines()
LIARS: dict[str, Callable[[Player], Player]] = {
    "nobody": lambda player: player,
    "back-dates": lambda player: player._replace(backdates=True),
    "acts the moment the frame comes, and back-dates": lambda player: player._replace(
        backdates=True, draws_late=False
    ),
    "holds every echo, and back-dates": lambda player: player._replace(
        backdates=True, draws_late=False, holds_echoes=1.0
    ),
    "holds one echo in twelve, and back-dates": lambda player: player._replace(
        backdates=True, draws_late=False, holds_echoes=1 / 12
    ),
    "holds some echoes, picks quick ones, and back-dates": lambda player: player._replace(
        backdates=True, draws_late=False, holds_echoes=0.36, picks_echoes=True
    ),
    "own client: holds control pings too": lambda player: player._replace(
        backdates=True, draws_late=False, holds_echoes=1.0, holds_pings=True
    ),
}
"""How somebody may lie, and what they are then."""


class Told(NamedTuple):
    """What many races showed: shares of the wins in percent, and what the liars gained a deed."""

    shares: list[float]
    gain: float


def race_all(
    players: Sequence[Player], races: int, seed: int, judge_by_arrival: bool = False
) -> Told:
    """Run races for the first tile."""
    rng = random.Random(seed)
    wins, gains = [0] * len(players), [0.0]
    lags = [Lag() for _ in players]
    for _ in range(races):
        for player, lag in zip(players, lags, strict=True):
            for _ in range(PINGS):
                measure(player, lag, rng)
        wins[winner(players, lags, rng, judge_by_arrival, gains)] += 1
    return Told([round(100 * n / races, 2) for n in wins], fmean(gains))


def measure(player: Player, lag: Lag, rng: random.Random) -> None:
    """Measure a line once in both ways."""
    lag.add(trip(player.line, rng) + HELD * player.holds_pings, echo=False)
    held = HELD * (rng.random() < player.holds_echoes)
    tries = 3 if player.picks_echoes else 1
    echo = min(trip(player.line, rng) + rng.uniform(0, 4) for _ in range(tries))
    lag.add(echo + held, echo=True)


def way(line: Line, share: float, rng: random.Random) -> float:
    """Draw how long one way takes: never shorter than the line allows, now and then longer."""
    late = min(rng.expovariate(1 / max(line.jitter, 0.01)), 2 * line.jitter)
    lost = RESENT if rng.random() < line.loss else 0.0
    return (line.trip + late) * share + lost


def trip(line: Line, rng: random.Random) -> float:
    """Draw one round trip."""
    return way(line, line.up, rng) + way(line, 1 - line.up, rng)


def reaction(rng: random.Random) -> float:
    """Draw a human time to find one plate among nine: ex-Gaussian."""
    return max(250.0, rng.gauss(620, 90) + rng.expovariate(1 / 180))


class Come(NamedTuple):
    """A deed that has come in, in ms after the dice were to be shown."""

    arrival: float
    seat: int
    claimed: float
    elapsed: float


def winner(
    players: Sequence[Player],
    lags: Sequence[Lag],
    rng: random.Random,
    judge_by_arrival: bool,
    gains: list[float],
) -> int:
    """Run one race with the table's own judge: deeds are taken in by arrival, until it closes."""
    deeds = []
    for seat, (player, lag) in enumerate(zip(players, lags, strict=True)):
        deed, took = act(player, seat, lags, rng)
        if player.backdates:
            ahead = ahead_of(lag, lags)
            gains.append(took - stamp(deed.claimed, deed.elapsed, lag, 0.0, RULES, ahead).at)
        deeds.append(deed._replace(claimed=deed.arrival) if judge_by_arrival else deed)
    return judge(sorted(deeds), lags, len(players), judge_by_arrival, rng)


def ahead_of(lag: Lag, lags: Sequence[Lag]) -> float:
    """Say how much earlier the roll left for the farthest line, in ms."""
    return max(head_start(other, RULES) for other in lags) - head_start(lag, RULES)


def act(player: Player, seat: int, lags: Sequence[Lag], rng: random.Random) -> tuple[Come, float]:
    """Let a player see the roll and act; give the deed, and how long it truly took."""
    lag = lags[seat]
    ahead = head_start(lag, RULES)
    seen = way(player.line, 1 - player.line.up, rng) - ahead
    if player.draws_late:
        seen += rng.uniform(0, PICTURE)
    took = max(250.0, reaction(rng) + player.slower)
    arrival = seen + took + way(player.line, player.line.up, rng)
    claimed = took
    if player.backdates:
        earliest = arrival + ahead - window(lag, RULES, ahead_of(lag, lags))
        claimed = min(max(RULES.false_start_ms, earliest), took)
    return Come(arrival, seat, claimed, arrival + ahead), took


def judge(
    deeds: Sequence[Come],
    lags: Sequence[Lag],
    seats: int,
    judge_by_arrival: bool,
    rng: random.Random,
) -> int:
    """Take deeds in by their arrival until the race closes; give the winner."""
    state = kakerlaken.play(kakerlaken.start(seats), NATURE, Deal(TILES, rng.randrange(seats)))
    state = kakerlaken.play(state, NATURE, Roll(*TILES[0]))
    waiting = {
        seat: window(lag, RULES, ahead_of(lag, lags)) - head_start(lag, RULES)
        for seat, lag in enumerate(lags)
    }
    for deed in deeds:
        if deed.arrival > closes_at(open_race(state), waiting, {}):
            break
        assert not is_false_start(deed.claimed, deed.elapsed, RULES)
        line = lags[deed.seat]
        at = stamp(deed.claimed, deed.elapsed, line, 0.0, RULES, ahead_of(line, lags)).at
        at = deed.claimed if judge_by_arrival else at
        state = kakerlaken.play(state, deed.seat, Slap(TILES[0], at))
        del waiting[deed.seat]
    return won_by(state)


def won_by(state: State) -> int:
    """Close the race if it is still open, and say who got the tile."""
    if state.roll is not None:
        state = kakerlaken.play(state, NATURE, kakerlaken.TIME)
    assert state.last is not None
    assert state.last.seat is not None
    return state.last.seat
