"""Whole games with one device for two, and with a table screen between two phones."""

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from tests.browser.house import (
    NO_LINE,
    House,
    hurry_to_the_end,
    is_over,
    new_page,
    play_out,
    press,
    read_hint,
    unhurried,
    until,
)
from tests.browser.looks import cut_off, words
from tests.browser.players import buffet_turn, join, kakerlaken_deed, set_table, sushizock_turn


def add_player(page: Page, name: str) -> None:
    """Give somebody else a seat on the same device."""
    page.get_by_label("Another player on this device").fill(name)
    page.get_by_role("button", name="Sit down").click()
    expect(page.get_by_text(f"{name} · on this device")).to_be_visible()


def lay_lowest(page: Page) -> bool:
    """Leave early: swap nothing, lay the lowest card."""
    if press(page, page.get_by_role("button", name=re.compile("^card "), pressed=False).first):
        return press(page, page.get_by_role("button", name=re.compile("^(Lay [−0-9]|Swap)")))
    return False


def shown_by_curtain(page: Page) -> list[str]:
    """Read any hand that is in the page together with the curtain: at one moment, not after it."""
    cards = page.evaluate(
        """() => {
        const curtain = document.querySelector('[aria-label="Curtain"]');
        const hand = document.querySelectorAll('[aria-label="Your hand"] [data-card]');
        return curtain ? [...hand].map((one) => one.dataset.card) : [];
        }"""
    )
    return [str(card) for card in cards]


def hand_in_page(page: Page) -> list[str]:
    """Read what the page knows of any hand, hidden or not."""
    found = page.locator('[aria-label="Your hand"] [data-card]')
    return [str(card) for card in found.evaluate_all("all => all.map(one => one.dataset.card)")]


@pytest.mark.long
def test_two_people_pass_one_device_round_and_see_no_other_hand(
    browser: Browser, house: House
) -> None:
    page = new_page(browser, phone=True)
    set_table(page, house, "Buffet", 3)
    add_player(page, "Mia")
    page.get_by_label("Bot, Seat 3").select_option("easy")
    page.get_by_role("button", name="Start").click()
    read_hint(page)
    curtain = page.get_by_role("region", name="Curtain")
    heading = page.get_by_role("heading", level=1)
    lifted: list[str] = []
    seen: dict[str, set[tuple[str, ...]]] = {"Ada": set(), "Mia": set()}

    def lift_and_play() -> bool:
        if curtain.is_visible():
            assert not shown_by_curtain(page)
            told = curtain.inner_text()
            name = "Ada" if "Ada" in told else "Mia"
            assert f"Pass the device to {name}. Only {name} looks!" in told
            expect(heading).to_have_text(f"{name}'s turn")
            if not press(page, curtain.get_by_role("button", name=f"I am {name}")):
                return False
            expect(curtain).to_have_count(0)
            lifted.append(name)
            seen[name].add(tuple(hand_in_page(page)))
            if len(lifted) in {2, 7}:  # who reloads is behind the curtain again, in the same seats
                page.reload()
                expect(curtain).to_be_visible()
                assert not shown_by_curtain(page)
                return True
        if not lay_lowest(page):
            return False
        expect(page.get_by_label("Your hand")).to_have_count(0)
        return True

    until(page, lambda: is_over(page), lift_and_play)
    assert {"Ada", "Mia"} == set(lifted)
    assert len(lifted) > 10
    assert not hand_in_page(page)
    assert all(len(hands) > 3 for hands in seen.values())
    expect(page.get_by_role("button", name="Play again")).to_be_visible()
    page.get_by_role("button", name="Check the dice").click()
    expect(page.get_by_text(re.compile("your own secret word is in them"))).to_be_visible()


def test_a_device_is_passed_round_in_german(browser: Browser, house: House) -> None:
    page = new_page(browser, "de-CH", phone=True)
    page.goto(f"{house.url}/#new-buffet")
    say = {key: words("de", key) for key in ("setTable", "anotherPlayer", "sitDown", "start")}
    page.get_by_label(words("de", "nickname")).fill("Ada")
    page.get_by_role("button", name=say["setTable"]).click()
    page.get_by_label(say["anotherPlayer"]).fill("Mia")
    page.get_by_role("button", name=say["sitDown"]).click()
    page.get_by_label("Bot, Platz 3").select_option("easy")
    page.get_by_role("button", name=say["start"], exact=True).click()
    page.get_by_role("button", name=words("de", "gotIt")).click()
    curtain = page.get_by_role("region", name=words("de", "curtain"))
    hand = page.get_by_label(words("de", "buffet.yourHand")).locator("[data-card]")
    lifted: list[str] = []

    def lift_and_play() -> bool:
        if curtain.is_visible():
            assert hand.count() == 0
            name = "Ada" if "Ada" in curtain.inner_text() else "Mia"
            asked = words("de", "lookNow").format(name=name)
            if press(page, curtain.get_by_role("button", name=asked)):
                lifted.append(name)
        card = page.get_by_role("button", name=re.compile("^Karte "), pressed=False).first
        return press(page, card) and press(
            page, page.get_by_role("button", name=re.compile("legen$|tauschen$"))
        )

    until(page, lambda: len(lifted) > 6, lift_and_play)
    assert set(lifted) == {"Ada", "Mia"}
    expect(page.get_by_text("Biscotto").first).to_be_visible()


