"""Me, in a real browser: a virtual authenticator, two devices, paper, and a farewell."""

import json
import sqlite3
from pathlib import Path

from playwright.sync_api import Browser, Page, expect

from tests.browser.house import House, new_page
from tests.browser.owners import ENDED, at_localhost, make_profile, press, with_a_finger


def device(browser: Browser, url: str, finger: bool = True, phone: bool = False) -> Page:
    """Give somebody a device, with a finger that it knows or without."""
    page = new_page(browser, phone=phone, trouble=ENDED)
    if finger:
        with_a_finger(page)
    page.goto(f"{url}/me")
    return page


def test_one_profile_on_two_devices_and_the_same_table(browser: Browser, tmp_path: Path) -> None:
    with House(tmp_path) as house:
        url = at_localhost(house)
        phone = device(browser, url, phone=True)
        expect(phone.get_by_text("No password, no email.")).to_be_visible()
        make_profile(phone, "Anna")
        phone.reload()
        expect(phone.get_by_text("Signed in as Anna")).to_be_visible()
        phone.get_by_role("button", name="Sign out: ").click()
        press(phone, "I have one: sign in")
        expect(phone.get_by_text("Signed in as Anna")).to_be_visible()

        opened = phone.evaluate(
            """async () => (await fetch('/api/tables', {method: 'POST', body: JSON.stringify(
            {game: 'sushizock', seats: 2, name: 'Anna', bots: {1: 'easy'}}),
            headers: {'x-login': JSON.parse(localStorage['tischlein.login'])}})).json()"""
        )
        press(phone, "Show a code")
        expect(phone.get_by_role("button", name="Show a code")).to_be_focused()
        code = phone.get_by_label("Code", exact=True).inner_text()

        laptop = device(browser, url)
        press(laptop, "I have a code")
        laptop.get_by_label("Code", exact=True).fill("2222-2222")
        press(laptop, "Go on")
        expect(laptop.get_by_role("alert")).to_contain_text("This code is wrong")
        laptop.goto(f"{url}/me/link/{code}")
        press(laptop, "Yes, it is mine")
        expect(laptop.get_by_text("Signed in as Anna")).to_be_visible()
        expect(laptop.get_by_text("this device", exact=True)).to_have_count(1)
        press(laptop, "Let this device know me")  # and from now on without a code
        expect(laptop.get_by_role("button", name="Remove: ")).to_have_count(2)
        laptop.get_by_role("button", name="Rename: ").last.click()
        laptop.get_by_label("What is this passkey called?").fill("Anna's laptop")
        laptop.get_by_role("listitem").get_by_role("button", name="Save").click()
        expect(laptop.get_by_role("button", name="Rename: Anna's laptop")).to_be_focused()

        laptop.get_by_role("button", name="Remove: ").first.click()  # by mistake
        expect(laptop.get_by_role("button", name="Really remove?")).to_be_focused()
        laptop.keyboard.press("Tab")
        expect(laptop.get_by_role("button", name="Remove: ")).to_have_count(2)
        laptop.get_by_role("button", name="Remove: ").first.click()
        laptop.get_by_role("button", name="Really remove?").click()
        expect(laptop.get_by_role("button", name="Remove: ")).to_have_count(1)
        expect(laptop.get_by_role("heading", name="My passkeys")).to_be_focused()

        laptop.get_by_role("combobox").select_option("de")  # settings follow her
        expect(laptop.get_by_text("Angemeldet als Anna")).to_be_visible()
        with laptop.expect_response("**/api/me/settings"):
            """It is told after a moment."""
        phone.reload()
        expect(phone.get_by_text("Angemeldet als Anna")).to_be_visible()
        phone.get_by_role("combobox").select_option("en")
        with phone.expect_response("**/api/me/settings"):
            """It is told after a moment."""

        laptop.goto(url)  # the same table, on a device that never sat down there
        laptop.get_by_role("button", name="Sushizock").filter(has_text="Go on").first.click()
        expect(laptop).to_have_url(f"{url}/t/{opened['table']}")
        laptop.get_by_role("button", name="Start").click()
        expect(laptop.locator("[data-game]").first).to_be_visible()
        held = json.loads(laptop.evaluate(f"localStorage['tischlein.seat.{opened['table']}']"))
        assert held[0]["seat"] == opened["seat"]
        assert held[0]["token"] != opened["token"]


def test_paper_brings_back_data_comes_out_and_who_goes_is_gone(
    browser: Browser, tmp_path: Path
) -> None:
    with House(tmp_path) as house:
        url = at_localhost(house)
        phone = device(browser, url, phone=True)
        make_profile(phone, "Zoe Q.")
        press(phone, "Make a code to print")
        code = phone.get_by_label("Code", exact=True).inner_text()
        assert len(code) == 29
        phone.emulate_media(media="print")
        expect(phone.get_by_label("Code", exact=True)).to_be_visible()
        expect(phone.get_by_role("heading", name="My devices")).to_be_hidden()
        phone.emulate_media(media="screen")

        found = device(browser, url, finger=False)  # all devices are lost
        press(found, "I have a code")
        found.get_by_label("Code", exact=True).fill(code.lower())
        press(found, "Go on")
        expect(found.get_by_text("Signed in as Zoe Q.")).to_be_visible()
        found.get_by_role("button", name="Sign out: ").last.click()  # the lost one
        expect(found.get_by_role("button", name="Sign out: ")).to_have_count(1)
        phone.reload()
        expect(phone.get_by_role("button", name="Make my profile")).to_be_visible()

        with found.expect_download() as waited:
            press(found, "Save the file")
        data = json.loads(Path(waited.value.path()).read_text())
        assert (data["profile"]["name"], data["printed_code"]) == ("Zoe Q.", True)

        press(found, "Delete my profile")
        sure = found.get_by_role("button", name="Delete it for good")
        expect(sure).to_be_disabled()
        found.get_by_label("Really?").fill("Zoe Q.")
        sure.click()
        expect(found.get_by_text("Your profile is gone.")).to_be_visible()
        press(phone, "I have one: sign in")
        expect(phone.get_by_role("alert")).to_contain_text("We do not know this passkey")
    kept = sqlite3.connect(tmp_path / "tables.sqlite")
    assert kept.execute("SELECT count(*) FROM profiles").fetchone() == (0,)
    assert b"Zoe Q." not in b"".join(file.read_bytes() for file in tmp_path.glob("*.sqlite"))


def test_where_no_passkey_can_be_the_page_says_so(browser: Browser, tmp_path: Path) -> None:
    with House(tmp_path) as house:
        page = device(browser, house.url, finger=False)
        expect(page.get_by_text("that needs an address with https")).to_be_visible()
        expect(page.get_by_role("link", name="localhost")).to_have_attribute(
            "href", f"{at_localhost(house)}/me"
        )
        expect(page.get_by_label("Code", exact=True)).to_be_visible()
