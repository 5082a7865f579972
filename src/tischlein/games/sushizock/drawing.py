"""Sushizock im Gockelwok, drawn for people who watch an environment."""

from tischlein.envs.shapes import (
    BLUE,
    CHEESE,
    RED,
    WHITE,
    Drawing,
    card,
    disc,
    heading,
    in_row,
    write,
)
from tischlein.games.sushizock.rules import View


def drawn(view: View) -> Drawing:
    """Draw rows, dice and piles: sushi round, bones square."""
    shapes = [heading(30, "sushi"), *in_row(disc, 30, BLUE, view.rows.sushi)]
    shapes += [heading(72, "bones"), *in_row(card, 72, RED, view.rows.bones)]
    dice = [face[:2] for face in view.dice.rolled]
    aside = [face[:2] for face in view.dice.aside]
    shapes += [heading(114, "rolled"), *in_row(card, 114, WHITE, dice)]
    shapes += [write(380, 119, "aside"), *in_row(card, 114, CHEESE, aside, 430)]
    shapes.append(write(660, 119, f"{view.dice.rolls_left} left"))
    for seat, piles in enumerate(view.piles):
        y = 170 + 92 * seat
        turn = "▶ " if seat == view.turn else ""
        shapes.append(heading(y + 20, f"{turn}player_{seat}"))
        shapes += in_row(disc, y, BLUE, piles.sushi) + in_row(card, y + 42, RED, piles.bones)
    return 170 + 92 * len(view.piles), shapes
