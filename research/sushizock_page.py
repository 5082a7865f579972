"""The figures of docs/strategy/sushizock.md, worded from what is kept."""

from typing import Any, Final

from research.figures import kept
from research.kakerlaken_page import Z95, percent, table

Found = list[dict[str, Any]]
SEATS: Final = ("starter", "second", "third", "fourth", "fifth")
ROLLS_SHOWN: Final = 20

PLAYERS: Final = (2, 3, 4, 5)


def blocks() -> dict[str, str]:
    """Word all figures of the page."""
    found = kept("sushizock")
    study = found["study"]
    return {
        "onepage": onepage(found["levels"]),
        "levels": levels(found["levels"]),
        "speed": speed(found["speed"]),
        "seats": seats(study),
        "habits": habits(study),
        "blue": blue(study),
        "first": first(next(one for one in study if one["seats"] == 4)),
    }


def number(found: dict[str, float], digits: int = 2) -> str:
    """Write a mean with half of its 95 % interval."""
    return f"{found['mean']:.{digits}f} ± {Z95 * found['error']:.{digits}f}"


def share(duel: dict[str, Any]) -> str:
    """Write what a bot won, and how many times its fair share that is."""
    won = percent({"mean": duel["share"], "error": duel["error"]})
    return f"{won} ({duel['share'] / duel['fair']:.2f} ×)"


def onepage(duels: Found) -> str:
    """Say how strong the one-page rule is."""
    sentences = [
        f"One who plays by it among {others} wins {share(duel)}, with {duel['seats']} players."
        for name, others in (("easy", "`easy` bots"), ("expert", "experts"))
        for duel in duels
        if (duel["one"], duel["others"]) == ("onepage", name)
    ]
    return "How strong is it?\n" + "\n".join(sentences)


def levels(duels: Found) -> str:
    """Tell what one bot wins among others."""
    by_pair: dict[tuple[str, str], dict[int, dict[str, Any]]] = {}
    for duel in duels:
        by_pair.setdefault((duel["one"], duel["others"]), {})[duel["seats"]] = duel
    rows = [
        [
            f"`{one}` among `{others}`",
            *(share(by_seats[some]) if some in by_seats else "" for some in PLAYERS),
            f"{max(duel['games'] for duel in by_seats.values()):,}",
        ]
        for (one, others), by_seats in by_pair.items()
    ]
    return table(["", *(f"{some} players" for some in PLAYERS), "games each"], rows)


def speed(found: Found) -> str:
    """Say how long a move takes."""
    times = ", ".join(f"`{one['level']}` {one['ms']:.2g} ms" for one in found)
    return f"A move takes on one core, on average: {times}."


def seats(study: Found) -> str:
    """Tell who wins, by seat."""
    rows = [
        [str(one["seats"]), *cells, *[""] * (len(SEATS) - len(cells)), f"{one['games']:,}"]
        for one in study
        for cells in [[percent(seat) for seat in one["share_by_seat"]]]
    ]
    return table(["players", *SEATS, "games"], rows)


def habits(study: Found) -> str:
    """Tell what happens in a game."""
    rows = [
        [
            str(one["seats"]),
            number(one["turns"], 1),
            number(one["forced_takes_in_a_game"]),
            number(one["steals_in_a_game"]["sushi"]),
            number(one["steals_in_a_game"]["bones"]),
            number(one["winning_points"], 1),
        ]
        for one in study
    ]
    head = ["players", "turns", "forced takes", "sushi stolen", "bones stolen", "winner's points"]
    return table(head, rows)


def blue(study: Found) -> str:
    """Tell what to do with blue chopsticks in the first roll."""
    rows = [
        [
            str(one["seats"]),
            *(f"{100 * answer['keep_just_blue']:.0f} %" for answer in answers),
            f"{100 * answers[-1]['steal_at_once']:.0f} %",
        ]
        for one in study
        for answers in [one["blue_in_first_roll"]]
    ]
    head = ["players", "one: keep it", "two: keep both", "three: keep them", "three: steal"]
    return table(head, rows)


def first(study: dict[str, Any]) -> str:
    """Tell the usual answers to the likeliest first rolls."""
    rows = [
        [
            roll["roll"],
            f"{100 * roll['chance']:.1f} %",
            answer(roll["answer"]),
            f"{100 * roll['how_often']:.0f} %",
        ]
        for roll in study["first_rolls"][:ROLLS_SHOWN]
    ]
    return table(["first roll", "chance", "answer", "how often"], rows)


def answer(told: str) -> str:
    """Say what to do after a roll: to end the turn, or to keep dice."""
    return told if told.split()[0] in ("take", "steal", "forced") else f"keep {told}"
