"""Draw the page's icons in all sizes from `web/public/icon.svg`: python scripts/icons.py."""

import shutil
from pathlib import Path

from playwright.sync_api import sync_playwright

PUBLIC = Path(__file__).parents[1] / "web/public"
SIZES = (48, 96, 144, 180, 192, 256, 384, 512)
MASKABLE = (192, 512)
PAPER = "#FBF3E4"
INSIDE = 0.74
"""So much of a maskable icon is sure to be seen, whatever shape a phone cuts it to."""


def main() -> None:
    """Draw each picture as a browser shows it."""
    drawing = (PUBLIC / "icon.svg").read_text(encoding="utf-8")
    with sync_playwright() as driver:
        browser = driver.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        page = browser.new_page()
        for name, size, scale in [
            *((f"icon-{size}.png", size, 1.0) for size in SIZES),
            *((f"icon-maskable-{size}.png", size, INSIDE) for size in MASKABLE),
        ]:
            paper = PAPER if scale < 1 or size == 180 else "transparent"
            side = round(size * scale)
            page.set_viewport_size({"width": size, "height": size})
            page.set_content(
                f"<style>html{{background:{paper}}}body{{margin:0;display:grid;height:100vh;"
                f"place-items:center}}svg{{width:{side}px;height:{side}px}}</style>{drawing}"
            )
            page.screenshot(path=PUBLIC / name, omit_background=True)
        browser.close()


if __name__ == "__main__":
    main()
