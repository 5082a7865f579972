"""Kakerlaken Sushi in plain text."""

from collections.abc import Sequence
from typing import Any

from tischlein.rules.kakerlaken import (
    COLOURS,
    SYMBOLS,
    Give,
    Grab,
    Name,
    Race,
    Slap,
    Tile,
    TileView,
    View,
)
from tischlein.words import Say


def board(view: View, names: Sequence[str], say: Say) -> str:
    """Draw the plates round the master, what lies in front of whom, and the coins."""
    lines = []
    for number, shown in enumerate(view.circle, start=1):
        if shown.owner is None:
            lines.append("  " + (thief_side(shown, say, number) or plate_side(shown, say, number)))
    for seat, name in enumerate(names):
        tiles = [thief_side(shown, say) for shown in view.circle if shown.owner == seat]
        if tiles:
            lines.append(say("kakerlaken.front", name=name, tiles=", ".join(tiles)))
    coins = ", ".join(f"{name} {n}" for name, n in zip(names, view.coins, strict=True))
    lines.append(say("kakerlaken.coins", coins=coins))
    if view.roll is not None:
        lines.append(say("kakerlaken.roll", **tile_in_words(view.roll, say)))
    return "\n".join(lines)


def move(move: Any, view: View, names: Sequence[str], say: Say) -> str:
    """Say what a legal move would do."""
    match move:
        case Slap():
            number = [shown.tile for shown in view.circle].index(move.tile) + 1
            shown = view.circle[number - 1]
            if shown.side == "thief" and shown.thief is not None:
                thief = say(f"thief.{shown.thief}")
                return say("kakerlaken.slap_thief", **tile_in_words(move.tile, say), thief=thief)
            return say("kakerlaken.slap", n=number, **on_the_plate(shown, say))
        case Grab():
            return say("kakerlaken.squeeze" if move.squeak else "kakerlaken.grab")
        case Name():
            return say("kakerlaken.name", thief=say(f"thief.{move.thief}"))
        case Give():
            return say("kakerlaken.give", **tile_in_words(move.tile, say))
        case _:
            raise TypeError(f"not a player's move: {move}")


def news(seen: dict[str, Any], before: View, after: View, names: Sequence[str], say: Say) -> str:
    """Tell what a move has changed; a race is told when it is over, as a photo finish."""
    if seen["do"] == "deal":
        return say("kakerlaken.told_deal", name=names[seen["starter"]])
    if seen["do"] == "give":
        tile = tile_in_words(seen["tile"], say)
        return say("kakerlaken.told_give", name=names[seen["by"]], **tile)
    if seen["do"] == "roll":
        return say("kakerlaken.roll", **tile_in_words((seen["symbol"], seen["colour"]), say))
    if before.roll is not None and after.roll is None and after.last is not None:
        return photo_finish(after.last, names, say)
    return ""


def end(view: View, names: Sequence[str], say: Say) -> str:
    """Count the fish coins [K21]."""
    coins = ", ".join(f"{name} {n}" for name, n in zip(names, view.coins, strict=True))
    return say("kakerlaken.end", coins=coins)


def photo_finish(race: Race, names: Sequence[str], say: Say) -> str:
    """Tell a race: every deed with its time, and what came of it."""
    deeds = [
        (deed.at, names[seat], deed) for seat, deed in enumerate(race.deeds) if deed is not None
    ]
    lines = []
    for at, name, deed in sorted(deeds, key=lambda entry: entry[0]):
        fields: dict[str, Any] = {"at": round(at), "name": name}
        if deed.tile is not None:
            lines.append(say("kakerlaken.photo_slap", **fields, **tile_in_words(deed.tile, say)))
            continue
        lines.append(say("kakerlaken.photo_squeak" if deed.squeak else "kakerlaken.photo_grab",
                         **fields))  # fmt: skip
        if deed.thief is not None and deed.named_at is not None:
            fields["at"] = round(deed.named_at)
            thief = say(f"thief.{deed.thief}")
            lines.append(say("kakerlaken.photo_name", **fields, thief=thief))
    owner = "" if race.owner is None else names[race.owner]
    who = "" if race.seat is None else names[race.seat]
    lines.append(say(f"kakerlaken.{race.outcome}", name=who, owner=owner))
    return "\n".join(lines)


def thief_side(shown: TileView, say: Say, number: int | None = None) -> str:
    """Name a tile that lies thief side up; empty if it does not."""
    if shown.side != "thief" or shown.thief is None:
        return ""
    tile = tile_in_words(shown.tile, say)
    text = say("kakerlaken.tile", **tile, thief=say(f"thief.{shown.thief}"))
    return text if number is None else f"{number}: {text}"


def plate_side(shown: TileView, say: Say, number: int) -> str:
    """Name what is on a plate: all but the symbol and the colour that it lacks [K2]."""
    return say("kakerlaken.plate", n=number, **on_the_plate(shown, say))


def on_the_plate(shown: TileView, say: Say) -> dict[str, str]:
    """Name the two symbols and the two colours on a plate."""
    symbols = [say(f"symbol.{s}") for s in SYMBOLS if s != shown.tile[0]]
    colours = [say(f"colour.{c}") for c in COLOURS if c != shown.tile[1]]
    return {"symbols": " + ".join(symbols), "colours": " + ".join(colours)}


def tile_in_words(tile: Tile, say: Say) -> dict[str, str]:
    """Name the symbol and the colour of a tile."""
    return {"symbol": say(f"symbol.{tile[0]}"), "colour": say(f"colour.{tile[1]}")}
