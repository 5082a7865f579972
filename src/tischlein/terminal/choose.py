"""What to play: asked of whoever has not said it."""

from typing import Any, Final

from tischlein.bots import levels
from tischlein.game import AnyGame
from tischlein.games import game_named, game_names
from tischlein.terminal.pace import Pace, with_times
from tischlein.terminal.talk import Talk

NICKNAME: Final = "Pip"

Choice = tuple[str, str, int, dict[str, Any]]
"""The game, the person's name, how many play, and the house rules."""


def choose(
    talk: Talk, name: str | None, seats: int | None, options: dict[str, Any], pace: Pace
) -> Choice:
    """Ask for the game, and for what has not been given yet."""
    game = choose_game(talk)
    rules = game_named(game)
    talk = talk.about(game, with_times(rules, options, pace))
    tell_levels(rules, talk)
    if name is None:
        name = talk.ask(talk.say("your_name", name=NICKNAME))
    if seats is None:
        first, last = rules.SEATS[0], rules.SEATS[-1]
        usual = max(3, first)
        question = talk.say("how_many_play", first=first, last=last, usual=usual)
        seats = talk.number(question, first, last, usual)
    if hasattr(rules.Options, "young") and "young" not in options:
        options = options | {"young": yes(talk, "ask.young")}
    return game, name, seats, options


def choose_game(talk: Talk) -> str:
    """Ask which game."""
    talk.tell(talk.say("choose_game"))
    for number, game in enumerate(game_names(), start=1):
        talk.tell(f"{number:3}  {title(game, talk)}")
    return game_names()[talk.number(talk.say("number_please"), 1, len(game_names())) - 1]


def tell_levels(rules: AnyGame, talk: Talk) -> None:
    """List the bots of a game and what they are like."""
    talk.tell(talk.say("levels"))
    for level in levels(rules):
        talk.tell(f"  {level}: {worded(f'level_about.{level}', level, talk)}")


def title(game: str, talk: Talk) -> str:
    """Name a game; one that came from elsewhere has only its short name."""
    return worded(f"{game}.about", game, talk)


def worded(key: str, otherwise: str, talk: Talk) -> str:
    """Say something, or something else where there are no words for it."""
    try:
        return talk.say(key)
    except KeyError:
        return otherwise


def yes(talk: Talk, key: str) -> bool:
    """Ask a question that is answered by yes or no."""
    return talk.ask(talk.say(key)).lower().startswith(talk.say("yes"))
