"""Two phones without the internet: one holds the table, the other joins it over a data channel."""

import base64
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.house import play_out, press, read_hint, until
from tests.browser.offline import host_of_files, settled
from tests.browser.players import kakerlaken_deed, sushizock_turn
from tischlein.page.site import write_site

LOOPBACK: Final = """(() => {
  const all = Object.getOwnPropertyDescriptor(RTCPeerConnection.prototype, "localDescription");
  const fits = (line) => !line.startsWith("a=candidate") || line.includes(" 127.0.0.1 ");
  Object.defineProperty(RTCPeerConnection.prototype, "localDescription", {
    get() {
      const { type = "offer", sdp = "" } = all.get.call(this) ?? {};
      return { type, sdp: sdp.split("\\r\\n").filter(fits).join("\\r\\n") };
    },
  });
})();"""
"""Let a phone name no place but this machine's own."""

CAMERA: Final = """if (navigator.mediaDevices) navigator.mediaDevices.getUserMedia = async () => {
  const paper = Object.assign(document.createElement("canvas"), { width: 720, height: 960 });
  const brush = paper.getContext("2d");
  const draw = () => {
    brush.fillStyle = "#9a8";
    brush.fillRect(0, 0, 720, 960);
    brush.setTransform(0.98, 0.07, -0.06, 0.97, 40, 30); // nobody holds a phone straight
    if (window.inSight) brush.drawImage(window.inSight, 30, 150, 640, 640);
    brush.resetTransform();
    if (!track.readyState || track.readyState === "live") requestAnimationFrame(draw);
    else document.documentElement.dataset.camera = "off";
  };
  const stream = paper.captureStream();
  const [track] = stream.getTracks();
  draw();
  return stream;
};"""
"""A camera that sees a picture, held askew."""

Site = tuple[str, Callable[[], object]]


@pytest.fixture
def files(tmp_path: Path) -> Iterator[Site]:
    """A static site, and what takes it away for good."""
    write_site(tmp_path / "table")
    with host_of_files(tmp_path) as (address, stop):
        yield f"{address}/table/", stop


def phone(browser: Browser, site: str) -> Page:
    """Give a phone that may use its camera, and has been at the site."""
    page = settled(browser, site)
    for script in (LOOPBACK, CAMERA):
        page.context.add_init_script(script)
    page.context.grant_permissions(["camera"])
    page.reload()  # with these from the first line on
    return page


def set_near(host: Page, game: str, seats: int = 2) -> None:
    """Set a table on a phone, and let another one join."""
    host.get_by_label("Your nickname").fill("Ada")
    host.get_by_role("button", name=f"Play together: {game}").click()
    host.get_by_text(str(seats), exact=True).click()
    host.get_by_role("button", name="Set the table").click()
    host.get_by_role("button", name="Let another phone join").click()


def note_of(page: Page) -> str:
    """Read the text that a phone would send."""
    expect(page.get_by_role("img", name="A code for the other phone")).to_be_visible()
    return page.locator(".given input").input_value()


def paste(page: Page, text: str) -> None:
    """Paste a text that came from the other phone."""
    page.get_by_label("Or paste the text you were sent:").fill(text)
    page.get_by_role("button", name="Go on", exact=True).click()


def scan(page: Page, other: Page) -> None:
    """Hold a phone over another one's screen."""
    code = other.get_by_role("img", name="A code for the other phone")
    expect(code).to_be_visible()
    seen = base64.b64encode(code.screenshot()).decode()
    page.get_by_role("button", name="Scan", exact=True).click()
    page.evaluate(
        """async (url) => {
        const picture = Object.assign(new Image(), { src: url });
        await picture.decode();
        window.inSight = picture;
        }""",
        f"data:image/png;base64,{seen}",
    )


def pair(host: Page, guest: Page) -> None:
    """Bring two phones together by texts."""
    paste(guest, note_of(host))
    paste(host, note_of(guest))


def sit(guest: Page) -> None:
    """Take the free seat."""
    guest.get_by_label("Your nickname").fill("Bo")
    guest.get_by_role("button", name="Sit down").click()


def another_phone(note: str) -> str:
    """Give the code of a phone that says it had this table: its certificate is another one."""
    address, _, letters = note.rpartition("#")
    found = bytearray(base64.urlsafe_b64decode(letters + "=" * (-len(letters) % 4)))
    at = 3
    for _ in range(3):  # table, user, password
        at += 1 + found[at]
    found[at] ^= 1
    return f"{address}#{base64.urlsafe_b64encode(found).decode().rstrip('=')}"


