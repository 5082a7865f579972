"""The folders are the architecture: arrows point one way, a game lies in its folder, all is small.

Each check is shown first that it can fail, on a small tree with something wrong in it.
"""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

from tests import architecture
from tests.architecture import LANGUAGES, LAYERS, MOST_LINES, MOST_METHODS
from tischlein.game import Game
from tischlein.games import game_names, has_part, part_of

ROOT = Path(__file__).parents[1]

WHOLE = {
    "batch/test_same_game.py": "arrays against rules, game by game",
    "bots/test_every_bot.py": "what every bot keeps to",
    "browser": "the client in a real browser",
    "examples": "the programs of examples/",
    "games/kakerlaken/test_calm.py": "the house rule without a clock, in all parts of the game",
    "games/sushizock/test_memory.py": "covered tiles are told to nobody, in whatever way",
    "games/test_every_game.py": "what every game keeps to",
    "server": "a whole server, asked as its clients ask",
    "page/test_parts.py": "what a site is packed of",
    "test_architecture.py": "the folders",
    "test_bench.py": "the kept results of bench/",
    "test_cases.py": "kept records with what they must lead to",
    "test_counts.py": "how many positions there are after some moves",
    "test_deploy.py": "the files of deploy/",
    "test_golden.py": "kept games, as prose",
    "test_operate.py": "docs/operate.md, done",
    "test_safety.py": "docs/safety.md, held to its tests",
    "test_own_game.py": "a game from outside, all through the house",
    "test_referee.py": "a second, independent reading of the rules",
    "test_rules_are_cited.py": "every rule of the rulebooks has its place in code and tests",
    "test_scale.py": "docs/scale.md, done small",
    "test_strategy.py": "docs/strategy and its figures",
    "test_virtual.py": "the tests' own virtual time",
    "test_web_types.py": "what the client is told of the wire",
}
"""Tests of more than a module, and of what."""

SPARED: dict[str, str] = {}
"""What is larger than others and would be worse in pieces, and why."""


def expected() -> dict[str, list[str]]:
    """List the parts of a game and what each must have, as who uses it says."""
    from tischlein.batch import Decoder
    from tischlein.batch.engine import Core
    from tischlein.terminal import Board

    return {
        "rules": names_of(Game),
        "news": ["news"],
        "figures": ["figures"],
        "primer": ["PRIMER"],
        "bots": ["LEVELS", "appraise"],
        "terminal": names_of(Board),
        "env": ["PROCESS"],
        "drawing": ["drawn"],
        "batch": names_of(Core),
        "decode": names_of(Decoder),
    }


def names_of(protocol: Any) -> list[str]:
    """List what a protocol asks for."""
    names = [*protocol.__annotations__, *vars(protocol)]
    return [name for name in dict.fromkeys(names) if not name.startswith("_")]


@pytest.fixture
def plant(tmp_path: Path) -> Callable[[dict[str, str]], Path]:
    """Make a small tree of files."""

    def planted(files: dict[str, str]) -> Path:
        for place, text in files.items():
            path = tmp_path / place
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return tmp_path

    return planted


Plant = Callable[[dict[str, str]], Path]


def source(files: dict[str, str]) -> dict[str, str]:
    """Put modules into the package."""
    return {f"src/tischlein/{module}.py": text for module, text in files.items()}


GAMES = source({f"games/{name}/__init__": "" for name in ("chess", "go")})


def test_arrows_point_one_way() -> None:
    assert architecture.wrong_arrows(ROOT) == []


def test_the_page_draws_the_rooms_in_the_order_of_the_arrows() -> None:
    picture = (ROOT / "docs/architecture.md").read_text(encoding="utf-8").split("```")[1]
    shown = {
        **dict.fromkeys(("game", "cli"), "{}.py"),
        "rules": "games/NAME/{}.py",
        "record": "{}.py · chance.py",
    }
    layers = [name for name, _ in LAYERS if name != "labs"]
    places = [picture.index(shown.get(name, "{}/").format(name)) for name in layers]
    assert places == sorted(places)
    beside = picture.partition("beside it:")[2]
    assert all(room in beside for room in ("terminal/", "lab/", "batch/", "envs/"))


