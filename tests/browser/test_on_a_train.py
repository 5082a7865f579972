"""Without a network: people who pass a device round, other games, first games, tables as a file."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.house import is_over, play_out, press, read_hint, result_of, until
from tests.browser.learners import ME, learn
from tests.browser.looks import words
from tests.browser.offline import NO_NETWORK, go_to, settled, without_network
from tests.browser.players import buffet_turn, meet_bots, sushizock_turn


def labelled(language: str, key: str, deed: str) -> str:
    """Give the name of a button that says for what it is."""
    return words(language, "did").format(name=words(language, key), deed=deed)


@pytest.mark.long
def test_two_people_pass_a_device_round_close_it_and_go_on(browser: Browser, site: str) -> None:
    page = without_network(browser, site)
    page.get_by_label("Your nickname").fill("Ada")
    page.get_by_role("button", name="Play together: Buffet").click()
    page.get_by_role("button", name="Set the table").click()
    page.get_by_label("Another player on this device").fill("Mia")
    page.get_by_role("button", name="Sit down").click()
    page.get_by_label("Bot, Seat 3").select_option("hard")
    page.get_by_role("button", name="Start").click()
    read_hint(page)
    lifted: set[str] = set()

    def turn(at: Page) -> bool:
        curtain = at.get_by_role("region", name="Curtain")
        shows = curtain.get_by_role("button")
        if shows.is_visible():
            assert at.get_by_label("Your hand").locator("[data-card]").count() == 0
            lifted.add(shows.inner_text())
            return press(at, shows)
        return buffet_turn(at) or press(at, result_of(at))

    until(page, lambda: len(lifted) == 2, lambda: turn(page))
    again = page.context.new_page()  # as the phone does: another page, later
    page.close()
    again.goto(site)
    again.get_by_role("region", name="Your tables").get_by_role("button").first.click()
    lifted.clear()
    until(again, lambda: is_over(again), lambda: turn(again))
    assert lifted == {"I am Ada: show my cards", "I am Mia: show my cards"}


def test_a_game_of_one_file_and_a_first_game_in_german(browser: Browser, site: str) -> None:
    page = without_network(browser, site, "de-CH")
    page.evaluate(f"localStorage['tischlein.name'] = JSON.stringify({ME!r})")
    page.reload()
    page.get_by_role("button", name=labelled("de", "playAlone", "Zwei Würfel")).click()
    page.locator(".start .main").click()
    board = page.get_by_role("main")
    deeds = [re.compile(deed, re.IGNORECASE) for deed in ("den Topf sichern", "weiterwürfeln")]
    over = page.get_by_role("button", name="Noch einmal ansehen")
    until(
        page,
        over.is_visible,
        lambda: (
            any(press(page, board.get_by_role("button", name=deed)) for deed in deeds)
            or press(page, page.get_by_role("button", name=words("de", "showResult")))
        ),
    )
    go_to(page, "/")
    title = words("de", "kakerlaken.title")
    page.get_by_role("button", name=labelled("de", "learn", title)).click()
    for _ in learn(page, "kakerlaken", language="de"):
        pass
    expect(page.get_by_role("button", name=words("de", "learnPlay"))).to_be_visible()


def bring(page: Page, data: bytes) -> Locator:
    """Bring a file; gives what is said to it."""
    chosen = page.locator("input[type=file]")
    chosen.set_input_files({"name": "x.tables", "mimeType": "", "buffer": data})
    return page.get_by_role("main")


def test_tables_go_to_another_device_as_a_file_in_french(browser: Browser, site: str) -> None:
    say = {key: words("fr", key) for key in words_of_device()}
    page = without_network(browser, site, "fr-FR")
    game = words("fr", "sushizock.title")
    page.get_by_role("button", name=labelled("fr", "playAlone", game)).click()
    page.locator(".start .main").click()
    page.get_by_role("button", name=words("fr", "gotIt")).click()
    until(page, lambda: sushizock_turn(page, language="fr"), lambda: False)
    table = page.url.partition("#")[2]
    go_to(page, "/device")
    with page.expect_download() as waited:
        page.get_by_role("button", name=say["device.save"]).click()
    data = Path(waited.value.path()).read_bytes()
    expect(page.get_by_text(say["device.saved"])).to_be_visible()
    expect(bring(page, data)).to_contain_text(say["device.nothingNew"])
    for wrong in (b"", data[:-9], b'{"format":"tischlein-store/1"}\n'):
        expect(bring(page, wrong)).to_contain_text(say["device.badFile"])
    page.get_by_role("button", name=say["device.forget"]).click()
    with page.expect_navigation():
        page.get_by_role("button", name=say["device.forgetSure"]).click()
    assert page.evaluate("key => localStorage[key]", f"tischlein.seat.{table[3:]}") is None
    go_to(page, "/")
    expect(page.get_by_role("region", name=words("fr", "goOnTitle"))).to_have_count(0)

    other = without_network(browser, site, "fr-FR")
    go_to(other, "/device")
    expect(bring(other, data)).to_contain_text(say["device.brought.one"].format(n=1))
    go_to(other, "/")
    other.get_by_role("region", name=words("fr", "goOnTitle")).get_by_role("button").first.click()
    expect(other).to_have_url(re.compile(f"{table}$"))
    other.get_by_role("button", name=words("fr", "gotIt")).click()
    until(other, lambda: sushizock_turn(other, language="fr"), lambda: False)


FULL = """() => {
  const { error } = Object.getOwnPropertyDescriptors(IDBTransaction.prototype);
  const { put } = IDBObjectStore.prototype;
  const get = () => new DOMException("no room", "QuotaExceededError");
  Object.defineProperty(IDBTransaction.prototype, "error", { ...error, get });
  const full = new WeakSet();
  IDBObjectStore.prototype.put = function (...what) {
    if (!full.has(this.transaction)) queueMicrotask(() => this.transaction.abort());
    full.add(this.transaction);
    return put.apply(this, what);
  };
  self.clear = () => {
    Object.defineProperty(IDBTransaction.prototype, "error", error);
    IDBObjectStore.prototype.put = put;
  };
}"""
"""Lets a disk be full for the tables, until it is cleared."""


def test_on_a_full_disk_nothing_is_lost_and_another_tab_waits_for_its_turn(
    browser: Browser, site: str
) -> None:
    page = without_network(browser, site)
    meet_bots(page, "Sushizock")
    read_hint(page)
    until(page, lambda: sushizock_turn(page), lambda: False)
    (worker,) = page.workers
    worker.evaluate(FULL)
    told = page.get_by_text("There is no room left on this device.")
    until(page, told.is_visible, lambda: sushizock_turn(page))
    worker.evaluate("self.clear()")
    until(page, lambda: not told.is_visible(), lambda: sushizock_turn(page))
    worker.evaluate(FULL)
    until(page, told.is_visible, lambda: sushizock_turn(page))
    page.get_by_role("button", name="Got it").click()  # it lies over the dice
    expect(told).to_have_count(0)
    page.get_by_role("button", name="Menu").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(told).to_have_count(0)  # what was put away stays so, whatever lies over the table
    worker.evaluate("self.clear()")

    other = page.context.new_page()
    other.goto(page.url)
    expect(other.get_by_text("Your tables are open in another tab.")).to_be_visible()
    page.close()
    play_out(sushizock_turn, other)


SPOILT = """async () => {
  const asked = (one) => new Promise((done) => (one.onsuccess = () => done(one.result)));
  const store = await asked(indexedDB.open("tischlein"));
  const pieces = store.transaction("pieces", "readwrite").objectStore("pieces");
  await asked(pieces.put(new Uint8Array(4096).fill(7), 0));
  store.close();
}"""
"""Writes nonsense over what is kept."""


def test_who_cannot_read_their_tables_any_more_is_told_what_to_do(
    browser: Browser, site: str
) -> None:
    page = settled(browser, site, trouble="favicon")
    meet_bots(page, "Sushizock")
    read_hint(page)
    page.goto(f"{site}icon-192.png")  # where nobody has the tables
    page.evaluate(SPOILT)
    page.goto(site)
    page.get_by_role("button", name="What can I do?").click()
    told = page.get_by_text("Perhaps somebody with the know-how can mend them")
    expect(told).to_be_visible()
    with page.expect_download() as waited:
        page.get_by_role("button", name="Keep them in a file").click()
    assert waited.value.suggested_filename == "tischlein.sqlite"
    page.get_by_role("button", name="Forget all tables here").click()
    page.get_by_role("button", name="Really forget them all").click()
    expect(told).to_have_count(0)
    go_to(page, "/")
    meet_bots(page, "Sushizock")
    until(page, lambda: sushizock_turn(page), lambda: False)


LOCKED = """new Promise((done) => {
  indexedDB.open("tischlein", 99).onsuccess = ({ target }) => done(target.result.close());
})"""
"""Lets what a browser keeps be such that we cannot open it."""


def test_seats_are_not_forgotten_where_the_browser_cannot_open_what_it_keeps(
    browser: Browser, site: str
) -> None:
    page = settled(browser, site, trouble=f"{NO_NETWORK}|404")  # a text has no icon
    meet_bots(page, "Sushizock")
    read_hint(page)
    until(page, lambda: sushizock_turn(page), lambda: False)
    seat = f"tischlein.seat.{page.url.rpartition('/')[2]}"
    page.goto(f"{site}licences.txt")
    page.evaluate(LOCKED)
    page.goto(site)
    known = "() => localStorage['tischlein.tables']"
    until(page, lambda: page.evaluate(known) == "[]", lambda: False)
    assert page.evaluate("key => key in localStorage", seat)


def words_of_device() -> list[str]:
    """Name the texts of the device's page that are read here."""
    told = "save saved nothingNew badFile brought.one forget forgetSure"
    return [f"device.{name}" for name in told.split()]
