"""What to play: asked of whoever has not said it."""

from typing import Any, Final

from msgspec.structs import fields

from tischlein.bots import levels
from tischlein.game import AnyGame
from tischlein.games import game_named, game_names
from tischlein.terminal.pace import Pace, with_times
from tischlein.terminal.talk import Talk
from tischlein.words import house_words, words_of

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
    return game, name, seats, options | house_rules(rules, options, talk)


def house_rules(rules: AnyGame, given: dict[str, Any], talk: Talk) -> dict[str, Any]:
    """Ask for the house rules that are on or off, as far as the game has a question for them."""
    words = words_of(rules.NAME, talk.language)
    switches = [option.name for option in fields(rules.Options) if option.type is bool]
    asked = [name for name in switches if f"ask.{name}" in words and name not in given]
    return {name: yes(talk, f"ask.{name}") for name in asked}


def choose_game(talk: Talk) -> str:
    """Ask which game."""
    talk.tell(talk.say("choose_game"))
    for number, game in enumerate(game_names(), start=1):
        talk.tell(f"{number:3}  {title(game, talk.language)}")
    return game_names()[talk.number(talk.say("number_please"), 1, len(game_names())) - 1]


def tell_levels(rules: AnyGame, talk: Talk) -> None:
    """List the bots of a game and what they are like."""
    talk.tell(talk.say("levels"))
    words = house_words(talk.language)
    for level in levels(rules):
        talk.tell(f"  {level}: {words.get(f'level_about.{level}', level)}")


def title(game: str, language: str) -> str:
    """Name a game and say what it is; of one without words only its short name."""
    words = words_of(game, language)
    return words.get("about") or words.get("title") or game


def yes(talk: Talk, key: str) -> bool:
    """Ask a question that is answered by yes or no."""
    return talk.ask(talk.say(key)).lower().startswith(talk.say("yes"))