@pytest.mark.long
def test_two_phones_on_a_train_find_each_other_by_codes(browser: Browser, files: Site) -> None:
    address, stop = files
    host, guest = phone(browser, address), phone(browser, address)
    stop()
    set_near(host, "Sushizock")
    guest.get_by_role("button", name="Join a friend beside me").click()
    scan(guest, host)
    expect(guest.get_by_role("heading", name="2. Now your friend scans this:")).to_be_visible()
    scan(host, guest)
    expect(host.get_by_text("✓ Another phone is here.")).to_be_visible()
    assert host.locator("html").get_attribute("data-camera") == "off"
    expect(host.get_by_text("Someone with the know-how")).to_have_count(0)
    sit(guest)
    expect(guest.get_by_text("This table is on Ada’s phone.")).to_be_visible()
    host.get_by_role("button", name="Start").click()
    for page in (host, guest):
        read_hint(page)
    turns: list[bool] = []

    def turn() -> bool:
        moved = [sushizock_turn(page) for page in (host, guest)]
        turns.extend(filter(None, moved))
        return any(moved)

    until(host, lambda: len(turns) > 4, turn)

    # The guest's page is loaded anew: only by a code of the same phone the seat is theirs again.
    guest.reload()
    guest.get_by_role("button", name="Connect again").click()
    host.get_by_role("button", name="Menu").click()
    host.get_by_role("button", name="Let another phone join").click()
    note = note_of(host)
    paste(guest, another_phone(note))
    expect(guest.get_by_role("alert")).to_contain_text("This is not the phone that had this table.")
    expect(guest.get_by_role("img", name="A code for the other phone")).to_have_count(0)
    guest.get_by_role("button", name="Scan another code").click()
    paste(guest, note)
    paste(host, note_of(guest))
    expect(host.get_by_text("✓ Another phone is here.")).to_be_visible()
    host.get_by_role("button", name="Close").last.click()
    play_out(sushizock_turn, host, guest)
    guest.get_by_role("button", name="Check the dice").click()
    expect(guest.get_by_text(re.compile("your own secret word is in them"))).to_be_visible()


def test_quick_hands_on_two_phones_without_the_internet(browser: Browser, files: Site) -> None:
    address, stop = files
    host, guest = phone(browser, address), phone(browser, address)
    guest.get_by_role("button", name="Join a friend beside me").click()
    expect(guest.get_by_role("button", name="Scan", exact=True)).to_be_visible()
    stop()
    set_near(host, "Kakerlaken Sushi", seats=3)
    pair(host, guest)
    sit(guest)
    host.get_by_label("Bot, Seat 3").select_option("easy")
    host.get_by_role("button", name="Start").click()
    for page in (host, guest):
        read_hint(page)

    def deed(page: Page) -> bool:
        return press(page, page.get_by_role("button", name="Ready? Go!")) or kakerlaken_deed(page)

    play_out(deed, host, guest)


def test_who_brings_phones_together_by_keys_or_by_ear_keeps_their_place(
    browser: Browser, files: Site
) -> None:
    address, _ = files
    host, guest = phone(browser, address), phone(browser, address)
    for page in (host, guest):
        page.set_viewport_size({"width": 320, "height": 568})
    set_near(host, "Sushizock")
    guest.get_by_role("button", name="Join a friend beside me").click()
    for page in (host, guest):
        paste(page, "nonsense")
        expect(page.get_by_role("alert").filter(has_text="This is n")).to_be_in_viewport(ratio=0.9)
    host.get_by_role("button", name="Scan", exact=True).click()
    expect(host.locator("video")).to_be_in_viewport(ratio=0.9)
    stop = host.get_by_role("button", name="Stop the camera")
    expect(stop).to_be_focused()
    stop.press("Enter")
    expect(host.get_by_role("button", name="Scan", exact=True)).to_be_focused()
    paste(guest, note_of(host))
    expect(guest.get_by_role("heading", name="2. Now your friend scans this:")).to_be_focused()
    paste(host, note_of(guest))
    expect(host.get_by_role("button", name="Let another phone join")).to_be_focused()


