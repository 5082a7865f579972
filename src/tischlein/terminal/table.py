"""The table in the terminal: a whole game against bots, and the end of a replay."""

import sys
from pathlib import Path
from typing import Any

from tischlein import record as records
from tischlein.bots import Bot, bot_named, levels
from tischlein.chance import commitment, new_seed
from tischlein.lab.simulate import Asker, play_game
from tischlein.record import Replay
from tischlein.rules import NATURE, REFEREE, AnyGame, BadStart, Viewer, game_named, names
from tischlein.terminal import board_of, printable
from tischlein.terminal.person import Person
from tischlein.words import LANGUAGES, Say, in_language, language_of_user

BOT_NAMES = ("Ada", "Bruno", "Carla", "Dino", "Elsa")
NICKNAME = "Pip"
YOU = 0


def choose_and_play() -> None:
    """Ask which game, then play it."""
    say = speak(None)
    try:
        print(say("choose_game"))
        for number, name in enumerate(names(), start=1):
            print(f"{number:3}  {say(f'game.{name}')}")
        while True:
            answer = input(say("number_please")).strip()
            if answer.isdecimal() and 1 <= int(answer) <= len(names()):
                break
            print(say("not_a_number", first=1, last=len(names())))
        name = input(say("your_name", name=NICKNAME)).strip()
    except (KeyboardInterrupt, EOFError):
        print(f"\n{say('bye')}")
        return
    play(names()[int(answer) - 1], None, "easy", name, {}, None, None, None)


def play(
    game: str,
    seats: int | None,
    bots: str,
    name: str | None,
    options: dict[str, Any],
    seed: str | None,
    record: Path | None,
    lang: str | None,
) -> None:
    """Play a whole game; Ctrl-C leaves, and a record is kept all the same."""
    rules, say = game_named(game), speak(lang)
    seats = seats if seats is not None else max(3, rules.SEATS[0])
    rules.start(seats, options)
    others = seat_bots(rules, bots, seats - 1)
    everybody = [name or NICKNAME, *BOT_NAMES[: seats - 1]]
    seed = seed or new_seed()
    print(say("seed_promise", commitment=commitment(seed)))
    teller = Teller(rules, everybody, say)
    person = Person(rules, everybody, say, print, input)
    try:
        played = play_game(rules, seat_all(person, others), everybody, options, seed, teller)
        print_end(played, say)
    except (KeyboardInterrupt, EOFError):
        print(f"\n{say('bye')}")
    finally:
        if record is not None and teller.game is not None:
            record.write_text(records.write(teller.game), encoding="utf-8")
            print(say("kept", file=record))


def seat_bots(rules: AnyGame, bots: str, seats: int) -> list[Bot]:
    """Find a bot for every other seat."""
    wanted = bots.split(",")
    if len(wanted) not in (1, seats):
        sentence = "name one bot for all seats or one for each of the {seats} others"
        raise BadStart("bots", sentence, seats=seats)
    if wanted == ["easy"] and "easy" not in levels(rules):
        wanted = ["random"]
    return [bot_named(rules, wanted[seat % len(wanted)].strip()) for seat in range(seats)]


def seat_all(person: Person, others: list[Bot]) -> Asker:
    """Let the person answer for the first seat and the bots for the others."""
    return lambda turn, rng: (
        person(turn, rng) if turn.seat == YOU else others[turn.seat - 1](turn, rng)
    )


class Teller:
    """Tells each move as the person may see it."""

    def __init__(self, rules: AnyGame, everybody: list[str], say: Say) -> None:
        self._board = board_of(rules)
        self._names = [printable(name) for name in everybody]
        self._say = say
        self.game: Replay | None = None

    def __call__(self, game: Replay) -> None:
        """Tell the last move."""
        self.game = game
        rules, (by, move) = game.rules, game.moves[-1]
        seen = rules.seen(by, move, YOU)
        before, after = (rules.view(state, YOU) for state in game.states[-2:])
        # The dice of a race are shown by the person's own prompt, at the moment the clock starts.
        race_roll = by == NATURE and NATURE in rules.to_move(game.state)[1:]
        if race_roll:
            return
        seen = seen if seen is not None else {"by": by, "do": None}
        text = self._board.news(seen, before, after, self._names, self._say)
        if text:
            print(text)


def show(game: Replay, seat: int | None, lang: str | None) -> None:
    """Print where a record has led."""
    say = speak(lang)
    viewer: Viewer = REFEREE if seat is None else seat
    everybody = [printable(name) for name in game.header.seats]
    view, board = game.rules.view(game.state, viewer), board_of(game.rules)
    if not game.over or not board.end(view, everybody, say):
        print(board.board(view, everybody, say))
    if game.over:
        print_end(game, say)
    else:
        waiting = game.rules.waits_for(game.state, viewer)
        who = [say("nature") if by == NATURE else everybody[int(by)] for by in waiting]
        print(say("waits_for", names=", ".join(who)))


def print_end(game: Replay, say: Say) -> None:
    """Print the result, and where it comes from."""
    rules, everybody = game.rules, [printable(name) for name in game.header.seats]
    print(f"\n{say('over')}")
    explained = board_of(rules).end(rules.view(game.state, REFEREE), everybody, say)
    if explained:
        print(explained)
    else:
        for name, points in zip(everybody, rules.scores(game.state), strict=True):
            print("  " + say("score", name=name, points=points))
    won = [everybody[seat] for seat in game.rules.winners(game.state)]
    print(say("winner" if len(won) == 1 else "winners", names=", ".join(won)))


def speak(lang: str | None) -> Say:
    """Speak the language asked for, or the user's."""
    if lang is not None and lang not in LANGUAGES:
        sentence = "there is no language `{lang}`; there are {known}"
        raise BadStart("no_language", sentence, lang=lang, known=", ".join(LANGUAGES))
    sys.stdout.reconfigure(errors="replace")  # type: ignore[union-attr]  # a text stream
    return in_language(lang or language_of_user())
