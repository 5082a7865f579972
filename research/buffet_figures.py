"""Measure the Buffet bots; the figures of `docs/strategy/buffet.md` come from here.

    nice -n 10 python -m research.buffet_figures levels --games 2000
    nice -n 10 python -m research.buffet_figures study

`levels` adds games to those already kept, so it can be stopped and go on; `study` measures the
rest anew. Both write `research/results/buffet.json`; `page` writes the document from it.
"""

import argparse
import math
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import msgspec
import numpy as np

from research.buffet_exploit import figures as exploit_figures
from tischlein.bots import Answer, Bot, Chance, Turn, bot_named
from tischlein.bots.arrays import Dice
from tischlein.games.buffet import rules as buffet
from tischlein.games.buffet.bots.duel import Duel, Solver, Stakes
from tischlein.games.buffet.bots.features import EARLY, prizes_by_place
from tischlein.games.buffet.bots.matrix import regret_matching
from tischlein.games.buffet.bots.net import card_chances, pick
from tischlein.games.buffet.bots.search import trade
from tischlein.games.buffet.bots.worlds import KINDS, NOBODY, Worlds
from tischlein.lab.simulate import ask_bots, play_game, seed_of

KEPT: Final = Path(__file__).parent / "results" / "buffet.json"
PICTURE: Final = Path(__file__).parent.parent / "docs" / "strategy" / "buffet-regret.svg"
SEED: Final = "buffet figures 1"
PAIRINGS: Final = (
    ("easy", "random"), ("medium", "easy"), ("hard", "medium"), ("expert", "medium"),
    ("expert", "hard"), ("expert", "easy"),
)  # fmt: skip
TYPICAL: Final = (
    Duel((3, 5, 8), (3, 5, 8)),
    Duel((1, 4, 9), (4, 6, 7)),
    Duel((2, 5, 7, 9), (2, 5, 7, 9), ahead=2),
    Duel((4, 5, 6), (1, 5, 9), ahead=1),
    Duel((3, 6, 7), (2, 8, 9), ahead=-1),
    Duel((5, 6, 7, 8), (5, 6, 7, 8), ahead=-2),
)
KEEP: Final = tuple(0.04 * card for card in range(KINDS))
"""In the table of duels a card is worth a twenty-fifth of the plate more than the next lower."""


def read_kept() -> dict[str, Any]:
    """Read the figures kept so far."""
    if not KEPT.exists():
        return {"seed": SEED, "levels": {}}
    kept: dict[str, Any] = msgspec.json.decode(KEPT.read_bytes())
    return kept


def keep(kept: dict[str, Any]) -> None:
    """Write the figures."""
    kept["date"] = datetime.now(UTC).date().isoformat()
    KEPT.parent.mkdir(exist_ok=True)
    KEPT.write_bytes(
        msgspec.json.format(msgspec.json.encode(kept, order="sorted"), indent=1) + b"\n"
    )


