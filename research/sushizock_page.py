"""Write docs/strategy/sushizock.md from the figures that were measured.

Run as `python -m research.sushizock_page` after `python -m research.sushizock_figures`.
"""

from pathlib import Path
from typing import Any, Final

import msgspec

from research.sushizock_figures import KEPT

PAGE: Final = Path(__file__).parents[1] / "docs" / "strategy" / "sushizock.md"
ROLLS_SHOWN: Final = 20

TEXT: Final = """\
# Sushizock im Gockelwok: how to play well

All figures on this page were measured by `python -m research.sushizock_figures` and are kept in
`research/results/sushizock.json`; this page is written from them by
`python -m research.sushizock_page`. The number after ± is one standard error.

## The rule on one page

**Points.** Give every portion you could get its points:

- a sushi on the table: its number;
- a bone: 2 less its number, so 1 for a −1, 0 for a −2, −1 for a −3, −2 for a −4;
- the top sushi of somebody else (three blue chopsticks): its number and 1 more;
- the top bone of somebody else (three red chopsticks): like any bone.

Are you short of bones? Divide the bones on the table by the players. If your sushi pile is higher
than your bones pile by at least so much, then a sushi is worth only half its number to you, and a
bone 4 less its number.

**Price.** For each die that you still miss for a portion, take 1 point off. If you have too many
dice of its kind, you must roll some of them again: take 1 point off for that, too.

**Play.** Choose the portion with the most points.

- Do your dice give it now? Take it, even after the first roll.
- If not, keep the dice that belong to it, no others, and roll the rest. Then count anew.
- After the last roll take the best that the dice give.

That is all. Sushi that have no bone yet are no reason to worry: there are as many bones as sushi,
and most sushi find theirs, as long as enough bones lie on the table.

{onepage}

## The levels

One bot of the first kind plays among bots of the second, in every seat equally often, with the
same deals and dice. An equal player would win 0.333 with three at the table and 0.250 with four.

{levels}

`easy` takes what looks good. `medium` plays as a good player does: it weighs every portion by its
points and by the chance to roll it. `hard` solves the whole turn exactly and values what comes
after by a network that has played against itself, but remembers no covered tile. `expert` does
the same, remembers every tile, and solves the turns that can follow, too. `expert*10` solves ten
times as many turns ahead.

{ceiling}

A move takes on one core, on average: {speed}.

## Does it matter who starts?

The share of the win by seat, the starter first, when machines that remember every tile play
{games} games for each number of players:

{seats}

## Forced takes, steals, length

For one game, all players together:

{habits}

## Is stealing right?

More often than people think: about every fifth turn of the machines ends with a stolen sushi. One
die must be kept after a roll, and blue chopsticks bind you least: they do not change how many
sushi and bones your dice show. How often the machines keep just the blue dice of their first
roll, and how often they steal at once when it brings three (who keeps three and rolls on cannot
lose the steal, and may reach deeper or get something better):

{blue}

## What to keep after the first roll

The most usual answer of the machines with four at the table, for the {rolls} likeliest first
rolls. What is right depends on the rows and the piles; `how often` says on how many of all turns
the answer was this one.

{first}

## How the machines know

Between two turns all is open to one who remembers, so a position has a value for each seat: the
expected share of the win. Within a turn, the best play follows exactly from the values after it:
56 ways for five dice to lie, all ways to keep, three rolls; tests compare it with plain
enumeration by the rules, to 1e-9. The values are those of a small network for each number of
players (`research/sushizock_train.py`), taught by games against itself towards the exact
expectation of the turn, everybody playing for their own share. Endgames with few tiles are solved
outright by `research/sushizock_endgames.py`, and the search agrees with them; with all 24 tiles
in play even the last turns have too many sequels for that, since steals can go round in circles,
and the search looks ahead as far as its effort allows.

What is not known: how far `expert` is from perfect play. With more than two players there is no
single best strategy, and the network is only as good as its training.
"""


def plus_minus(found: dict[str, float], digits: int = 3) -> str:
    """Write a mean and its standard error."""
    return f"{found['mean']:.{digits}f} ± {found['error']:.{digits}f}"


