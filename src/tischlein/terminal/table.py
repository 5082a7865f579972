"""The table in the terminal: whole games of a person against bots."""

import sys
from pathlib import Path
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from tischlein import record as records
from tischlein.bots import Answer, Bot, Chance, Turn, bot_named, levels
from tischlein.chance import commitment, new_seed, seed_from
from tischlein.game import AnyGame, BadStart, OpenRace
from tischlein.games import game_named
from tischlein.lab.simulate import Asker, play_game
from tischlein.names import printable
from tischlein.record import Replay
from tischlein.terminal import board_of, teller_of
from tischlein.terminal.choose import NICKNAME, choose, yes
from tischlein.terminal.pace import pace_named, slowed, with_times
from tischlein.terminal.story import tell_end
from tischlein.terminal.talk import Talk
from tischlein.words import LANGUAGES, language_of_user, worded

BOT_NAMES: Final = ("Ada", "Bruno", "Carla", "Dino", "Elsa", "Fritz")
LONGEST_NAME: Final = 16
PROMISED_DIGITS: Final = 8
YOU: Final = 0


class Wish(Struct, frozen=True):
    """What somebody wants to play, and how; what is None is asked for or has its usual value."""

    game: str | None = None
    seats: int | None = None
    bots: str = "easy"
    name: str | None = None
    options: dict[str, Any] = {}
    seed: str | None = None
    record: Path | None = None
    lang: str | None = None
    pace: str = "slow"


def play(wish: Wish) -> None:
    """Play a game, and more while the player likes; Ctrl-C leaves."""
    talk = Talk(language_for(wish.lang))
    try:
        if wish.game is None:
            pace = pace_named(wish.pace)
            game, name, seats, options = choose(talk, wish.name, wish.seats, wish.options, pace)
            wish = replace(wish, game=game, name=name, seats=seats, options=options)
        while play_once(wish) and wants_more(wish, talk):
            wish = replace(wish, seed=None)
    except (KeyboardInterrupt, EOFError):
        talk.tell(f"\n{talk.say('bye')}")


def wants_more(wish: Wish, talk: Talk) -> bool:
    """Ask for another game, where somebody can answer and no record waits to be kept."""
    return sys.stdin.isatty() and wish.record is None and yes(talk, "another_game")


def play_once(wish: Wish) -> bool:
    """Play one game; say whether it came to its end."""
    rules, pace = game_named(wish.game or ""), pace_named(wish.pace)
    options = with_times(rules, wish.options, pace)
    talk = Talk(language_for(wish.lang), rules.NAME, options=options)
    seats = wish.seats if wish.seats is not None else max(3, rules.SEATS[0])
    start = rules.start(seats, options)
    everybody = name_all(wish.name, seats)
    seed = seed_from(wish.seed) if wish.seed else new_seed()
    teller = Teller(rules, everybody, talk)
    bots = seat_bots(rules, wish.bots, seats - 1)
    others = [slowed(bot, pace, teller.race) for bot in bots]
    check_file(wish.record)
    welcome(rules, start, talk, seed)
    try:
        ask = seat_all(rules, everybody, talk, others)
        tell_end(play_game(rules, ask, everybody, options, seed, teller), talk)
        talk.tell(talk.say("seed_told", seed=seed, commitment=commitment(seed)))
    except (KeyboardInterrupt, EOFError):
        talk.tell(f"\n{talk.say('bye')}")
        return False
    finally:
        keep_record(wish.record, teller.game, talk)
    return True


def welcome(rules: AnyGame, start: Any, talk: Talk, seed: str) -> None:
    """Say what the game is about, how to get help, and promise fair dice."""
    aim = board_of(rules).aim(rules.view(start, YOU), talk.say)
    if aim:
        talk.tell(f"\n{aim}")
    talk.tell(talk.say("help_hint"))
    promised = commitment(seed)[:PROMISED_DIGITS]
    talk.tell(talk.say("seed_promise", commitment=promised) + "\n")


def check_file(file: Path | None) -> None:
    """Refuse a file that is there already or cannot be written, before anything is dealt."""
    if file is None:
        return
    try:
        file.open("x").close()
    except FileExistsError:
        sentence = "{file} is there already; choose another name for the record"
        raise BadStart("record_exists", sentence, file=str(file)) from None
    file.unlink()


def keep_record(file: Path | None, game: Replay | None, talk: Talk) -> None:
    """Write the record; the seed of an unfinished game stays secret."""
    if file is None or game is None:
        return
    file.write_text(records.write(game), encoding="utf-8")
    talk.tell(talk.say("kept", file=file))
    if game.result is None:
        talk.tell(talk.say("kept_unfinished"))


def name_all(name: str | None, seats: int) -> list[str]:
    """Name the person and the bots; no bot has the person's name."""
    mine = printable(" ".join((name or "").split()))[:LONGEST_NAME].strip() or NICKNAME
    others = [bot for bot in BOT_NAMES if bot.casefold() != mine.casefold()]
    return [mine, *others[: seats - 1]]


def seat_bots(rules: AnyGame, bots: str, seats: int) -> list[Bot]:
    """Find a bot for every other seat."""
    wanted = bots.split(",")
    if len(wanted) not in (1, seats):
        sentence = "name one bot for all, or one for each other seat: {seats}"
        raise BadStart("bots", sentence, seats=seats)
    if wanted == ["easy"] and "easy" not in levels(rules):
        wanted = ["random"]
    return [bot_named(rules, wanted[seat % len(wanted)].strip()) for seat in range(seats)]


def seat_all(rules: AnyGame, everybody: list[str], talk: Talk, others: list[Bot]) -> Asker:
    """Let the person answer for the first seat and the bots for the others."""
    board = board_of(rules)

    def answer(turn: Turn, rng: Chance) -> Answer:
        if turn.seat == YOU:
            return Answer(board.ask(turn, everybody, talk))
        return others[turn.seat - 1](turn, rng)

    return answer


class Teller:
    """Tells each move as the person may know it."""

    def __init__(self, rules: AnyGame, everybody: list[str], talk: Talk) -> None:
        self._rules, self._names, self._talk = rules, everybody, talk
        self._tell = teller_of(rules)
        self.game: Replay | None = None

    def __call__(self, game: Replay) -> None:
        """Tell the last move."""
        self.game = game
        before, after = game.states[-2:]
        for news in self._tell(before, *game.moves[-1], after, YOU):
            self._talk.tell(worded(news, self._names, self._talk.say))

    def race(self) -> OpenRace | None:
        """Give the race that is open, in a game that has races."""
        race = getattr(self._rules, "race", None)
        return race(self.game.state) if race and self.game else None


def language_for(lang: str | None) -> str:
    """Choose the language asked for, or the user's."""
    if lang is not None and lang not in LANGUAGES:
        sentence = "there is no language `{lang}`; there are {known}"
        raise BadStart("no_language", sentence, lang=lang, known=", ".join(LANGUAGES))
    sys.stdout.reconfigure(errors="replace")  # type: ignore[union-attr]  # a text stream
    return lang or language_of_user()
