"""Seats in the browser: a name that is taken, a seat that is freed, who plays while one is away."""

from playwright.sync_api import Browser, Page, Route, ViewportSize, expect

from tests.browser.house import House, another_tab, new_page
from tests.browser.looks import words
from tests.browser.players import join, set_table

REFUSED = "status of 4(09|22)"


def is_too_wide(page: Page) -> bool:
    """Say whether something stands beyond the edge of the screen."""
    return bool(page.evaluate("document.documentElement.scrollWidth > innerWidth"))


def test_a_taken_name_is_told_kindly_and_another_one_sits_down(
    browser: Browser, house: House
) -> None:
    """A child who is called like somebody here would have read a sentence for programs."""
    ada, bo = new_page(browser), new_page(browser, phone=True, trouble=REFUSED)
    bo.goto(set_table(ada, house, "Sushizock", 3))
    for name, told in (
        ("аda", "Somebody here is called that already, or nearly so. Choose another name."),
        ("Leicht 2", "That is what bots are called here. Choose another name."),
        ("a\u202eb", "There is something in that name that not everybody can see."),
    ):
        bo.get_by_label("Your nickname").fill(name)
        bo.get_by_role("button", name="Sit down").click()
        expect(bo.get_by_role("alert")).to_contain_text(told)
    bo.get_by_label("Your nickname").fill("דוד")
    bo.get_by_role("button", name="Sit down").click()
    expect(bo.get_by_text("Ada starts when everybody is here.")).to_be_visible()
    expect(ada.get_by_role("listitem").filter(has_text="\u2068דוד\u2069")).to_be_visible()


def test_guests_who_choose_no_name_get_different_ones(browser: Browser, house: House) -> None:
    """Children who just tap would have been asked for another name that they never chose."""
    ada, bo = new_page(browser), new_page(browser)
    for page in (ada, bo):
        page.goto(house.url)
        page.get_by_label("Your nickname").fill("Nori")
    ada.get_by_role("button", name="Invite friends: Sushizock").click()
    ada.get_by_role("button", name="Set the table").click()
    ada.wait_for_url("**/t/*")
    bo.goto(ada.url)
    expect(bo.get_by_label("Your nickname")).not_to_have_value("Nori")
    bo.get_by_role("button", name="Sit down").click()
    expect(bo.get_by_text("Nori starts when everybody is here.")).to_be_visible()


def test_the_host_frees_a_seat_and_its_player_is_told(browser: Browser, house: House) -> None:
    """Who sat there and did not play would have kept the table from beginning."""
    ada, bo = new_page(browser), new_page(browser, phone=True)
    join(bo, set_table(ada, house, "Sushizock", 2))
    assert bo.get_by_role("button", name="Free").count() == 0
    ada.get_by_role("button", name="Free Bo's seat").click()
    sure = ada.get_by_role("button", name="Really free Bo's seat?")
    expect(sure).to_be_visible()
    assert not is_too_wide(ada)
    sure.click()
    expect(bo.get_by_role("status")).to_contain_text("The host has freed your seat.")
    expect(ada.get_by_label("Bot, Seat 2")).to_be_visible()
    expect(ada.get_by_role("list").first).to_be_focused()  # the button is gone
    bo.get_by_role("button", name="Sit down").click()
    expect(ada.get_by_role("button", name="Free Bo's seat")).to_be_visible()


def test_everybody_chooses_who_plays_while_they_are_away(browser: Browser, house: House) -> None:
    """Others would have chosen the clumsiest bot for whoever was called to the door."""
    ada, bo = new_page(browser), new_page(browser, phone=True)
    join(bo, set_table(ada, house, "Sushizock", 2))
    choice = bo.get_by_label("When I am away")
    expect(choice.locator("option:checked")).to_have_text("Bot: Easy")
    choice.select_option(label="Bot: Expert")
    ada.get_by_role("button", name="Start").click()
    bo.get_by_role("button", name="Got it").click()
    bo.get_by_role("button", name="Menu").click()
    expect(choice.locator("option:checked")).to_have_text("Bot: Expert")
    assert not is_too_wide(bo)


def test_whoever_plays_by_keyboard_keeps_their_place(browser: Browser, house: House) -> None:
    """After a word of their own, and after each start, they would have begun at the top again."""
    ada, bo = new_page(browser), new_page(browser, trouble="ERR_FAILED")
    join(bo, set_table(ada, house, "Sushizock", 2))
    ada.get_by_label("Your pinch of salt").fill("pancake")
    ada.keyboard.press("Enter")
    expect(ada.locator("form:focus")).to_contain_text("Your word is sealed: pancake")
    bo.context.route("**/contribution", hold_back)
    start = ada.get_by_role("button", name="Start")
    start.press("Enter")
    expect(ada.get_by_text("Opening the words for the dice…")).to_be_visible()
    expect(start).to_be_disabled()
    expect(start).to_be_focused()
    bo.context.unroute("**/contribution")
    expect(ada.get_by_role("button", name="Got it")).to_be_visible()


def hold_back(route: Route) -> None:
    """Let a word that is opened not reach the table."""
    if "salt" in (route.request.post_data or ""):
        route.abort()
    else:
        route.continue_()


def test_nobody_is_said_to_be_here_who_is_away(browser: Browser, house: House) -> None:
    """The host would have started for everybody, and all would have waited for one who is gone."""
    ada, bo = new_page(browser), new_page(browser, phone=True)
    link = set_table(ada, house, "Sushizock", 2)
    join(bo, link)
    heading = ada.get_by_role("heading", level=1)
    expect(heading).to_contain_text("everybody is here!")
    bo = another_tab(bo)
    expect(heading).to_contain_text("Waiting for friends")
    bo.goto(link)
    expect(heading).to_contain_text("everybody is here!")
    ada.get_by_label("Who begins?").select_option(label="Bo")
    ada.get_by_role("button", name="Start").click()
    expect(heading).to_have_text("Bo's turn")
    bo.close()
    expect(heading).to_have_text("Bo's turn (away)")


def test_who_watches_on_a_phone_sees_the_whole_table(browser: Browser, house: House) -> None:
    """The way to the table would have pushed the board over the edge."""
    ada, watcher = new_page(browser), new_page(browser, phone=True)
    watcher.set_viewport_size(ViewportSize(width=320, height=568))
    link = set_table(ada, house, "Kakerlaken Sushi", 2)
    watcher.goto(f"{link}?watch")
    ada.get_by_label("Bot, Seat 2").select_option("easy")
    ada.get_by_role("button", name="Start").click()
    expect(watcher.locator(".board")).to_be_visible()
    assert not watcher.evaluate("document.documentElement.scrollWidth > 320")


def test_a_word_of_ones_own_is_added_by_a_button_that_can_be_read(
    browser: Browser, house: House
) -> None:
    """On a small phone its word would have stood on the button's edge, in French and Italian."""
    page = new_page(browser, "it-CH", phone=True)
    page.set_viewport_size(ViewportSize(width=320, height=568))
    page.goto(f"{house.url}/#new-sushizock")
    page.get_by_role("button", name=words("it", "setTable")).click()
    add = page.get_by_role("button", name=words("it", "saltAdd"))
    room = add.evaluate(
        """button => {
        const text = document.createRange();
        text.selectNodeContents(button);
        return (button.clientWidth - text.getBoundingClientRect().width) / 2;
        }"""
    )
    assert room > 10
    assert not is_too_wide(page)
