"""The coach's page: a lesson as one HTML file with its curve, which asks nothing of anybody."""

from collections.abc import Sequence
from html import escape
from typing import Final

from tischlein.bots.coach import Lesson
from tischlein.lab.lesson import counts, ledger_rows, mistake, why, worst
from tischlein.lab.plot import Line, lines, page_of
from tischlein.words import Say, in_language

COLUMNS: Final = ("player", "start", "luck", "own", "others", "share")


def page(lesson: Lesson, language: str) -> str:
    """Write the page."""
    say = in_language(language)
    parts = [
        f"<p>{escape(say('coach.intro'))}</p>",
        ledger(lesson, say),
        f"<h2>{escape(say('coach.curve'))}</h2>",
        curve(lesson, say),
        f"<h2>{escape(say('coach.mistakes'))}</h2>",
        told(lesson, say),
    ]
    return page_of(say("coach.title"), parts, language)


def ledger(lesson: Lesson, say: Say) -> str:
    """Write the luck ledger as a table."""
    head = "".join(f"<th>{escape(say(f'coach.{column}'))}</th>" for column in COLUMNS)
    rows = "".join(f"<tr>{cells(row)}</tr>" for row in ledger_rows(lesson))
    return f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"


def cells(row: Sequence[str]) -> str:
    """Write the cells of a row."""
    return "".join(f"<td>{escape(cell)}</td>" for cell in row)


def curve(lesson: Lesson, say: Say) -> str:
    """Draw everybody's chances over the game."""
    drawn = [
        Line(name, [(move, 100 * chances[seat]) for move, chances in enumerate(lesson.curve)])
        for seat, name in enumerate(lesson.names)
    ]
    labels = {"x": say("coach.move"), "y": f"{say('coach.chance')} (%)"}
    return lines(drawn, alt=say("coach.curve_alt"), **labels)


def told(lesson: Lesson, say: Say) -> str:
    """List the costliest mistakes, and how much everybody gave away."""
    items = []
    for decision in worst(lesson.decisions):
        text = escape(mistake(decision, lesson.names, say))
        if decision.because:
            reason = escape(say("coach.why", why=why(lesson.game, decision, say)))
            text += f"<br><small>{reason}</small>"
        items.append(f"<li>{text}</li>")
    found = f"<ol>{''.join(items)}</ol>" if items else f"<p>{escape(say('coach.no_mistakes'))}</p>"
    return found + "".join(f"<p>{escape(line)}</p>" for line in counts(lesson, say))