def add_games(row: dict[str, Any], focal: str, others: str, seats: int, until: int) -> None:
    """Play on: one bot against another in all other seats, each deal once from every seat."""
    one, rest = bot_named(buffet, focal), bot_named(buffet, others)
    spent = [row.get("seconds", 0.0), row.get("moves", 0)]

    def timed(turn: Turn, rng: Chance) -> Answer:
        began = time.process_time()
        answer = one(turn, rng)
        spent[0] += time.process_time() - began
        spent[1] += 1
        return answer

    for number in range(row.get("games", 0), until):
        mine = number % seats
        bots: list[Bot] = [rest] * seats
        bots[mine] = timed
        seed = seed_of(SEED, number // seats)
        won = play_game(buffet, ask_bots(bots), ["x"] * seats, {}, seed).outcome().winners
        share = (mine in won) / len(won)
        row["sum"] = row.get("sum", 0.0) + share
        row["squares"] = row.get("squares", 0.0) + share * share
        row["games"] = number + 1
    games = row["games"]
    mean = row["sum"] / games
    row["share"] = mean
    row["error"] = math.sqrt(max(row["squares"] / games - mean * mean, 0) / max(games - 1, 1))
    row["fair"] = 1 / seats
    row["seconds"], row["moves"] = spent
    row["ms_a_move"] = 1000 * spent[0] / spent[1]


def levels(games: int, seats: list[int], only: str) -> None:
    """Measure each level against others, a hundred games at a time."""
    for goal in range(100, games + 100, 100):
        for count in seats:
            for focal, others in pairings(only):
                name = f"{focal} against {others}, {count} seats"
                row = read_kept()["levels"].get(name, {})
                if row.get("games", 0) < min(goal, games):
                    add_games(row, focal, others, count, min(goal, games))
                    kept = read_kept()
                    keep({**kept, "levels": {**kept["levels"], name: row}})
                    print(f"{name}: {told(row)}", flush=True)


def told(row: dict[str, Any]) -> str:
    """Word a pairing."""
    share = f"{row['share']:.3f} ± {row['error']:.3f} of {row['fair']:.3f}"
    return f"{share}, {row['games']} games, {row['ms_a_move']:.2f} ms"


def pairings(only: str) -> list[tuple[str, str]]:
    """List the pairings, or one named like `expert*10:medium`."""
    if only:
        focal, _, others = only.partition(":")
        return [(focal, others)]
    return list(PAIRINGS)


def chances_by_distance(seats: int, games: int) -> dict[str, Any]:
    """Let the learned players play, and see who wins by distance from the first token, and how."""
    dice = Dice(seats)
    worlds = Worlds.dealt(games, seats, dice)
    first = worlds.token.copy()
    duels: list[np.ndarray[Any, Any]] = []
    while not worlds.over.all():
        rows = np.flatnonzero(~worlds.over)
        trade(worlds, rows[worlds.exchanging[rows] != NOBODY], dice)
        laid = np.zeros((len(rows), seats), np.int64)
        which, seat = np.nonzero(worlds.inside[rows])
        laid[which, seat] = pick(card_chances(worlds, rows[which], seat), dice)
        duels.append(duel_habits(worlds, rows, laid))
        worlds.play(rows, laid)
    every = np.arange(games)
    order = (first[:, None] + np.arange(seats)) % seats
    shares = np.take_along_axis(worlds.shares(every), order, 1)
    scores = worlds.tops.sum(2)
    seen = np.concatenate(duels)
    return {
        "games": games,
        "share": shares.mean(0).tolist(),
        "error": (shares.std(0) / math.sqrt(games)).tolist(),
        "score": float(scores.mean()),
        "winning_score": float(scores.max(1).mean()),
        "declines": [decline_row(seen, low, high) for low, high in
                     ((-9, -4), (-3, -2), (-1, -1), (0, 0), (1, 1), (2, 3), (4, 9))],
    }  # fmt: skip


def duel_habits(worlds: Worlds, rows: Any, laid: Any) -> Any:
    """List for each of the last two what winning brings, and how high in hand its card was."""
    last = worlds.inside[rows].sum(1) == 2
    which, seat = np.nonzero(worlds.inside[rows[last]])
    rows, laid = rows[last][which], laid[last][which, seat]
    prizes = prizes_by_place(worlds, rows)[np.arange(len(rows)), seat]
    gain = prizes[:, EARLY + 1] - prizes[:, EARLY]
    hand = worlds.hands[rows, seat]
    below = np.where(np.arange(KINDS) < laid[:, None], hand, 0).sum(1)
    above = np.where(np.arange(KINDS) > laid[:, None], hand, 0).sum(1)
    place = np.where(below + above > 0, below / np.maximum(below + above, 1), np.nan)
    return np.stack([gain, place], 1)[hand.sum(1) > 1]


def decline_row(seen: Any, low: int, high: int) -> dict[str, Any]:
    """Say how high a card is laid where winning changes the score by so much."""
    places = seen[(seen[:, 0] >= low) & (seen[:, 0] <= high) & ~np.isnan(seen[:, 1]), 1]
    lowest = (places == 0).mean() if len(places) else math.nan
    error = places.std() / math.sqrt(max(len(places), 1)) if len(places) else math.nan
    return {"from": low, "to": high, "duels": len(places), "lowest": float(lowest),
            "height": float(places.mean()) if len(places) else math.nan,
            "error": float(error)}  # fmt: skip


def duel_table() -> list[dict[str, Any]]:
    """Solve typical duels of the last two, with open hands."""
    rows = []
    for duel in TYPICAL:
        for keep_cards in (False, True):
            solver = Solver(Stakes(KEEP if keep_cards else ()))
            solved = solver.solve(duel)
            mine, theirs = solved.solution.rows, solved.solution.columns
            rows.append({
                "mine": duel.mine, "theirs": duel.theirs, "ahead": duel.ahead,
                "cards_worth_something": keep_cards, "value": solved.solution.value,
                "my_mix": dict(zip(map(str, solved.cards[0]), mine.tolist(), strict=True)),
                "their_mix": dict(zip(map(str, solved.cards[1]), theirs.tolist(), strict=True)),
                "exploitability": solver.exploitability(duel),
            })  # fmt: skip
    return rows


def random_duels(count: int) -> dict[str, Any]:
    """Solve duels with hands as chance deals them; give the worst exploitability."""
    dice = np.random.default_rng(11)
    deck = np.array(buffet.CARDS)
    worst = 0.0
    for _ in range(count):
        hands = [tuple(sorted(dice.choice(deck, 6, False).tolist())) for _ in range(2)]
        duel = Duel(hands[0], hands[1], int(dice.integers(-4, 5)))
        worst = max(worst, Solver().exploitability(duel))
    return {"duels": count, "cards": 6, "worst_exploitability": worst}


def regret_curve() -> list[dict[str, float]]:
    """Follow regrets in a duel of 20 random games of nine cards: their mean exploitability."""
    dice = np.random.default_rng(12)
    curves = [regret_matching(dice.uniform(0, 1, (9, 9)), 1 << 14)[1] for _ in range(20)]
    return [
        {"rounds": rounds, "exploitability": float(np.mean([curve[at][1] for curve in curves])),
         "bound": 2 * math.sqrt(9 / rounds)}
        for at, (rounds, _) in enumerate(curves[0])
    ]  # fmt: skip


def draw_curve(curve: list[dict[str, float]]) -> None:
    """Draw the regrets on logarithmic scales."""
    wide, high, edge = 560, 340, 56

    def place(rounds: float, value: float) -> str:
        x = edge + (wide - edge - 20) * math.log10(rounds) / 4.3
        y = 20 + (high - edge - 20) * (1 - math.log10(value)) / 8
        return f"{x:.1f},{y:.1f}"

    found = " ".join(place(row["rounds"], row["exploitability"]) for row in curve)
    bound = " ".join(place(row["rounds"], row["bound"]) for row in curve)
    marks = []
    for power in range(5):
        x, y = place(10**power, 1e-7).split(",")
        marks.append(f'<text x="{x}" y="{float(y) + 18}" text-anchor="middle">{10**power:,}</text>')
    for power in range(-6, 2, 2):
        x, y = place(1, 10.0**power).split(",")
        raised = str(power).replace("-", "−")
        label = f'10<tspan dy="-5" font-size="9">{raised}</tspan>'
        marks.append(
            f'<text x="{float(x) - 8}" y="{float(y) + 4}" text-anchor="end">{label}</text>'
        )
        marks.append(f'<line x1="{x}" y1="{y}" x2="{wide - 20}" y2="{y}" stroke="#ddd"/>')
    text = "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}" '
        'font-family="sans-serif" font-size="12" role="img">',
        "<title>Exploitability of the mean mix falls with the rounds of learning</title>",
        f'<rect width="{wide}" height="{high}" fill="#fff"/>', *marks,
        f'<polyline points="{bound}" fill="none" stroke="#a33" stroke-dasharray="6 4"/>',
        f'<polyline points="{found}" fill="none" stroke="#247" stroke-width="2.5"/>',
        f'<text x="{wide / 2}" y="{high - 8}" text-anchor="middle">rounds of learning</text>',
        '<text x="300" y="52" fill="#a33">what the theory promises (dashed)</text>',
        '<text x="120" y="215" fill="#247">measured (line)</text>', "</svg>", "",
    ])  # fmt: skip
    PICTURE.parent.mkdir(exist_ok=True)
    PICTURE.write_text(text, encoding="utf-8")


def study(games: int) -> None:
    """Measure all that is not level against level."""
    found: dict[str, Any] = {
        "tables": {str(seats): chances_by_distance(seats, games) for seats in buffet.SEATS},
        "duels": duel_table(),
        "random_duels": random_duels(200),
        "regrets": regret_curve(),
        "small_games": exploit_figures(),
    }
    draw_curve(found["regrets"])
    keep({**read_kept(), **found})  # levels may have been measured meanwhile


def main() -> None:
    """Measure what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("part", choices=["levels", "study"])
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--seats", type=int, nargs="+", default=[3, 4])
    parser.add_argument("--only", default="", help="one pairing, such as expert*10:medium")
    args = parser.parse_args()
    if args.part == "levels":
        levels(args.games, args.seats, args.only)
    else:
        study(args.games)


if __name__ == "__main__":
    main()
