"""Kakerlaken Sushi in plain text."""

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec.structs import replace

from tischlein.bots.bot import Turn
from tischlein.game import By, News, Seat, Viewer, Word
from tischlein.games.kakerlaken.news import news as told_once
from tischlein.games.kakerlaken.news import tile_in_words
from tischlein.games.kakerlaken.rules import (
    COLOURS,
    PASS,
    SYMBOLS,
    THIEF_OF,
    Deed,
    Give,
    Grab,
    Move,
    Name,
    Pass,
    Race,
    Slap,
    State,
    Tile,
    TileView,
    View,
)
from tischlein.terminal.talk import Talk
from tischlein.words import Say, worded


def aim(view: View, say: Say) -> str:
    """Tell in a few lines what the game is about."""
    middle = say("aim_young" if view.options.young else "aim_plates")
    told = say("aim", middle=middle)
    return f"{told}\n{say('aim_calm')}" if view.options.calm else told


def board(view: View, names: Sequence[str], say: Say) -> str:
    """Draw the plates round the master, what lies in front of whom, and the coins."""
    lines = []
    for number, shown in enumerate(view.circle, start=1):
        if shown.owner is None:
            lines.append("  " + (thief_side(shown, say, number) or plate_side(shown, say, number)))
    for seat, name in enumerate(names):
        tiles = [thief_side(shown, say) for shown in view.circle if shown.owner == seat]
        if tiles:
            lines.append(say("front", name=name, tiles=", ".join(tiles)))
    coins = ", ".join(f"{name} {n}" for name, n in zip(names, view.coins, strict=True))
    lines.append(say("coins_line", coins=coins))
    if view.roll is not None:
        lines.append(wanted(view, say))
    return "\n".join(lines)


def wanted(view: View, say: Say) -> str:
    """Say what the dice show and what to look for; where it lies is for the player to see."""
    dice = worded_tile(view.roll or view.circle[0].tile, say)
    line = say("want_young" if view.options.young else "want", **dice)
    won = any(shown.owner is not None for shown in view.circle)
    return f"{line}\n{say('want_master')}" if won else line


def ask(turn: Turn, names: Sequence[str], talk: Talk) -> Any | None:
    """Ask for a deed in a race, the name of a thief, or the tile to give back."""
    if isinstance(turn.legal[0], Give):
        return ask_give(turn, talk)
    if isinstance(turn.legal[0], Name):
        return ask_name(turn, talk)
    if turn.view.options.calm:
        return ask_calmly(turn, names, talk)
    view, limit = turn.view, turn.view.options.race_ms
    get_ready(view, names, talk)
    while answer := talk.ask(">").lower():
        at = talk.clock()
        if at > limit:
            talk.tell(talk.say("too_late", seconds=f"{limit / 1000:g}"))
            return None
        for move in turn.legal:
            if answer == handle(move, view):
                return replace(move, at=at)
        key = "no_tile" if answer.isdecimal() else "no_deed"
        talk.tell(talk.say(key, n=answer))
    return None


def ask_calmly(turn: Turn, names: Sequence[str], talk: Talk) -> Any:
    """Ask for a deed where no clock runs; no answer is to do nothing [K24]."""
    talk.tell("\n" + board(turn.view, names, talk.say))
    talk.tell(talk.say("choices"))
    while answer := talk.ask(">").lower():
        for move in turn.legal:
            if answer == handle(move, turn.view):
                return move
        key = "no_tile_calm" if answer.isdecimal() else "no_deed_calm"
        talk.tell(talk.say(key, n=answer))
    return PASS


def get_ready(view: View, names: Sequence[str], talk: Talk) -> None:
    """Show the table without the dice; when the player is ready, show the dice."""
    talk.tell("\n" + board(replace(view, roll=None), names, talk.say))
    talk.tell(talk.say("choices"))
    talk.ask(talk.say("ready", name=names[view.roller]))
    talk.tell(wanted(view, talk.say))
    talk.start_clock()


def handle(move: Slap | Grab | Pass, view: View) -> str:
    """Say what to type for a deed: the number of the tile, m, or mm with a squeak."""
    if isinstance(move, Slap):
        return str(number_of(move.tile, [shown.tile for shown in view.circle]))
    if isinstance(move, Pass):
        return ""
    return "mm" if move.squeak else "m"


