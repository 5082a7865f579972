"""What every game tells: nothing that is hidden, in every language; and plainly without news."""

from typing import Any, cast

import msgspec
import pytest

from tests.own import on_the_shelf
from tests.tables import ALL_TABLES, random_game, stamped
from tischlein import game_named
from tischlein.chance import Quick
from tischlein.game import (
    NATURE,
    REFEREE,
    AnyGame,
    By,
    IllegalMove,
    Move,
    News,
    Seat,
    Viewer,
    Word,
    still_told,
)
from tischlein.words import LANGUAGES, in_language, worded
from tischlein.words.news import deed, news_of, plain_field, plain_news, readable, story

every_table = pytest.mark.parametrize(("name", "seats"), ALL_TABLES)
NAMES = ("Ada", "Bo", "Cleo", "Dan", "Eve", "Fay")


def look_alike(rules: AnyGame, state: Any, by: By, move: Any, who: Viewer, rng: Quick) -> Any:
    """Play a move in another state that looks the same to somebody: the move, and what follows."""
    if by == NATURE:
        others = [rules.draw(state, rng)]
    else:
        listed = rules.legal(state, int(by))
        others = [stamped(rules, state, int(by), other, rng) for other in listed]
    told = rules.seen(by, move, who)
    found = [other for other in [*others, move] if rules.seen(by, other, who) == told]
    chosen = found[rng.below(len(found))]
    try:
        return chosen, rules.play(state, by, chosen)
    except IllegalMove:
        return None


@every_table
def test_who_sees_the_same_is_told_the_same(name: str, seats: int) -> None:
    """Change only what a viewer cannot see before, in and after a move: the same is told."""
    rules, tell, rng, compared = game_named(name), news_of(game_named(name)), Quick(seats), 0
    viewers: tuple[Viewer, ...] = (None, 0, seats - 1)
    for before, by, move, after in random_game(name, seats, seats):
        for who in viewers:
            there = rules.imagine(rules.view(before, who), rng)
            found = look_alike(rules, there, by, move, who, rng)
            if found is not None and rules.view(found[1], who) == rules.view(after, who):
                other, then = found
                compared += (there, other) != (before, move)
                assert tell(before, by, move, after, who) == tell(there, by, other, then, who)
    assert compared > 20


@every_table
def test_news_are_worded_in_every_language(name: str, seats: int) -> None:
    played = list(random_game(name, seats, 7))
    tell, words = news_of(game_named(name)), {lang: in_language(lang, name) for lang in LANGUAGES}
    for step in played:
        for who in (REFEREE, None, 1):
            for news in tell(*step, who):
                texts = [worded(news, NAMES, words[language]) for language in LANGUAGES]
                assert all(text.strip() and "{" not in text for text in texts), news
                assert msgspec.json.decode(msgspec.json.encode(news), type=dict)["key"] == news.key


@every_table
def test_a_story_is_the_same_whether_told_at_once_or_bit_by_bit(name: str, seats: int) -> None:
    rules = game_named(name)
    played = list(random_game(name, seats, 3))
    states = [played[0][0], *(after for *_, after in played)]
    moves = [(by, move) for _, by, move, _ in played]
    for who in (None, 0, REFEREE):
        told: list[News] = []
        for number, step in enumerate(played[:-1], start=1):
            told = still_told([*told, *news_of(rules)(*step, who)])
            if number % 40 == 0:
                told_now = story(rules, states[: number + 1], moves[:number], who)
                assert [(n.key, n.fields) for n in told] == [(n.key, n.fields) for n in told_now]
    whole = story(rules, states, moves, 0)
    assert not [news for news in whole if news.place or news.faded]


@every_table
def test_every_move_is_worded_as_advice(name: str, seats: int) -> None:
    for before, by, _, _ in random_game(name, seats, 5):
        if by != NATURE:
            for move in game_named(name).legal(before, int(by))[:3]:
                for language in LANGUAGES:
                    say = in_language(language, name)
                    assert "{" not in deed(name, move, NAMES, say)
    assert deed(name, None, NAMES, in_language("en", name)) == "do nothing"


class Bank(Move, frozen=True):
    """A move of a game from elsewhere."""

    coins: int = 3
    open: bool = True


class Take(Move, frozen=True):
    """It shares its name with a move of a game of the house."""

    player: int
    cards: tuple[int, ...] = (1, -2)


def outsider(monkeypatch: pytest.MonkeyPatch, **more: Any) -> AnyGame:
    """Put a game from outside on the shelf; it has no news, and words for one deed."""
    words = {"en": {"title": "Coins", "deed.bank": "bank {coins}"}, "de": {"title": "Münzen"}}
    parts = {
        "WORDS": words,
        "seen": lambda by, move, viewer: {"by": by, **msgspec.to_builtins(move)},
        "scores": lambda state: (0, 0),
    }
    return cast(AnyGame, on_the_shelf(monkeypatch, "coins", **parts, **more))


def test_a_game_without_news_is_told_plainly(monkeypatch: pytest.MonkeyPatch) -> None:
    rules, say = outsider(monkeypatch), in_language("de", "coins")
    tell = news_of(rules)
    assert tell(None, 1, Bank(), None, 0) == [
        News("did", {"name": Seat(1), "deed": Word("deed.bank", {"coins": 3, "open": "✓"})})
    ]
    steps: tuple[tuple[By, Any], ...] = ((1, Take(0)), (NATURE, Take(7)))
    told = [worded(tell(None, by, move, None, 0)[0], NAMES, say) for by, move in steps]
    assert told == [
        "Bo: take (player Ada, cards 1 −2)",
        "🎲 player 7, cards 1 −2",
    ]
    assert deed("coins", Bank(), NAMES, say) == "bank 3"


def test_a_secret_move_is_not_told_plainly(monkeypatch: pytest.MonkeyPatch) -> None:
    rules: Any = outsider(monkeypatch)
    for hidden in (None, {"by": 1, "do": None}):
        rules.seen = lambda by, move, viewer, hidden=hidden: hidden
        assert plain_news(rules, None, 1, Bank(), None, 0) == []


def test_words_of_a_game_from_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    outsider(monkeypatch)
    german, french = in_language("de", "coins"), in_language("fr", "coins")
    assert (german("title"), french("title")) == ("Münzen", "Coins")
    assert german("deed.bank", coins=2) == "bank 2"
    assert german("because.more_luck") == "more luck"
    assert german("yourTurn") == in_language("de")("yourTurn")


def test_a_game_of_one_file_may_tell_its_moves_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = outsider(monkeypatch, news=lambda *step: [News("mine")])
    assert news_of(rules)(None, 0, Bank(), None, None) == [News("mine")]


def test_what_a_move_holds_is_written_for_people() -> None:
    held: Any = {"a": None, "b": [True, False], "c": [], "d": {}, "e": -3, "f": "red"}
    assert readable(held) == "a ?, b ✓ –, c –, d –, e −3, f red"
    assert readable([None] * 7) == "? ? ? ? ? ? ?"
    assert readable([None] * 40) == "? ×40"
    assert readable([None] * 7 + [3]) == "? ? ? ? ? ? ? 3"


def test_texts_in_moves_play_no_tricks() -> None:
    """A text in a move of somebody's own game would have painted over the story of it."""
    evil = "\x1b[2J\nthe dice were fair\u202e"
    told = r"\x1b[2J\nthe dice were fair\u202e"
    assert plain_field("cry", evil, 2) == told
    assert readable([{evil: evil}]) == f"{told} {told}"
