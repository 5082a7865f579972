"""The benchmark of the table in one page runs: a short form."""

import pytest
from bench import site
from playwright.sync_api import Browser

from tests.own import nothing_stays


@pytest.mark.parametrize("name", site.SCENARIOS)
def test_the_benchmark_of_the_table_in_one_page_runs(browser: Browser, name: str) -> None:
    with nothing_stays():  # the probe is a game from outside
        rows = site.SCENARIOS[name](browser, site.QUICK)
    assert len(rows) > 5
    assert rows[1].startswith("|--")
