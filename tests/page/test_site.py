"""The static site: what is written, for which pages."""

import json
import re
from pathlib import Path

from tests.own import EXAMPLE, nothing_stays
from tischlein.page.site import write_site
from tischlein.words import LANGUAGES, words_of


def listed(folder: Path) -> tuple[str, list[str]]:
    """Give the version that the page's worker tells, and what it keeps."""
    text = (folder / "sw.js").read_text(encoding="utf-8")
    found = re.search(r'{"version": "(\w+)", "files": (\[[^]]*\])}', text)
    assert found
    return found[1], json.loads(found[2])


def test_a_game_of_one_file_has_its_words_before_python_comes(tmp_path: Path) -> None:
    with nothing_stays():
        write_site(tmp_path, [EXAMPLE])
        for language in LANGUAGES:
            name = f"games/two_dice.{language}.json"
            assert json.loads((tmp_path / name).read_bytes()) == words_of("two_dice", language)
            assert name in listed(tmp_path)[1], "they are there without a network, too"
    assert "two_dice" in (tmp_path / "games.json").read_text(encoding="utf-8")


def test_all_that_the_worker_keeps_is_there_and_another_game_is_another_version(
    tmp_path: Path,
) -> None:
    write_site(tmp_path / "three")
    with nothing_stays():
        write_site(tmp_path / "four", [EXAMPLE])
    for folder in (tmp_path / "three", tmp_path / "four"):
        missing = [name for name in listed(folder)[1] if not (folder / name).exists()]
        assert missing == []
    assert listed(tmp_path / "three")[0] != listed(tmp_path / "four")[0]
