"""Owners of devices: whose finger a device knows, and how they make a profile."""

from typing import Final

from playwright.sync_api import Page, expect

from tests.browser.house import House

AUTHENTICATOR: Final = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}
ENDED: Final = "status of (401|403|422)"
"""What a browser says of a device that is no longer signed in, or of a code that is wrong."""


def with_a_finger(page: Page) -> None:
    """Let a device know the finger of its owner."""
    line = page.context.new_cdp_session(page)
    line.send("WebAuthn.enable")
    line.send("WebAuthn.addVirtualAuthenticator", {"options": AUTHENTICATOR})


def press(page: Page, name: str) -> None:
    """Press a button."""
    page.get_by_role("button", name=name, exact=True).click()


def make_profile(page: Page, name: str) -> None:
    """Make a profile: a name, one tap, the device's own dialog."""
    page.get_by_label("My name").fill(name)
    press(page, "Make my profile")
    expect(page.get_by_text(f"Signed in as {name}")).to_be_visible()


def at_localhost(house: House) -> str:
    """Give the address at which this machine's browsers take passkeys."""
    return house.url.replace("127.0.0.1", "localhost")