def ask_name(turn: Turn, talk: Talk) -> Any | None:
    """Ask for the thief by number or name; no answer names none, unless no clock runs."""
    calm = turn.view.options.calm
    question = talk.say("which_thief_calm" if calm else "which_thief")
    while (answer := talk.ask(question).lower()) or calm:
        for number, move in enumerate(turn.legal, start=1):
            if answer in (str(number), talk.say(f"thief.{move.thief}").lower()):
                return move if calm else replace(move, at=talk.clock())
    return None


def ask_give(turn: Turn, talk: Talk) -> Any:
    """Say why a tile must be given back, and ask which."""
    say = talk.say
    talk.tell(f"\n{say('why_give')}")
    for number, move in enumerate(turn.legal, start=1):
        tile = worded_tile(move.tile, say)
        talk.tell(f"{number:3}  {say('deed.give', **tile)}")
    return turn.legal[talk.number(say("number_please"), 1, len(turn.legal)) - 1]


def news(before: State, by: By, move: Move, after: State, viewer: Viewer) -> list[News]:
    """Tell what a move has changed; before what a race brought comes its photo finish."""
    told = told_once(before, by, move, after, viewer)
    if before.roll is None or after.roll is not None or after.last is None:
        return told
    if before.options.calm:
        return [*told[:-1], what_was_right(after.last, before), told[-1]]
    return [*photo_finish(after.last, before), *told]


def end(view: View, names: Sequence[str], say: Say) -> str:
    """Count the fish coins [K21]."""
    coins = ", ".join(f"{name} {n}" for name, n in zip(names, view.coins, strict=True))
    return say("end", coins=coins)


def photo_finish(race: Race, before: State) -> list[News]:
    """Tell every deed of a race in the order of its time, and what was right."""
    found = [
        (at, seat, told)
        for seat, deed in enumerate(race.deeds)
        if deed is not None
        for at, told in deeds_in_words(seat, deed, before)
    ]
    in_order = sorted(found, key=lambda entry: entry[:2])
    lines = [News("photo_line", {"at": f"{at:8.0f}", "deed": told}) for at, _, told in in_order]
    return [*lines, what_was_right(race, before)]


def deeds_in_words(seat: int, deed: Deed, before: State) -> Iterator[tuple[float, Word]]:
    """Tell what one player did in a race, and when."""
    who = {"name": Seat(seat)}
    if deed.tile is not None:
        yield deed.at, Word("photo_slap", {**who, "n": number_of(deed.tile, before.circle)})
        return
    yield deed.at, Word("photo_squeak" if deed.squeak else "photo_grab", {**who})
    if deed.thief is not None and deed.named_at is not None:
        yield deed.named_at, Word("photo_name", {**who, "thief": Word(f"thief.{deed.thief}")})


def what_was_right(race: Race, before: State) -> News:
    """Say what the dice asked for."""
    tile = tile_in_words(race.roll)
    if race.owner is not None:
        lay = {"owner": Seat(race.owner), "thief": Word(f"thief.{THIEF_OF[race.roll]}")}
        return News("right_front", {**tile, **lay})
    key = "right_young" if before.options.young else "right_plate"
    return News(key, {**tile, "n": number_of(race.roll, before.circle)})


def number_of(tile: Tile, circle: Sequence[Tile]) -> int:
    """Give the number of a tile in the circle."""
    return circle.index(tile) + 1


def thief_side(shown: TileView, say: Say, number: int | None = None) -> str:
    """Name a tile that lies thief side up; empty if it does not."""
    if shown.side != "thief" or shown.thief is None:
        return ""
    tile = worded_tile(shown.tile, say)
    text = say("tile", **tile, thief=say(f"thief.{shown.thief}"))
    return text if number is None else f"{number}: {text}"


def plate_side(shown: TileView, say: Say, number: int) -> str:
    """Name what is on a plate: all but the symbol and the colour that it lacks [K2]."""
    return say("plate", n=number, **on_the_plate(shown, say))


def on_the_plate(shown: TileView, say: Say) -> dict[str, str]:
    """Name the two symbols and the two colours on a plate."""
    symbols = [say(f"symbol.{s}") for s in SYMBOLS if s != shown.tile[0]]
    colours = [say(f"colour.{c}") for c in COLOURS if c != shown.tile[1]]
    return {"symbols": " + ".join(symbols), "colours": " + ".join(colours)}


def worded_tile(tile: Tile, say: Say) -> dict[str, str]:
    """Name the symbol and the colour of a tile."""
    return {part: worded(word, (), say) for part, word in tile_in_words(tile).items()}
