"""Write `docs/strategy/buffet.md` from the measured figures.

python -m research.buffet_page
"""

from pathlib import Path
from typing import Any, Final

from research.buffet_figures import read_kept

PAGE: Final = Path(__file__).parent.parent / "docs" / "strategy" / "buffet.md"

ORDER: Final = ("random", "easy", "medium", "hard", "expert")

Kept = dict[str, Any]


def page() -> str:
    """Give the whole document."""
    kept = read_kept()
    return OPENING + "\n".join(
        [
            levels(kept),
            tables(kept),
            duels(kept),
            declines(kept),
            exploit(kept),
            ENDING.format(date=kept["date"], seed=kept["seed"]),
        ]
    )


OPENING: Final = """# Schlacht am Buffet: what the machines found

Every figure here was measured by `research/buffet_figures.py` and is kept, with its error, in
`research/results/buffet.json`; a test checks that this page says the same. “±” is one standard
error. A *share* is the share of the wins: with three players a fair share is 0.333.

"""

ENDING: Final = """## How it was made

Two small networks learned by playing against themselves (`research/buffet_train.py`): a player
that sees what one seat may see, and a judge that sees all hands and says what share of the win
each seat may expect. `hard` lays the card that the player's network draws. `expert` imagines the
hidden cards many times, with the help of its memory, tries every card at each imagined table, lets
the networks finish the round and asks the judge. With two mice left it mixes as in the equilibrium
of that duel. Nobody has taught them a rule of thumb; `medium` is made of nothing else.

Measured on {date} with the seed `{seed}`. To measure again:
`python -m research.buffet_figures levels`, `… study`, then `python -m research.buffet_page`.
"""


def levels(kept: Kept) -> str:
    """Tell how strong the levels are."""
    lines = [
        "## How strong the levels are",
        "",
        "One bot against another in all other seats; every deal is played once from each seat.",
        "",
        "| | seats | share | fair share | times the fair share | games | ms a move |",
        "|---|---:|---:|---:|---:|---:|---:|",
    ]
    for name, row in sorted(kept["levels"].items(), key=by_strength):
        who, _, seats = name.partition(", ")
        share = f"{row['share']:.3f} ± {row['error']:.3f}"
        times = f"{row['share'] / row['fair']:.2f}"
        lines.append(
            f"| {who} | {seats.split()[0]} | {share} | {row['fair']:.3f} | {times} "
            f"| {row['games']:,} | {row['ms_a_move']:.1f} |"
        )
    return "\n".join([*lines, ""])


def by_strength(item: tuple[str, Kept]) -> tuple[int, int, float, str]:
    """Order pairings by who plays, against whom, at how large a table."""
    focal, _, rest = item[0].partition(" against ")
    others = rest.partition(",")[0]
    level = focal.partition("*")[0]
    return ORDER.index(level), -ORDER.index(others), -item[1]["fair"], focal


