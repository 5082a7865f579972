"""Whatever goes wrong on a page fails the test."""

import pytest
from playwright.sync_api import Browser

from tests.browser.house import House, new_page

FAULTS = ("throw new Error('ouch')", "Promise.reject(new Error('ouch'))", "console.error('ouch')")
HAPPENS = "new Promise((done) => { setTimeout(() => { %s }); setTimeout(done); })"


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.xfail(strict=True, raises=AssertionError, reason="a page that fails, fails its test")
def test_trouble_on_a_page_fails_the_test(browser: Browser, house: House, fault: str) -> None:
    page = new_page(browser)
    page.goto(house.url)
    page.evaluate(HAPPENS % fault)


@pytest.mark.xfail(strict=True, raises=AssertionError, reason="only what is named is expected")
def test_trouble_of_another_kind_fails_the_test(browser: Browser, house: House) -> None:
    page = new_page(browser, trouble="404")
    page.goto(house.url)
    page.evaluate(HAPPENS % FAULTS[0])


def test_trouble_that_a_test_names_is_expected(browser: Browser, house: House) -> None:
    page = new_page(browser, trouble="ouch")
    page.goto(house.url)
    for fault in FAULTS:
        page.evaluate(HAPPENS % fault)
