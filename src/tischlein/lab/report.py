"""A tournament told: tables for a terminal, and a page with charts that needs nothing else."""

from html import escape

from rich.console import Console
from rich.table import Table

from tischlein.lab.plot import Bar, Dot, bars, dots, figure, page, table
from tischlein.lab.tally import Failing, Mean
from tischlein.lab.tournament import AtTable, Bin, Duel, Result
from tischlein.names import printable

Z95 = 1.96
"""So many errors to each side hold 95 %."""


def print_result(result: Result) -> None:
    """Print the tables of a tournament."""
    console = Console()
    console.print(headline(result), markup=False, highlight=False)
    if result.ratings:
        print_table(console, "", ("bot", "rating", "± 95 %"), rating_rows(result))
    for shown in result.tables:
        title = f"{shown.seats} seats: {shown.games:,} games, {shown.deals:,} deals"
        print_table(console, title, BOT_HEADINGS, bot_rows(shown))
        print_table(console, "head to head", duel_headings(result), matrix(result, shown))
        if shown.seats > 2:
            print_table(console, "alone among others", duel_headings(result), loners(result, shown))
        print_table(console, "turn order", TURN_HEADINGS, turn_rows(shown))
        console.print(lengths(shown), highlight=False)
    print_failing(console, result.failing)


def print_table(
    console: Console, title: str, headings: tuple[str, ...], rows: list[tuple[str, ...]]
) -> None:
    """Print one table."""
    shown = Table(title=title or None, title_justify="left")
    for at, heading in enumerate(headings):
        shown.add_column(heading, justify="right" if at else "left")
    for row in rows:
        shown.add_row(*row)
    console.print(shown)


def print_failing(console: Console, failing: tuple[Failing, ...]) -> None:
    """Say which bots failed."""
    for told in failing_told(failing):
        console.print(told, markup=False, highlight=False, style="bold")


def failing_told(failing: tuple[Failing, ...]) -> list[str]:
    """Say for each bot that failed how often, and what was first."""
    return [
        f"{bad.who} failed {bad.times:,} times and made any legal move instead; first: "
        f"{printable(bad.first)}"
        for bad in failing
    ]


def headline(result: Result) -> str:
    """Say what was played."""
    setup = result.setup
    told = f"{result.games:,} games of {setup.game} between {', '.join(setup.bots)}"
    options = "".join(f"; {name}={value}" for name, value in setup.options.items())
    return printable(f"{told}; seed {setup.seed}{options}")


BOT_HEADINGS = ("bot", "games", "wins a seat %", "× fair share", "mean score")
TURN_HEADINGS = ("turn", "wins %", "mean score")


def rating_rows(result: Result) -> list[tuple[str, ...]]:
    """List the ratings with half of their 95 % intervals."""
    return [
        (rating.who, f"{rating.points:.0f}", f"{Z95 * rating.error:.0f}")
        for rating in result.ratings
    ]


def bot_rows(shown: AtTable) -> list[tuple[str, ...]]:
    """List how each bot did; the error is half of a 95 % interval."""
    return [
        (
            row.who,
            f"{row.games:,}",
            percent(row.wins),
            times(row.wins, shown.seats),
            plain(row.score),
        )
        for row in shown.bots
    ]


def turn_rows(shown: AtTable) -> list[tuple[str, ...]]:
    """List how each place in the order of turns did."""
    return [(row.who, percent(row.wins), plain(row.score)) for row in shown.by_turn]


def duel_headings(result: Result) -> tuple[str, ...]:
    """Head a matrix of duels."""
    return ("wins %", *(f"v {bot}" for bot in result.setup.bots))


def matrix(result: Result, shown: AtTable) -> list[tuple[str, ...]]:
    """Give each pair's share of wins, with half of a 95 % interval; 50 is equal."""
    found = {(duel.who, duel.against): duel for duel in shown.duels}
    return [
        (one, *(cell(found.get((one, other))) for other in result.setup.bots))
        for one in result.setup.bots
    ]


def loners(result: Result, shown: AtTable) -> list[tuple[str, ...]]:
    """Give the share of one bot alone among others of one kind, in fair shares."""
    found = {(duel.who, duel.against): duel for duel in shown.duels}
    return [
        (one, *(alone(found.get((one, other)), shown.seats) for other in result.setup.bots))
        for one in result.setup.bots
    ]


def cell(duel: Duel | None) -> str:
    """Write one place of the matrix."""
    return "" if duel is None else percent(duel.both)


def alone(duel: Duel | None, seats: int) -> str:
    """Write by how much one alone exceeds its fair share."""
    return "" if duel is None else "× " + times(duel.alone, seats)