def tables(kept: Kept) -> str:
    """Tell who wins by distance from the token."""
    lines = [
        "## Does the token help?",
        "",
        "Shares of the win by distance from the first holder of the token, clockwise, when `hard`"
        " plays in all seats.",
        "",
        "| players | holder | next | 2nd | 3rd | 4th | 5th | ± | mean score | winner's score |",
        "|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for seats, row in kept["tables"].items():
        shares = [f"{share:.3f}" for share in row["share"]] + [""] * (6 - int(seats))
        lines.append(
            f"| {seats} | {' | '.join(shares)} | {max(row['error']):.3f} | {row['score']:.1f} "
            f"| {row['winning_score']:.1f} |"
        )
    games = next(iter(kept["tables"].values()))["games"]
    far = max(
        abs(share - 1 / int(seats)) / error
        for seats, row in kept["tables"].items()
        for share, error in zip(row["share"], row["error"], strict=True)
    )
    after = (
        f"{games:,} games for each number of players. The token decides who reveals and draws"
        " first, but cards are laid at once. Of these eighteen shares the one farthest from fair is"
        f" off by {far:.1f} errors: next to nothing."
    )
    return "\n".join([*lines, "", after, ""])


def duels(kept: Kept) -> str:
    """Tell how the last two mix."""
    lines = [
        "## The last two mice",
        "",
        "Both hands open, one plate, levels play again. The mixes are exact: nobody can gain"
        " against them. “Ahead” is by how much my mouse leads before the cards. In the second line"
        " of each duel high cards are worth keeping: each point on a card is worth a twenty-fifth"
        " of the plate.",
        "",
        "| my hand | their hand | ahead | cards worth keeping | I lay | they lay | value for me |",
        "|---|---|---:|---|---|---|---:|",
    ]
    for row in kept["duels"]:
        kept_cards = "yes" if row["cards_worth_something"] else "no"
        lines.append(
            f"| {hand(row['mine'])} | {hand(row['theirs'])} | {row['ahead']} | {kept_cards} "
            f"| {mix(row['my_mix'])} | {mix(row['their_mix'])} | {row['value']:.3f} |"
        )
    some = kept["random_duels"]
    worst = max([some["worst_exploitability"], *(row["exploitability"] for row in kept["duels"])])
    after = (
        f"In {some['duels']} duels with {some['cards']} random cards each, and in those of the"
        f" table, what both could gain together against the mixes was at most {worst:.0e}."
    )
    return "\n".join([*lines, "", after, ""])


def hand(cards: list[int]) -> str:
    """Write a hand."""
    return " ".join(str(card) for card in cards)


def mix(chances: dict[str, float]) -> str:
    """Write a mix, cards that are never laid left out."""
    used = [(card, chance) for card, chance in chances.items() if chance > 0.0005]
    if len(used) == 1:
        return f"always {used[0][0]}"
    return ", ".join(f"{card}: {100 * chance:.0f} %" for card, chance in used)


def declines(kept: Kept) -> str:
    """Tell when a plate is better left to the other."""
    lines = [
        "## When to let a plate go",
        "",
        "A plate covers the one before: a −1 on a 5 costs six points. How high in the hand is the"
        " card that `hard` lays among the last two (0: the lowest, 1: the highest), by what winning"
        " instead of losing changes its score?",
        "",
        "| change of score | three players | duels | four players | duels |",
        "|---|---:|---:|---:|---:|",
    ]
    rows = zip(kept["tables"]["3"]["declines"], kept["tables"]["4"]["declines"], strict=True)
    for three, four in rows:
        span = (
            f"{three['from']} to {three['to']}" if three["from"] != three["to"] else three["from"]
        )
        cells = [height(three), height(four)]
        lines.append(f"| {str(span).replace('-', '−')} | {cells[0]} | {cells[1]} |")
    return "\n".join([*lines, ""])


def height(row: dict[str, Any]) -> str:
    """Write how high the cards were, and how often it came to that."""
    if not row["duels"]:
        return "– | 0"
    return f"{row['height']:.3f} ± {row['error']:.3f} | {row['duels']:,}"


def exploit(kept: Kept) -> str:
    """Tell how far from an equilibrium the bots are."""
    lines = [
        "## How exploitable are they?",
        "",
        "In last rounds with so few cards that everything can be computed: what all mice could gain"
        " together, in shares of the win, if each in turn answered the others perfectly (0 is an"
        " equilibrium).",
        "",
        "| last round | any card | regrets (CFR+) | hard | expert |",
        "|---|---:|---:|---:|---:|",
    ]
    for row in kept["small_games"]:
        found = row["nash_conv"]
        cells = [f"{found[name]:.4f}" for name in ("any card", "regrets", "hard", "expert")]
        lines.append(f"| {row['game']} | {' | '.join(cells)} |")
    solved = [row for row in kept["small_games"] if row["value_by_linear_program"] is not None]
    after = [
        f"By linear program {row['game']} are worth {row['value_by_linear_program']:.6f} to the"
        f" first mouse, by regrets {row['value_of_regrets']:.6f}."
        for row in solved
    ]
    last = kept["regrets"][-1]
    curve = (
        f"In random games of nine cards against nine, learning from regrets comes within"
        f" {last['exploitability']:.0e} of an equilibrium after {last['rounds']:,} rounds; the"
        f" theory promises {last['bound']:.2f}."
    )
    picture = "![Exploitability falls as the rounds of learning grow](buffet-regret.svg)"
    return "\n".join([*lines, "", *after, "", curve, "", picture, ""])


def main() -> None:
    """Write the document."""
    PAGE.parent.mkdir(exist_ok=True)
    PAGE.write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main()
