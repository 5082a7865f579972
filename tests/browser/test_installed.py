"""The page among the apps of a device: what a server gives for it, and how a renewed site comes."""

import json
import os
import re
import shutil
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from struct import unpack
from urllib.request import urlopen

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.house import House, is_over, new_page, play_out, press, read_hint, until
from tests.browser.looks import words
from tests.browser.offline import (
    AT_ONCE,
    FOLDER,
    NO_NETWORK,
    STRICT,
    address_in,
    files_served,
    settled,
)
from tests.browser.players import meet_bots, sushizock_turn
from tischlein.page.site import write_site

SAVES = "Object.defineProperty(navigator, 'connection', { value: { saveData: true } });"
"""Says that somebody pays for what comes over the network."""
WATCHED = """addEventListener("DOMContentLoaded", () => {
  window.shares = [];
  new MutationObserver(() => {
    const bar = document.querySelector("progress");
    if (bar) window.shares.push(bar.value / bar.max);
  }).observe(document, { subtree: true, childList: true, attributes: true });
});"""
"""Notes how far a bar has come."""
SIZED = re.compile(r'"(assets/[^"]+)": \d+')
RENEWING = """async () => {
  const kept = await navigator.serviceWorker.getRegistration();
  const done = new Promise((resolve) => kept.addEventListener("updatefound", () => {
    const { installing } = kept;
    installing.addEventListener("statechange", () => resolve(installing.state));
  }));
  await kept.update().catch(() => {});
  return done;
}"""
"""Looks for a newer worker of the page, and says what becomes of it."""
SIGNATURE = b"\x89PNG\r\n\x1a\n"


def test_a_manifest_and_its_icons(house: House) -> None:
    with urlopen(f"{house.url}/manifest.webmanifest") as found:
        manifest = json.loads(found.read())
    assert {"name", "short_name", "id", "start_url", "scope", "display"} <= set(manifest)
    sizes = set()
    for icon in manifest["icons"]:
        with urlopen(f"{house.url}/{icon['src']}") as found:
            picture = found.read()
            assert found.headers["content-type"] == icon["type"]
        if icon["type"] == "image/png":
            assert picture.startswith(SIGNATURE)
            width, height = unpack(">II", picture[16:24])
            assert icon["sizes"] == f"{width}x{height}"
            sizes.add((width, icon.get("purpose", "any")))
    assert {(192, "any"), (512, "any"), (192, "maskable"), (512, "maskable")} <= sizes


def test_python_comes_on_a_tap_where_data_is_saved_and_then_the_server_may_go(
    browser: Browser, own_house: House
) -> None:
    page = new_page(browser, "it-IT", phone=True, trouble=NO_NETWORK, worker=True)
    for script in (AT_ONCE, STRICT, SAVES, WATCHED):
        page.context.add_init_script(script)
    asked: list[str] = []
    page.context.on("request", lambda sent: asked.append(sent.url))
    page.goto(own_house.url)
    line = page.locator("[data-kept=asks]")
    expect(line).to_have_text(words("it", "device.line"))
    assert not [url for url in asked if ".wasm" in url or ".zip" in url]
    line.click()
    page.get_by_role("button", name=words("it", "device.get")).click()
    expect(page.get_by_text(words("it", "device.ready"))).to_be_visible()
    shares = page.evaluate("window.shares")
    assert shares == sorted(shares)
    assert any(0 < share < 1 for share in shares), "one sees it coming"

    own_house.stop()
    page.goto(own_house.url)
    expect(page.get_by_text(words("it", "here.noServer"))).to_be_visible()
    game = words("it", "sushizock.title")
    page.get_by_role("button", name=f"{words('it', 'playAlone')}: {game}").click()
    page.locator(".start .main").click()
    page.get_by_role("button", name=words("it", "gotIt")).click()
    over = page.get_by_role("button", name=words("it", "fairCheck"))
    shown = page.get_by_role("button", name=words("it", "showResult"))
    until(page, over.is_visible, lambda: sushizock_turn(page, language="it") or press(page, shown))


def renewed(folder: Path) -> None:
    """Make another version of a site: none of its parts is called as before."""
    (python,) = (path for path in (folder / "python").iterdir() if path.is_dir())
    names = {path.name: f"{path.stem}-2{path.suffix}" for path in (folder / "assets").iterdir()}
    python.rename(python.with_name(f"{python.name}2"))
    names[python.name] = f"{python.name}2"
    for old in (folder / "assets").iterdir():
        old.rename(old.with_name(names[old.name]))
    old_name = re.compile("|".join(map(re.escape, names)))
    for path in folder.rglob("*"):
        if path.suffix in {".js", ".css", ".html"} or path.name == "parts.json":
            text = path.read_text(encoding="utf-8")
            path.write_text(old_name.sub(lambda it: names[it[0]], text), encoding="utf-8")
    worker = folder / "sw.js"
    text = worker.read_text(encoding="utf-8")
    text = re.sub('"version": "', '"version": "2', old_name.sub(lambda it: names[it[0]], text))
    worker.write_text(SIZED.sub(partial(sized, folder), text), encoding="utf-8")