def test_each_seat_has_a_line_of_its_own(browser: Browser, house: House) -> None:
    page = new_page(browser)
    hellos: list[str] = []
    page.on("websocket", lambda line: line.on("framesent", lambda sent: note(hellos, str(sent))))
    set_table(page, house, "Sushizock", 2)
    add_player(page, "Mia")
    page.get_by_role("button", name="Start").click()
    read_hint(page)
    turns: set[str] = set()

    def move() -> bool:
        heading = page.get_by_role("heading", level=1)
        turns.add(heading.inner_text())
        assert not page.get_by_role("region", name="Curtain").is_visible()
        return sushizock_turn(page, "'s turn")

    until(page, lambda: {"Ada's turn", "Mia's turn"} <= turns, move)
    tokens = set(hellos)
    assert len(tokens) == 2
    hellos.clear()
    page.reload()
    until(page, lambda: len(hellos) == 2, lambda: False)
    assert set(hellos) == tokens


def note(hellos: list[str], sent: str) -> None:
    if '"hello"' in sent and '"token"' in sent:
        hellos.append(json.loads(sent)["token"])


def test_a_race_is_not_for_one_device(browser: Browser, house: House) -> None:
    page = new_page(browser)
    set_table(page, house, "Kakerlaken Sushi", 2)
    expect(page.get_by_text("everybody needs a device of their own")).to_be_visible()
    expect(page.get_by_label("Another player on this device")).to_have_count(0)


def test_a_table_screen_and_two_phones(browser: Browser, house: House) -> None:
    ada, bo = new_page(browser, phone=True), new_page(browser, phone=True)
    big = new_page(browser)
    big.set_viewport_size(ViewportSize(width=1920, height=1080))
    link = set_table(ada, house, "Sushizock", 2)
    big.goto(link)
    big.get_by_role("button", name="Just watch").click()
    expect(big.get_by_text("Who sits down?")).to_be_visible()
    expect(big.get_by_text("free seat")).to_be_visible()
    code = big.get_by_role("img", name="QR code").bounding_box()
    assert code is not None
    assert code["width"] > 300
    join(bo, link)
    expect(big.get_by_text("Ada starts when everybody is here.")).to_be_visible()
    ada.get_by_role("button", name="Start").click()
    for page in (ada, bo):
        read_hint(page)
    turn = big.get_by_role("heading", level=1)
    turns: set[str] = set()

    def move() -> bool:
        turns.add(turn.inner_text())
        return sushizock_turn(ada) or sushizock_turn(bo)

    until(ada, lambda: len(turns & {"Ada's turn", "Bo's turn"}) == 2, move)
    assert cut_off(big) == []
    assert float(turn.evaluate("one => parseFloat(getComputedStyle(one).fontSize)")) >= 40
    small = big.locator(".value, .count").evaluate_all(
        "all => all.filter(one => parseFloat(getComputedStyle(one).fontSize) < 40).length"
    )
    assert small == 0
    assert "Walking to the table…" not in turns
    hurry_to_the_end(ada, bo)
    expect(turn).to_have_text(re.compile("^★ .*(Ada|Bo).* (wins|share the win)!$"))
    result = big.get_by_role("region", name="The game is over!")
    expect(result.get_by_role("listitem")).to_have_count(2)
    assert cut_off(big) == []
    result.get_by_role("button", name="Were the dice fair?").click()
    big.get_by_role("button", name="Check the dice").click()
    expect(big.get_by_text(re.compile("^Yes! All .* are just what"))).to_be_visible()
    ada.get_by_role("button", name="Play again").click()
    expect(turn).to_have_text(re.compile("'s turn$"))


def test_greyed_things_say_why_not(browser: Browser, house: House) -> None:
    ada, bo = new_page(browser), new_page(browser)
    join(bo, set_table(ada, house, "Buffet", 3))
    ada.get_by_label("Bot, Seat 3").select_option("easy")
    ada.get_by_role("button", name="Start").click()
    for page in (ada, bo):
        read_hint(page)
    until(ada, lambda: buffet_turn(ada), lambda: False)
    expect(ada.get_by_text(re.compile("^Your card lies face down"))).to_be_visible()
    ada.get_by_role("button", name=re.compile("^card ")).first.click(force=True)
    expect(ada.get_by_role("alert")).to_have_text(re.compile("already|wait", re.IGNORECASE))


