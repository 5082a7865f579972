"""The coach's page: a lesson as one HTML file with its curve, which asks nothing of anybody."""

from html import escape
from typing import Final

from tischlein.bots.coach import Lesson
from tischlein.lab import plot
from tischlein.lab.lesson import counts, ledger_rows, mistake, openings, why, worst
from tischlein.words import Say, in_language

COLUMNS: Final = ("player", "start", "luck", "own", "others", "share")


def page(lesson: Lesson, language: str) -> str:
    """Write the page."""
    say = in_language(language, lesson.game)
    title = say("coach.title")
    parts = [
        f"<h1>{escape(title)}</h1>",
        *(f"<p>{escape(line)}</p>" for line in openings(lesson, say)),
        f"<h2>{escape(say('coach.mistakes'))}</h2>",
        told(lesson, say),
        f"<h2>{escape(say('coachOpen'))}</h2><p>{escape(say('coach.intro'))}</p>",
        plot.table([say(f"coach.{column}") for column in COLUMNS], ledger_rows(lesson)),
        f"<h2>{escape(say('coach.curve'))}</h2>",
        plot.figure(curve(lesson, say), f"{say('coach.chance')} (%)"),
    ]
    return plot.page(title, "\n".join(parts), language)


def curve(lesson: Lesson, say: Say) -> str:
    """Draw everybody's chances over the game."""
    drawn = [
        plot.Curve(
            name, tuple((move, 100 * chances[seat]) for move, chances in enumerate(lesson.curve))
        )
        for seat, name in enumerate(lesson.names)
    ]
    return plot.lines(drawn, say("coach.curve_alt"), say("coach.move"), 100 / len(lesson.names))


def told(lesson: Lesson, say: Say) -> str:
    """List the costliest mistakes, and how much everybody gave away."""
    items = []
    for decision in worst(lesson.decisions):
        text = escape(mistake(lesson, decision, say))
        if decision.because:
            reason = escape(say("coach.why", why=why(decision, say)))
            text += f"<br><small>{reason}</small>"
        items.append(f"<li>{text}</li>")
    found = f"<ol>{''.join(items)}</ol>" if items else f"<p>{escape(say('coach.no_mistakes'))}</p>"
    return found + "".join(f"<p>{escape(line)}</p>" for line in counts(lesson, say))
