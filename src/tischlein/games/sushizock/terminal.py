"""Sushizock im Gockelwok in plain text."""

import re
from collections.abc import Sequence
from typing import Any

from tischlein.bots.bot import Turn
from tischlein.games.sushizock.news import faces_in_words, number
from tischlein.games.sushizock.rules import FORCED, Face, Keep, Kind, Steal, Take, View, count
from tischlein.terminal.talk import Talk
from tischlein.words import Say, filled


def aim(view: View, say: Say) -> str:
    """Tell in a few lines what the game is about."""
    return say("aim")


def board(view: View, names: Sequence[str], say: Say) -> str:
    """Draw the rows, the piles and the dice."""
    return f"{table(view, names, say)}\n{dice_in_words(view, say)}"


def table(view: View, names: Sequence[str], say: Say) -> str:
    """Draw the rows and the piles."""
    wide = max(len(say("sushi")), len(say("bones")))
    rows = (("sushi", view.rows.sushi), ("bones", view.rows.bones))
    lines = [say("rows")]
    lines += [f"  {say(f'{kind}'):{wide}} {numbers(row) or '–'}" for kind, row in rows]
    lines.append(say("piles"))
    wide = max(len(name) for name in names)
    for seat, pile in enumerate(view.piles):
        mark = "→" if seat == view.turn else " "
        sushi, bones = numbers(pile.sushi) or "–", numbers(pile.bones) or "–"
        lines.append(f"{mark} {names[seat]:{wide}}  {say('sushi')} {sushi}  {say('bones')} {bones}")
    return "\n".join(lines)


def dice_in_words(view: View, say: Say) -> str:
    """Show the dice just rolled with their numbers, and those that lie aside."""
    rolled = "  ".join(
        f"{number} {say(f'face.{face}')}" for number, face in enumerate(view.dice.rolled, start=1)
    )
    line = say("dice", rolled=rolled or "–", left=view.dice.rolls_left)
    if view.dice.aside:
        aside = filled(faces_in_words(view.dice.aside), (), say)
        line += "\n" + say("aside_line", dice=aside)
    return line


def ask(turn: Turn, names: Sequence[str], talk: Talk) -> Any:
    """Ask for a letter: take, steal, or keep dice by their numbers."""
    view, say = turn.view, talk.say
    talk.tell(f"\n{board(view, names, say)}")
    if turn.legal[0] == FORCED:
        worst = number(min(view.rows.bones or view.rows.sushi))
        talk.ask(say("forced", tile=worst))
        return FORCED
    talk.tell(say("what_will_you_do", name=names[turn.seat]))
    talk.tell("\n".join(choices(turn, names, say)))
    while True:
        move = understand(talk.ask(">"), turn, say)
        if move in turn.legal:
            return move
        talk.tell(say("keep_again" if isinstance(move, Keep) else "again"))


def choices(turn: Turn, names: Sequence[str], say: Say) -> list[str]:
    """List what the dice allow, a line each; steals from one pile share a line."""
    view, lines = turn.view, []
    sushi, bones = count(view.dice.aside + view.dice.rolled)[:2]
    for move in turn.legal:
        if isinstance(move, Take):
            n, row = (sushi, view.rows.sushi) if move.row == "sushi" else (bones, view.rows.bones)
            lines.append(say(f"take_{move.row}", n=n, tile=number(row[n - 1])))
        elif isinstance(move, Steal) and move.depth == 1:
            tile = number(pile_of(view, move.pile, move.victim)[-1] or 0)
            seat = rivals(turn).index(move.victim) + 1
            fields = {"n": seat, "name": names[move.victim], "tile": tile}
            lines.append(say(f"steal_{move.pile}", **fields))
    if any(isinstance(move, Steal) and move.depth > 1 for move in turn.legal):
        lines.append(say("deeper"))
    if isinstance(turn.legal[-1], Keep):
        lines.append(say("keep"))
    return [f"  {line}" for line in lines]


def understand(answer: str, turn: Turn, say: Say) -> Any | None:
    """Read `s`, `b`, `k 1 2` or `t1 2` in the letters of the language; None is none of these."""
    found = re.fullmatch(r"([a-z]?)([\d\s,]*)", answer.lower())
    if found is None:
        return None
    letter, digits = found[1], [int(digit) for digit in found[2] if digit.isdecimal()]
    if letter == say("letter_sushi") and not digits:
        return Take("sushi")
    if letter == say("letter_bones") and not digits:
        return Take("bones")
    if letter == say("letter_steal"):
        return steal(digits, turn)
    if letter in ("", say("letter_keep")) and digits:
        return keep(digits, turn.view.dice.rolled)
    return None


def keep(chosen: Sequence[int], rolled: Sequence[Face]) -> Keep:
    """Keep the dice of these numbers; a number that is no die keeps none."""
    if not all(1 <= n <= len(rolled) for n in chosen):
        return Keep(())
    return Keep(tuple(rolled[n - 1] for n in sorted(set(chosen))))


def steal(chosen: Sequence[int], turn: Turn) -> Steal | None:
    """Steal from the rival of the first number, at the depth of the second: the top if none."""
    steals = [move for move in turn.legal if isinstance(move, Steal)]
    if not steals or not 1 <= (chosen or [0])[0] <= len(rivals(turn)):
        return None
    depth = int("".join(map(str, chosen[1:])) or 1)
    return Steal(steals[0].pile, rivals(turn)[chosen[0] - 1], max(depth, 1))


def rivals(turn: Turn) -> list[int]:
    """List the other seats, as steals number them."""
    return [seat for seat in range(len(turn.view.piles)) if seat != turn.seat]


def pile_of(view: View, kind: Kind, seat: int) -> tuple[int | None, ...]:
    """Give a player's pile of a kind."""
    return view.piles[seat].sushi if kind == "sushi" else view.piles[seat].bones


def end(view: View, names: Sequence[str], say: Say) -> str:
    """Open all piles and count: bones always, sushi only as high as the bones [S21] [S22]."""
    return "\n".join(
        total(name, [tile or 0 for tile in pile.sushi], [tile or 0 for tile in pile.bones], say)
        for name, pile in zip(names, view.piles, strict=True)
    )


def total(name: str, sushi: list[int], bones: list[int], say: Say) -> str:
    """Write down the sum of one player."""
    counted, dropped = sushi[: len(bones)], sushi[len(bones) :]
    without = {"tiles": numbers(dropped), "high": len(sushi), "low": len(bones)}
    return say(
        "end",
        name=name,
        sushi="+".join(map(str, counted)) or 0,
        without=say("end_without", **without) if dropped else "",
        bones=-sum(bones),
        points=sum(counted) + sum(bones),
    )


def numbers(tiles: Sequence[int | None]) -> str:
    """Write tiles in a row."""
    return " ".join("?" if tile is None else number(tile) for tile in tiles)
