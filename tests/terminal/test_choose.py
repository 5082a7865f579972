"""What is asked of whoever has not said what to play."""

from typing import Any

from tischlein.games import game_names
from tischlein.terminal.choose import choose, title
from tischlein.terminal.pace import PACES
from tischlein.terminal.talk import Talk


def chosen(game: str, answers: list[str], options: dict[str, Any]) -> tuple[Any, str]:
    """Answer the questions; give the choice, and all that was said."""
    said: list[str] = []
    given = iter([str(game_names().index(game) + 1), *answers])

    def read(question: str) -> str:
        said.append(question)
        return next(given)

    choice = choose(Talk("de", "", said.append, read), None, None, options, PACES["slow"])
    assert next(given, None) is None, "every answer was asked for"
    return choice, "\n".join(said)


def test_a_game_asks_for_the_house_rules_that_it_has_a_question_for() -> None:
    choice, said = chosen("kakerlaken", ["Mia", "", "j", ""], {})
    assert choice == ("kakerlaken", "Mia", 3, {"young": True, "calm": False})
    assert "Spielen Jüngere mit?" in said
    assert "Ohne Uhr?" in said
    assert "easy: Gut fürs erste Spiel." in said
    choice, said = chosen("kakerlaken", ["Mia", "2", "j"], {"young": False})
    assert choice == ("kakerlaken", "Mia", 2, {"young": False, "calm": True})
    assert "Jüngere" not in said.split("Diebe bleiben")[0]
    choice, _ = chosen("sushizock", ["Mia", "4"], {})
    assert choice == ("sushizock", "Mia", 4, {})


def test_a_game_is_named_as_well_as_its_words_can() -> None:
    assert title("buffet", "it").startswith("Schlacht am Buffet")