def percent(value: Mean) -> str:
    """Write a share in per cent with half of its 95 % interval."""
    return f"{100 * value.mean:.1f} ± {100 * Z95 * value.error:.1f}"


def times(value: Mean, seats: int) -> str:
    """Write a share in fair shares."""
    return f"{seats * value.mean:.2f} ± {seats * Z95 * value.error:.2f}"


def plain(value: Mean) -> str:
    """Write a mean with half of its 95 % interval."""
    return f"{value.mean:.2f} ± {Z95 * value.error:.2f}".replace("-", "−")


def lengths(shown: AtTable) -> str:
    """Say how long the games were."""
    first, last = shown.lengths[0].first, shown.lengths[-1].last
    return f"{plain(shown.moves)} moves a game, from {first} to about {last}"


def html(result: Result) -> str:
    """Tell a tournament as a page of its own."""
    title = f"Tournament of {result.setup.game}: {', '.join(result.setup.bots)}"
    parts = [f"<h1>{escape(title)}</h1>\n<p>{escape(headline(result))}.</p>\n", HOW]
    parts += [f"<p><strong>{escape(told)}</strong></p>\n" for told in failing_told(result.failing)]
    parts += ["<h2>Ratings</h2>\n", rating_chart(result)]
    for shown in result.tables:
        parts += table_section(result, shown)
    return page(title, "".join(parts))


HOW = (
    '<p class="note">Every deal (one seed for dice, cards and the bots’ own chance) is played by '
    "every sitting: each bot alone among the others of every pair, in all seats, and mixed tables "
    "in all rotations. All intervals are 95 % and take the deal as their unit. Ratings follow "
    "the model of Plackett and Luce over whole rankings, ties included; 400 points more is ten "
    "times the chance to finish ahead.</p>\n"
)


def rating_chart(result: Result) -> str:
    """Chart the ratings, strongest first."""
    rows = sorted(result.ratings, key=lambda rating: -rating.points)
    shown = [Dot(r.who, r.points, r.points - Z95 * r.error, r.points + Z95 * r.error) for r in rows]
    told = ", ".join(f"{r.who} {r.points:.0f} ± {Z95 * r.error:.0f}" for r in rows)
    return figure(dots(shown, f"Ratings: {told}", even=1000), "Rating, 95 % intervals.")


def table_section(result: Result, shown: AtTable) -> list[str]:
    """Tell all about one number of seats."""
    headings, seats = duel_headings(result), shown.seats
    told = f"{shown.games:,} games, {shown.deals:,} deals; {lengths(shown)}."
    parts = [
        f"<h2>{seats} seats</h2>\n<p>{escape(told)}</p>\n",
        table(BOT_HEADINGS, bot_rows(shown)),
    ]
    parts += ["<h3>Head to head</h3>\n", '<p class="note">Share of the wins in all games of the '
              "pair, in which both take equally many seats: 50 is equal.</p>\n",
              table(headings, matrix(result, shown))]  # fmt: skip
    if seats > 2:
        parts += ["<h3>Alone among others</h3>\n", '<p class="note">One bot of the row among '
                  f"{seats - 1} of the column: × 1 is a fair share.</p>\n",
                  table(headings, loners(result, shown))]  # fmt: skip
    parts += ["<h3>Turn order</h3>\n", turn_chart(shown)]
    parts += ["<h3>Length of the games</h3>\n", bin_chart(shown.lengths, "games", "moves")]
    parts.append("<h3>Scores</h3>\n")
    for bot, scores in shown.scores.items():
        parts.append(f"<h4>{escape(bot)}</h4>\n{bin_chart(scores, f'scores of {bot}', 'points')}")
    return parts


def turn_chart(shown: AtTable) -> str:
    """Chart the share of wins by who begins."""
    rows = [
        Dot(f"turn {row.who}", 100 * row.wins.mean, 100 * (row.wins.mean - Z95 * row.wins.error),
            100 * (row.wins.mean + Z95 * row.wins.error))
        for row in shown.by_turn
    ]  # fmt: skip
    told = ", ".join(f"{dot.label} {dot.value:.1f} %" for dot in rows)
    alt = f"Share of the wins by turn order with {shown.seats} seats: {told}"
    caption = "Wins in per cent; turn 1 is whoever starts. The broken line is a fair share."
    return figure(dots(rows, alt, even=100 / shown.seats, digits=1), caption)


def bin_chart(found: tuple[Bin, ...], what: str, unit: str) -> str:
    """Chart how often numbers came up."""
    rows = [Bar(str(one.first).replace("-", "−"), one.times) for one in found]
    most = max(found, key=lambda one: one.times)
    span = f"from {found[0].first} to {found[-1].last}, most often about {most.first} {unit}"
    return figure(bars(rows, f"How often: {what}, {span}", below=unit))
