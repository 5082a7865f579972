"""Every numbered rule is cited by a test of its game, and by the code that plays it."""

import re
from pathlib import Path

import pytest

HERE = Path(__file__).parent
ROOT = HERE.parent
GAMES = ["sushizock", "buffet", "kakerlaken"]


@pytest.mark.parametrize("name", GAMES)
def test_every_rule_is_cited_by_a_test(name: str) -> None:
    rules = numbered_rules(name)
    assert len(rules) > 20
    tests = (HERE / "games" / name / "test_rules.py").read_text()
    cited = set(re.findall(r"\[([SBK]\d+)\]", tests))
    assert rules - cited == set()
    assert cited - rules == set()


@pytest.mark.parametrize("name", GAMES)
def test_the_code_cites_only_rules_that_exist(name: str) -> None:
    code = (ROOT / "src/tischlein/games" / name / "rules.py").read_text()
    assert set(re.findall(r"\[([SBK]\d+)\]", code)) - numbered_rules(name) == set()


def numbered_rules(name: str) -> set[str]:
    """Read the numbers of a game's rules from its rule text."""
    text = (ROOT / "src/tischlein/games" / name / "rulebook/numbered.md").read_text()
    return set(re.findall(r"^- \[([SBK]\d+)\]", text, re.MULTILINE))