@pytest.mark.parametrize(
    ("where", "line", "told"),
    [
        ("game", "import tischlein.record", "game:1 (game) imports record (record)"),
        ("record", "def f():\n from tischlein.bots import bot", "record:2 (record) imports bots"),
        (
            "games/chess/rules",
            "if TYPE_CHECKING:\n    from tischlein import record",
            "games/chess/rules:2 (rules) imports record (record)",
        ),
        ("games/chess/rules", "from ... import record", "games/chess/rules:1 (rules) imports"),
        ("table/desk", "from tischlein import store", "table/desk:1 (table) imports store"),
        ("server/app", "from tischlein.lab import plot", "server/app:1 (server) imports lab/plot"),
        ("lab/plot", "from tischlein.table import desk", "lab/plot:1 (labs) imports table/desk"),
        ("games/go/env", "import tischlein.store", "games/go/env:1 (labs) imports store"),
        ("games/go/rules", "from tischlein.games.chess.rules import x", "another game's"),
        ("attic", "", "attic: belongs to no layer"),
    ],
)
def test_a_wrong_arrow_is_found(plant: Plant, where: str, line: str, told: str) -> None:
    others = ("record", "bots/bot", "store/__init__", "table/desk", "lab/plot", "games/chess/rules")
    tree = plant(source(dict.fromkeys(others, "")) | GAMES | source({where: line}))
    (found,) = architecture.wrong_arrows(tree)
    assert told in found


def test_right_arrows_are_not_found(plant: Plant) -> None:
    files = source(
        {
            "game": "import msgspec",
            "games/chess/rules": "from tischlein import game",
            "games/chess/news": "from tischlein.games.chess.rules import x",
            "games/chess/env": "from .rules import x\nfrom tischlein.envs import process",
            "envs/process": "from tischlein.terminal import board",
            "terminal/board": "from tischlein.bots.bot import Turn",
            "bots/bot": "from tischlein.record import replay\nfrom tischlein import game_named",
            "record": "import tischlein.game",
            "store/sql": "from tischlein.table.desk import x",
            "table/desk": "from tischlein.bots import bot",
            "cli": "from tischlein.envs import process\nfrom tischlein.store import sql",
        }
    )
    assert architecture.wrong_arrows(plant(files | GAMES)) == []


def test_every_layer_is_there() -> None:
    """A layer that no module belongs to guards nothing."""
    there = {architecture.layer_of(module) for module in architecture.modules(ROOT)}
    assert there == {layer for layer, _ in LAYERS}


def test_no_game_is_named_outside_of_its_folders() -> None:
    assert architecture.named_games(ROOT) == []


def test_a_named_game_is_found(plant: Plant) -> None:
    files = source({"lab/plot": "# fine\n# as in CHESS", "games/chess/rules": "chess"})
    web = {"web/src/App.svelte": "goBoard", "web/src/games/go/Board.svelte": "go",
           "web/src/pictures/go.svg": "go"}  # fmt: skip
    tree = plant(files | GAMES | web)
    told = ["src/tischlein/lab/plot.py:2 CHESS", "web/src/App.svelte:1 go"]
    assert architecture.named_games(tree) == told


def test_every_game_is_complete() -> None:
    assert architecture.incomplete_games(ROOT, expected()) == []


@pytest.mark.parametrize("part", expected())
@pytest.mark.parametrize("name", game_names())
def test_every_part_can_be_read(name: str, part: str) -> None:
    if has_part(name, part):
        assert [
            thing for thing in expected()[part] if not hasattr(part_of(name, part), thing)
        ] == []


def whole_game(name: str) -> dict[str, str]:
    """Make the files of a game that lacks nothing."""
    folder = f"src/tischlein/games/{name}"
    texts = [f"words/{language}.json" for language in LANGUAGES]
    texts += [f"rulebook/{language}.md" for language in LANGUAGES]
    rules = f'NAME: Final = "{name}"\ndef start(): ...\n'
    return dict.fromkeys([f"{folder}/{text}" for text in texts], "") | {
        f"{folder}/__init__.py": "",
        f"{folder}/rules.py": rules,
        f"{folder}/bots/__init__.py": "from elsewhere import LEVELS",
    }