def test_a_second_slap_is_told_why_not(browser: Browser, house: House) -> None:
    ada, bo = new_page(browser), new_page(browser)
    unhurried(ada)
    join(bo, set_table(ada, house, "Kakerlaken Sushi", 2))
    ada.get_by_role("button", name="Start").click()
    for page in (ada, bo):
        read_hint(page)
    expect(ada.get_by_text(re.compile("^The dice show"))).to_be_visible()
    told = re.findall(
        r"show (\w+) and (\w+)", ada.get_by_text(re.compile("^The dice")).inner_text()
    )
    right = "-".join(told[0])
    wrong = ada.locator(f'[data-tile]:not([data-tile="{right}"])')
    wrong.first.click()
    expect(ada.get_by_text("Done! Waiting for the others…")).to_be_visible()
    wrong.last.click()
    expect(ada.get_by_role("alert")).to_contain_text(re.compile("once|already", re.IGNORECASE))


@pytest.mark.long
@pytest.mark.parametrize(
    ("game", "turn"),
    [
        ("Sushizock", sushizock_turn),
        ("Buffet", buffet_turn),
        ("Kakerlaken Sushi", kakerlaken_deed),
    ],
)
def test_two_people_and_a_bot_play_a_whole_game(
    browser: Browser, house: House, game: str, turn: Callable[[Page], bool]
) -> None:
    """Each on a device of their own, through what they see; both are told the same result.

    Nobody's line carries another's hand, and both can check the dice.
    """
    ada, bo = new_page(browser), new_page(browser, phone=True)
    frames: list[dict[str, Any]] = []
    for page in (ada, bo):
        page.on(
            "websocket",
            lambda line: line.on("framereceived", lambda frame: frames.append(json.loads(frame))),
        )
    join(bo, set_table(ada, house, game, 3))
    ada.get_by_label("Bot, Seat 3").select_option("easy")
    ada.get_by_role("button", name="Start").click()
    for page in (ada, bo):
        read_hint(page)
    play_out(turn, ada, bo)
    results = [
        page.get_by_role("dialog").get_by_role("heading", level=3).all_inner_texts()
        for page in (ada, bo)
    ]
    assert len(results[0]) == 4  # three players, and the dice
    assert results[0] == results[1]
    states = [frame for frame in frames if frame["type"] == "state" and not frame["over"]]
    assert {state["seat"] for state in states} == {0, 1}
    if game == "Buffet":
        assert len(states) > 40
        assert not [state for state in states if shows_another_hand(state)]
    for page in (ada, bo):
        page.get_by_role("button", name="Check the dice").click()
        expect(page.get_by_text(re.compile("^Yes! All"))).to_be_visible()


def shows_another_hand(state: dict[str, Any]) -> bool:
    """Say whether a frame tells a card that only somebody else may see."""
    hands = list(enumerate(state["view"]["hands"]))
    laid = [(int(seat), [card]) for seat, card in state["view"]["played"].items()]
    return any(
        seat != state["seat"] and any(card is not None for card in cards)
        for seat, cards in hands + laid
    )


def test_a_young_player_gets_a_head_start(browser: Browser, house: House) -> None:
    ada, bo = new_page(browser), new_page(browser)
    join(bo, set_table(ada, house, "Kakerlaken Sushi", 2))
    ada.get_by_label("Head start: Bo").select_option("0.4 s head start")
    expect(bo.get_by_text("you · 0.4 s head start")).to_be_visible()
    expect(bo.get_by_label("Head start: Bo")).to_have_count(0)


def test_a_move_made_while_the_line_is_gone_is_made_when_it_is_back(
    browser: Browser, own_house: House
) -> None:
    page = new_page(browser, trouble=NO_LINE)
    set_table(page, own_house, "Sushizock", 2)
    page.get_by_label("Bot, Seat 2").select_option("easy")
    page.get_by_role("button", name="Start").click()
    read_hint(page)
    expect(page.get_by_role("heading", name="Your turn!")).to_be_visible()
    own_house.stop()
    expect(page.get_by_text(re.compile("Your connection is lost|does not answer"))).to_be_visible()
    page.get_by_role("button", name=re.compile(" die$"), disabled=False).first.click()
    page.get_by_role("button", name="Keep 1, roll the rest").click()
    aside = page.get_by_role("img", name=re.compile(" die, kept$"))
    expect(aside).to_have_count(0)
    own_house.start()
    expect(aside).to_have_count(1)
    expect(page.get_by_role("button", name=re.compile(" die$"))).to_have_count(4)


def test_phones_are_told_the_way_in(browser: Browser, house: House) -> None:
    """At the computer's own name for itself others cannot come in: the page says what to do."""
    page = new_page(browser)
    set_table(page, house, "Sushizock", 2)
    expect(page.get_by_text("./play --lan")).to_be_visible()
    near = '{"near": ["http://192.168.1.8:8080"]}'
    page.route("**/api/address", lambda asked: asked.fulfill(body=near))
    page.reload()
    shown = page.get_by_label("Send this link, or let them scan it.")
    expect(shown).to_have_value(re.compile("^http://192.168.1.8:8080/t/"))
    expect(page.get_by_text("./play --lan")).to_have_count(0)
