"""The static site is whole, says what it may load, and replaces nobody else's files."""

import json
import re
import shutil
from collections.abc import Iterator
from errno import ENOSPC
from pathlib import Path
from shlex import split

import pytest
from typer.testing import CliRunner

from tests.own import EXAMPLE, nothing_stays
from tischlein.cli import app
from tischlein.page.site import POLICY, NoSite, write_site
from tischlein.words import LANGUAGES, words_of


@pytest.fixture(autouse=True)
def forgotten() -> Iterator[None]:
    """Take the games of these sites off the shelf again."""
    with nothing_stays():
        yield


def listed(site: Path) -> dict[str, dict[str, int]]:
    """Read what the page's worker keeps."""
    found = re.search(r'{"version":.*?"files":.*?}}', (site / "sw.js").read_text("utf-8"))
    assert found is not None
    kept: dict[str, dict[str, int]] = json.loads(found[0])
    return kept


def test_all_that_the_page_keeps_is_in_the_folder(tmp_path: Path) -> None:
    site = tmp_path / "some" / "site"
    size = write_site(site, [EXAMPLE])
    kept = listed(site)["files"]
    assert {"./", "games.json", "games/0.py"} <= set(kept)
    assert all((site / file).exists() for file in kept)
    assert size == sum(file.stat().st_size for file in site.rglob("*") if file.is_file())
    page = (site / "index.html").read_text("utf-8")
    assert page.index("content-security-policy") < page.index("<script")
    assert "unsafe-inline" not in POLICY
    assert "unsafe-eval" not in POLICY.replace("wasm-unsafe-eval", "")
    names = [game["game"] for game in json.loads((site / "games.json").read_bytes())]
    assert {"sushizock", "buffet", "kakerlaken", "two_dice"} <= set(names)


def test_a_game_of_one_file_has_its_words_before_python_comes(tmp_path: Path) -> None:
    write_site(tmp_path, [EXAMPLE])
    for language in LANGUAGES:
        name = f"games/two_dice.{language}.json"
        assert json.loads((tmp_path / name).read_bytes()) == words_of("two_dice", language)
        assert name in listed(tmp_path)["files"], "they are there without a network, too"


def test_a_newer_site_takes_an_older_ones_place_and_leaves_the_rest(tmp_path: Path) -> None:
    (tmp_path / "CNAME").write_text("table.example")
    write_site(tmp_path, [EXAMPLE])
    with_game = listed(tmp_path)["version"]
    old = tmp_path / "assets" / "old.js"
    old.touch()
    write_site(tmp_path)
    assert not old.exists()
    assert (tmp_path / "CNAME").read_text() == "table.example"
    assert listed(tmp_path)["version"] != with_game
    assert "data-games" not in (tmp_path / "index.html").read_text("utf-8")


@pytest.mark.parametrize("name", ["index.html", "assets/mine.png", "python/mine.py", "games/my.py"])
def test_nothing_of_somebody_else_is_replaced(tmp_path: Path, name: str) -> None:
    mine = tmp_path / name
    mine.parent.mkdir(exist_ok=True)
    mine.write_text("mine")
    with pytest.raises(NoSite, match="other files of the same names"):
        write_site(tmp_path)
    assert mine.read_text() == "mine"
    assert [file for file in tmp_path.rglob("*") if file.is_file()] == [mine]


def test_a_folder_that_cannot_be_written_is_told_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(NoSite, match="the site cannot be written to"):
        write_site(tmp_path / "file" / "site")


def test_what_was_written_half_is_ours_and_written_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(shutil, "copyfile", full)
        with pytest.raises(NoSite, match="the site cannot be written to"):
            write_site(tmp_path)
    write_site(tmp_path)
    assert all((tmp_path / file).exists() for file in listed(tmp_path)["files"])


def test_the_command_says_how_to_look_at_what_it_wrote(tmp_path: Path) -> None:
    folder = tmp_path / "our table"
    wrote = CliRunner().invoke(app, ["site", str(folder), "--game", str(EXAMPLE)])
    assert wrote.exit_code == 0
    command = wrote.stdout.splitlines()[-1].partition(": ")[2]
    assert split(command)[-1] == str(folder)
    (tmp_path / "file").touch()
    refused = CliRunner().invoke(app, ["site", str(tmp_path / "file")])
    assert refused.exit_code == 1
    assert "cannot be written" in refused.stderr
