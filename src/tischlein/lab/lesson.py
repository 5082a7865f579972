"""The coach's words: a lesson for the terminal."""

from collections.abc import Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from tischlein.bots.coach import Lesson, Weighed, teach
from tischlein.bots.verdict import opening
from tischlein.lab.command import progress
from tischlein.names import printable_lines
from tischlein.record import Replay
from tischlein.words import Say, deed, reason, worded, written

MOST_TOLD = 8
"""How many mistakes are told."""


def teach_with_progress(game: Replay, effort: float, jobs: int) -> Lesson:
    """Weigh a game, with a bar on a terminal and none in a pipe."""
    with progress(game.rules.NAME, len(game.moves) + 1) as done:
        return teach(game, effort, jobs, done)


def tell_lesson(lesson: Lesson, say: Say) -> None:
    """Print what a friend would say first, then the costliest mistakes, and all figures last."""
    console = Console(highlight=False)
    for line in [say("coach.title"), *openings(lesson, say), *mistakes(lesson, say)]:
        console.print(printable_lines(line), markup=False)
    console.print(say("coach.intro"), markup=False)
    table = Table(say("coach.player"))
    for column in ("start", "luck", "own", "others", "share"):
        table.add_column(say(f"coach.{column}"), justify="right")
    for row in ledger_rows(lesson):
        table.add_row(*map(Text, row))
    console.print(table)
    for line in counts(lesson, say):
        console.print(printable_lines(line), markup=False)


def openings(lesson: Lesson, say: Say) -> list[str]:
    """Say to everybody how it ended for them, and what luck had to do with it."""
    told = []
    for seat, name in enumerate(lesson.names):
        says = " ".join(worded(word, lesson.names, say) for word in opening(lesson, seat))
        told.append(say("coach.told", name=name, told=says))
    return told


def ledger_rows(lesson: Lesson) -> list[tuple[str, ...]]:
    """Write the luck ledger, a row a player."""
    return [
        (name, percent(a.start), signed(a.luck), signed(a.own), signed(a.others), percent(a.share))
        for name, a in zip(lesson.names, lesson.ledger, strict=True)
    ]


def counts(lesson: Lesson, say: Say) -> list[str]:
    """Say how much everybody gave away."""
    told = []
    for seat, name in enumerate(lesson.names):
        mine = [decision for decision in lesson.decisions if decision.seat == seat]
        lost = sum(decision.lost for decision in mine if decision.is_mistake)
        told.append(say("coach.count", name=name, decisions=len(mine), lost=percent(lost)))
    return told


def mistakes(lesson: Lesson, say: Say) -> list[str]:
    """Tell the costliest mistakes, with the reason where the expert gave one."""
    found = worst(lesson.decisions)
    if not found:
        return [say("coach.no_mistakes")]
    told = [say("coach.mistakes")]
    for decision in found:
        told.append("  " + mistake(lesson, decision, say))
        if decision.because:
            told.append("      " + say("coach.why", why=why(decision, say)))
    return told


def worst(decisions: Sequence[Weighed]) -> list[Weighed]:
    """Choose the costliest mistakes."""
    found = [decision for decision in decisions if decision.is_mistake]
    return sorted(found, key=lambda decision: -decision.lost)[:MOST_TOLD]


def mistake(lesson: Lesson, decision: Weighed, say: Say) -> str:
    """Tell what was done, and what would have been better."""
    return say(
        "coach.mistake",
        number=decision.number,
        name=lesson.names[decision.seat],
        move=deed(lesson.game, decision.move, lesson.names, say),
        best=deed(lesson.game, decision.best, lesson.names, say),
        lost=percent(decision.lost),
    )


def why(decision: Weighed, say: Say) -> str:
    """Word the expert's reason."""
    return reason(decision.because, decision.fields, say)


def percent(share: float) -> str:
    """Write a share of the win."""
    return f"{written(round(share * 100))} %"


def signed(share: float) -> str:
    """Write a gain or a loss."""
    return ("+" if round(share * 100) > 0 else "") + percent(share)