def table(head: list[str], rows: list[list[str]]) -> str:
    """Write a table."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def pairs(levels: list[dict[str, Any]]) -> dict[tuple[str, str], dict[int, dict[str, Any]]]:
    """Sort duels by who met whom, and by seats."""
    found: dict[tuple[str, str], dict[int, dict[str, Any]]] = {}
    for duel in levels:
        found.setdefault((duel["one"], duel["others"]), {})[duel["seats"]] = duel
    return found


def share(duel: dict[str, Any]) -> str:
    """Write what a bot won, and how many times its fair share that is."""
    times = duel["share"] / duel["fair"]
    return f"{duel['share']:.3f} ± {duel['error']:.3f} (×{times:.2f})"


def level_rows(levels: list[dict[str, Any]]) -> list[list[str]]:
    """Write a row for each pair."""
    return [
        [
            f"`{one}` among `{others}`",
            *(share(by_seats[seats]) if seats in by_seats else "" for seats in (3, 4)),
            " / ".join(f"{duel['games']:,}" for duel in by_seats.values()),
        ]
        for (one, others), by_seats in pairs(levels).items()
    ]


def sentence(levels: list[dict[str, Any]], one: str, others: str) -> str:
    """Say what one wins among others."""
    by_seats = pairs(levels).get((one, others), {})
    parts = [f"{share(duel)} with {seats} players" for seats, duel in by_seats.items()]
    return f"`{one}` among `{others}` wins " + ", ".join(parts) + "."


def page(figures: dict[str, Any]) -> str:
    """Fill the figures into the text."""
    levels, study, speed = (figures[part]["found"] for part in ("levels", "study", "speed"))
    four = next(one for one in study if one["seats"] == 4)
    strength = " ".join(
        sentence(levels, *pair) for pair in (("medium", "onepage"), ("onepage", "expert"))
    )
    return TEXT.format(
        onepage="How strong is it? " + strength,
        levels=table(["", "three players", "four players", "games"], level_rows(levels)),
        ceiling="More effort: "
        + sentence(levels, "expert*10", "medium")
        + " Looking further ahead changes little; what is left is luck.",
        speed=", ".join(f"`{one['level']}` {one['ms']:.2g} ms" for one in speed),
        games=f"{study[0]['games']:,}",
        seats=table(
            ["players", "starter", "second", "third", "fourth", "fifth"],
            [
                [str(one["seats"]), *cells, *[""] * (5 - len(cells))]
                for one in study
                for cells in [[plus_minus(seat) for seat in one["share_by_seat"]]]
            ],
        ),
        habits=table(
            ["players", "turns", "forced takes", "sushi stolen", "bones stolen", "winner's points"],
            [
                [
                    str(one["seats"]),
                    plus_minus(one["turns"], 2),
                    plus_minus(one["forced_takes_in_a_game"]),
                    plus_minus(one["steals_in_a_game"]["sushi"]),
                    plus_minus(one["steals_in_a_game"]["bones"]),
                    plus_minus(one["winning_points"], 2),
                ]
                for one in study
            ],
        ),
        blue=table(
            ["players", "one blue: keep it", "two: keep both", "three: keep them", "three: steal"],
            [
                [
                    str(one["seats"]),
                    *(f"{100 * blue['keep_just_blue']:.0f} %" for blue in kept),
                    f"{100 * kept[-1]['steal_at_once']:.0f} %",
                ]
                for one in study
                for kept in [one["blue_in_first_roll"]]
            ],
        ),
        rolls=ROLLS_SHOWN,
        first=table(
            ["first roll", "chance", "answer", "how often"],
            [
                [roll["roll"], f"{roll['chance']:.3f}", answer(roll), f"{roll['how_often']:.2f}"]
                for roll in four["first_rolls"][:ROLLS_SHOWN]
            ],
        ),
    )


def answer(roll: dict[str, Any]) -> str:
    """Say what to do after a roll."""
    kept: str = roll["answer"]
    return kept if kept[:4] in ("take", "stea", "forc") else f"keep {kept}"


if __name__ == "__main__":
    PAGE.parent.mkdir(exist_ok=True)
    PAGE.write_text(page(msgspec.json.decode(KEPT.read_bytes())), encoding="utf-8")
