"""Whether a browser takes a house for a safe place: `python -m tests.secure URL` asks it."""

import sys

from playwright.sync_api import expect, sync_playwright

from tests.browser.house import FLAGS, chromium


def main(url: str) -> None:
    """Open the house in Chromium, which believes its certificate, and set a table there."""
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium(), args=FLAGS)
        page = browser.new_context(ignore_https_errors=True, locale="en-GB").new_page()
        page.goto(url)
        assert page.evaluate("isSecureContext && 'credentials' in navigator")
        page.get_by_role("button", name="Play alone: Sushizock").click()
        page.get_by_role("button", name="Play", exact=True).click()
        expect(page.get_by_role("button", name="Got it")).to_be_visible(timeout=60_000)
        print("Chromium: a secure context, and a table set in two taps over wss")
        browser.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
