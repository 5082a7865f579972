"""Sushizock im Gockelwok in plain text."""

from collections.abc import Sequence
from typing import Any

from tischlein.rules.sushizock import Face, Keep, Steal, Take, View, count
from tischlein.words import Say


def board(view: View, names: Sequence[str], say: Say) -> str:
    """Draw the rows, the piles and the dice."""
    wide = max(len(name) for name in names)
    lines = [
        say("sushizock.rows"),
        f"  {say('sushizock.sushi'):6} {numbers(view.rows.sushi)}",
        f"  {say('sushizock.bones'):6} {numbers(view.rows.bones)}",
        say("sushizock.piles"),
    ]
    for seat, pile in enumerate(view.piles):
        mark = "→" if seat == view.turn else " "
        sushi, bones = numbers(pile.sushi) or "–", numbers(pile.bones) or "–"
        lines.append(
            f"{mark} {names[seat]:{wide}}  {say('sushizock.sushi')} {sushi}"
            f"  {say('sushizock.bones')} {bones}"
        )
    aside, rolled = faces(view.dice.aside, say), faces(view.dice.rolled, say)
    lines.append(say("sushizock.dice", aside=aside, rolled=rolled, left=view.dice.rolls_left))
    return "\n".join(lines)


def move(move: Any, view: View, names: Sequence[str], say: Say) -> str:
    """Say what a legal move would do."""
    match move:
        case Keep():
            return say("sushizock.keep", dice=faces(move.dice, say))
        case Take():
            sushi, bones = count(view.dice.aside + view.dice.rolled)[:2]
            n = sushi if move.row == "sushi" else bones
            row = view.rows.sushi if move.row == "sushi" else view.rows.bones
            return say(f"sushizock.take_{move.row}", n=n, tile=number(row[n - 1]))
        case Steal():
            pile = view.piles[move.victim]
            tile = (pile.sushi if move.pile == "sushi" else pile.bones)[-move.depth]
            shown = say("sushizock.covered") if tile is None else number(tile)
            where = {"depth": move.depth, "name": names[move.victim], "tile": shown}
            return say(f"sushizock.steal_{move.pile}", **where)
        case _:
            return say("sushizock.forced")


def news(seen: dict[str, Any], before: View, after: View, names: Sequence[str], say: Say) -> str:
    """Tell what a move has changed."""
    what = seen["do"]
    turn = before.turn if before.turn is not None else seen.get("starter", 0)
    fields: dict[str, Any] = {"name": names[turn]}
    if what in ("roll", "keep"):
        fields["dice"] = faces(seen["dice"], say)
    elif what != "deal":
        fields["tile"] = number(tile_gained(before, after, turn))
    if what == "take":
        fields["row"] = say(f"sushizock.row_{seen['row']}")
    if what == "steal":
        fields["victim"] = names[seen["from"]]
    return say(f"sushizock.told_{what}", **fields)


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
        "sushizock.end",
        name=name,
        sushi="+".join(map(str, counted)) or 0,
        without=say("sushizock.end_without", **without) if dropped else "",
        bones=-sum(bones),
        points=signed(sum(counted) + sum(bones)),
    )


def tile_gained(before: View, after: View, seat: int) -> int:
    """Find the tile that came on top of a player's piles."""
    old, new = before.piles[seat], after.piles[seat]
    tile = new.sushi[-1] if len(new.sushi) > len(old.sushi) else new.bones[-1]
    return tile or 0


def faces(dice: Sequence[Face], say: Say) -> str:
    """Name dice: their faces and how many of each."""
    found = zip(("sushi", "bones", "blue", "red"), count(dice), strict=True)
    named = [f"{n} × {say(f'face.{face}')}" for face, n in found if n]
    return ", ".join(named) or say("sushizock.no_dice")


def numbers(tiles: Sequence[int | None]) -> str:
    """Write tiles in a row."""
    return " ".join("?" if tile is None else number(tile) for tile in tiles)


def number(tile: int) -> str:
    """Write a tile with its sign."""
    return f"+{tile}" if tile > 0 else f"−{-tile}"


def signed(points: int) -> str:
    """Write points; only below zero they need a sign."""
    return str(points) if points >= 0 else f"−{-points}"