def test_the_cameras_own_app_opens_codes_in_tabs_of_their_own(
    browser: Browser, files: Site
) -> None:
    address, _ = files
    host, guest = phone(browser, address), phone(browser, address)
    set_near(host, "Sushizock")
    opened = guest.context.new_page()
    opened.goto(note_of(host))
    expect(opened.get_by_role("heading", name="2. Now your friend scans this:")).to_be_visible()
    expect(opened).to_have_url(re.compile("/near$"))
    handing = host.context.new_page()
    handing.goto(note_of(opened))
    expect(handing.get_by_text("✓ Your friend is coming in.")).to_be_visible()
    expect(host.get_by_text("✓ Another phone is here.")).to_be_visible()
    sit(opened)
    expect(opened.get_by_text("This table is on Ada’s phone.")).to_be_visible()


LIAR: Final = """(() => {
  const make = RTCPeerConnection.prototype.createDataChannel;
  RTCPeerConnection.prototype.createDataChannel = function (...what) {
    window.channel = make.apply(this, what);
    return window.channel;
  };
  window.answers = new Map();
  window.tell = (text) => {
    const bytes = new TextEncoder().encode(text);
    for (let at = 0; at < bytes.length; at += 9000) {
      const more = at + 9000 < bytes.length;
      window.channel.send(new Uint8Array([Number(more), ...bytes.slice(at, at + 9000)]));
    }
  };
  window.asks = (id, what) => new Promise((resolve) => {
    setTimeout(() => resolve(0), 9000);
    let come = "";
    const hear = ({ data }) => {
      const bytes = new Uint8Array(data);
      come += new TextDecoder().decode(bytes.slice(1));
      if (bytes[0]) return;
      const told = JSON.parse(come);
      come = "";
      if (told.id !== id) return;
      window.channel.removeEventListener("message", hear);
      resolve(told.status);
    };
    window.channel.addEventListener("message", hear);
    window.tell(JSON.stringify({ id, ...what }));
  });
})();"""
"""A guest with a client of their own."""


def test_nothing_that_a_guest_says_ends_the_table(browser: Browser, files: Site) -> None:
    address, _ = files
    host, liar = phone(browser, address), phone(browser, address)
    liar.context.add_init_script(LIAR)
    liar.reload()
    liar.get_by_role("button", name="Join a friend beside me").click()
    set_near(host, "Sushizock")
    pair(host, liar)
    expect(host.get_by_text("✓ Another phone is here.")).to_be_visible()
    table = f"/api/tables/{host.url.partition('/t/')[2]}"
    bodies = ['{"name":7}', '{"name":"\\ud83d"}', "[" * 40, '{"seat":1e999}', "\x00", '"' * 9000]
    for number, body in enumerate(bodies):
        for place, deed in enumerate(("seats", "start", "remove", "contribution", "bots")):
            asked = {"method": "POST", "path": f"{table}/{deed}", "body": body}
            status = liar.evaluate(
                "([id, what]) => asks(id, what)", [1e6 + 9 * number + place, asked]
            )
            assert 400 <= status < 500, (deed, body, status)
    for what in ("replay?game=1", "coach?game=0", "coach?game=9", "hint?lang=xx", "record"):
        status = liar.evaluate("([id, what]) => asks(id, what)", [2e6, {"path": f"{table}/{what}"}])
        assert 400 <= status < 500, (what, status)
    frames = [
        "[" * 40,
        "\x00",
        '{"type":"hello","seq":-1e99}',
        "{}",
        '{"type":"hello","pings":true}',
        '{"type":"move","id":1,"move":{"do":[[[[]]]]}}',
        '{"type":"ping","t0":1e308}',
        '{"type":"hold","on":true}',
        '{"type":"react","id":1,"mood":"x"}',
    ]
    for line in range(3, 9):
        liar.evaluate("(text) => tell(text)", f'{{"line":{line},"path":"{table}/live"}}')
        for frame in frames[line - 3 :]:
            liar.evaluate("([line, text]) => tell(JSON.stringify({ line, text }))", [line, frame])
    assert liar.evaluate("([id, what]) => asks(id, what)", [3e6, {"path": table}]) == 200
    # What ends the Python of a page: it must not come so far.
    deep = '{"type":"move","id":1,"move":' + "[" * 20_000 + "}"
    liar.evaluate("(text) => tell(JSON.stringify({ line: 3, text }))", deep)
    expect(host.get_by_text("✓ Another phone is here.")).to_have_count(0)
    host.get_by_label("Bot, Seat 2").select_option("easy")
    host.get_by_role("button", name="Start").click()
    read_hint(host)
    play_out(sushizock_turn, host)