def sized(folder: Path, found: re.Match[str]) -> str:
    """Tell again how many bytes a file has."""
    return f'"{found[1]}": {(folder / found[1]).stat().st_size}'


def dated(folder: Path, when: float) -> None:
    """Let files be old: where a host says nothing a browser keeps one for a tenth of its age."""
    for path in folder.rglob("*"):
        os.utime(path, (when, when))


@pytest.fixture
def host(tmp_path: Path) -> Iterator[str]:
    site = tmp_path / "host" / FOLDER
    write_site(site)
    shutil.copytree(site, tmp_path / "next")
    renewed(tmp_path / "next")
    dated(site, 1.6e9)
    dated(tmp_path / "next", 1.7e9)
    with files_served(tmp_path / "host") as address:
        yield address


def is_new(page: Page) -> bool:
    """Say whether the page is the renewed one."""
    return page.locator("script[src*='-2.js']").count() == 1


def test_a_renewed_site_comes_at_the_next_start_and_the_game_goes_on(
    browser: Browser, host: str, tmp_path: Path
) -> None:
    page = settled(
        browser, address_in(host), trouble=f"{NO_NETWORK}|404|ERR_FAILED|Failed to fetch"
    )
    meet_bots(page, "Sushizock")
    read_hint(page)
    until(page, lambda: sushizock_turn(page), lambda: False)
    site = tmp_path / "host" / FOLDER
    site.rename(tmp_path / "before")
    (tmp_path / "next").rename(site)

    other = page.context.new_page()
    other.goto(page.url)
    expect(other.locator("script[src*='-2.js']")).to_have_count(1)
    expect(other.get_by_role("button", name="Play here")).to_be_visible()
    other.goto(address_in(host))
    other.wait_for_function(
        "caches.keys().then((all) => !all.some((name) => /tischlein-page .* (?!2)/.test(name)))"
    )
    other.close()

    assert not is_new(page)
    until(page, lambda: sushizock_turn(page), lambda: False)
    play_out(sushizock_turn, page)
    luck = page.get_by_role("dialog", name="What the coach says")
    until(
        page,
        luck.is_visible,
        lambda: press(page, page.get_by_role("button", name="Was it luck?")),
    )
    page.goto(address_in(host))
    expect(page.locator("[data-kept=ready]")).to_be_visible()
    assert is_new(page)
    page.context.set_offline(True)
    page.reload()
    page.get_by_role("region", name="Your tables").get_by_role("button").first.click()
    until(page, lambda: is_over(page), lambda: False)
    assert is_new(page)


def cut(file: Path) -> bytes:
    """Leave half of a file, as while it is put up; gives all of it."""
    data = file.read_bytes()
    file.write_bytes(data[: len(data) // 2])
    return data


def test_a_site_that_is_half_put_up_does_no_harm(
    browser: Browser, host: str, tmp_path: Path
) -> None:
    page = settled(
        browser, address_in(host), trouble=f"{NO_NETWORK}|404|ERR_FAILED|Failed to fetch"
    )
    site, renewal = tmp_path / "host" / FOLDER, tmp_path / "next"
    shutil.copy2(renewal / "index.html", site)
    page.reload()
    expect(page.locator("[data-kept=ready]")).to_be_visible()
    assert not is_new(page), "what it would begin with is not there yet"

    shutil.copytree(renewal, site, dirs_exist_ok=True)
    index = (site / "index.html").read_text("utf-8")
    for file in (site / "assets").glob("*-2.js"):
        if file.name not in index:
            cut(file)
    assert page.evaluate(RENEWING) == "redundant"
    page.context.set_offline(True)
    page.reload()
    meet_bots(page, "Sushizock")
    read_hint(page)
    until(page, lambda: sushizock_turn(page), lambda: False)


def test_half_of_python_is_not_kept(browser: Browser, host: str, tmp_path: Path) -> None:
    (part,) = (tmp_path / "host" / FOLDER).glob("python/*/python_stdlib.zip")
    whole = cut(part)
    page = new_page(browser, phone=True, trouble=NO_NETWORK, worker=True)
    page.context.add_init_script(AT_ONCE)
    page.goto(address_in(host))
    expect(page.locator("[data-kept=stuck]")).to_be_visible()
    part.write_bytes(whole)
    page.reload()
    expect(page.locator("[data-kept=ready]")).to_be_visible()
    page.context.set_offline(True)
    page.reload()
    meet_bots(page, "Sushizock")
    read_hint(page)
    until(page, lambda: sushizock_turn(page), lambda: False)