PARTS = {"rules": ["NAME", "start"], "bots": ["LEVELS"], "env": ["PROCESS"]}


def test_a_whole_game_lacks_nothing(plant: Plant) -> None:
    assert architecture.incomplete_games(plant(whole_game("go")), PARTS) == []


@pytest.mark.parametrize(
    ("missing", "told"),
    [
        ("rules.py", "go: has no rules"),
        ("words/fr.json", "go: has no words/fr.json"),
        ("rulebook/it.md", "go: has no rulebook/it.md"),
    ],
)
def test_a_file_that_a_game_lacks_is_found(plant: Plant, missing: str, told: str) -> None:
    tree = plant(whole_game("go"))
    (tree / "src/tischlein/games/go" / missing).unlink()
    assert architecture.incomplete_games(tree, PARTS) == [told]


@pytest.mark.parametrize(
    ("file", "text", "told"),
    [
        ("rules.py", 'NAME = "chess"\nstart = 1', "go: its rules have another NAME"),
        ("rules.py", 'NAME = "go"', "go: its rules lacks start"),
        ("bots/__init__.py", "levels = {}", "go: its bots lacks LEVELS"),
        ("env.py", "", "go: its env lacks PROCESS"),
    ],
)
def test_a_part_that_lacks_something_is_found(
    plant: Plant, file: str, text: str, told: str
) -> None:
    tree = plant(whole_game("go") | {f"src/tischlein/games/go/{file}": text})
    assert architecture.incomplete_games(tree, PARTS) == [told]


def test_tests_mirror_the_tree() -> None:
    assert architecture.stray_tests(ROOT, WHOLE) == []


def test_a_stray_test_is_found(plant: Plant) -> None:
    mirrors = ("test_game", "lab/test_plot", "bots/test_bots")
    tests = (*mirrors, "lab/test_attic", "all/test_it", "test_b")
    files = {f"tests/{name}.py": "" for name in tests}
    tree = plant(files | source({"game": "", "lab/plot": "", "bots/__init__": ""}))
    whole = {"all": "all of it", "test_b.py": "b", "test_gone.py": "nothing any more"}
    told = ["lab/test_attic.py", "test_gone.py: is listed and not there"]
    assert architecture.stray_tests(tree, whole) == told


def test_no_test_imports_from_another_test() -> None:
    assert architecture.tests_from_tests(ROOT) == []


def test_a_test_that_imports_from_another_is_found(plant: Plant) -> None:
    files = {
        "tests/lab/test_a.py": "from tests.tables import x\nfrom tests.lab.test_b import y",
        "tests/helper.py": "def f():\n    import tests.test_c",
    }
    told = ["tests/helper.py:2", "tests/lab/test_a.py:2"]
    assert architecture.tests_from_tests(plant(files)) == told


def test_functions_and_classes_are_small() -> None:
    assert architecture.too_large(ROOT, SPARED) == []


def lines(count: int) -> Iterable[str]:
    """Write a function of so many lines."""
    return ["async def f():", *["    pass"] * (count - 1)]


def methods(count: int) -> Iterable[str]:
    """Write a class of so many methods."""
    return ["class C:", *[f"    def f{n}(self): ..." for n in range(count)]]


def test_what_is_too_large_is_found(plant: Plant) -> None:
    files = source(
        {
            "a": "\n".join(lines(MOST_LINES)),
            "b": "\n".join(lines(MOST_LINES + 1)),
            "c": "\n".join(methods(MOST_METHODS)),
            "d": "\n".join(methods(MOST_METHODS + 1)),
        }
    )
    spared = {"d:C": "it is a list", "a:f": "it was large once"}
    told = ["b:f has 41 lines", "a:f is spared and not too large"]
    assert architecture.too_large(plant(files), spared) == told
