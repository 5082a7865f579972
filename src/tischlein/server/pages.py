"""The browser client: one page for every screen, its files, and QR codes of links."""

import gzip
from collections.abc import Mapping
from functools import lru_cache, partial
from io import BytesIO
from pathlib import Path
from typing import Final

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from tischlein.server import brought
from tischlein.server.dear import Dear

STATIC: Final = Path(__file__).parent / "static"
LONGEST_LINK: Final = 300
PACKED: Final = ("text/javascript", "text/css", "application/javascript", "application/json",
                 "image/svg+xml", "text/html", "application/wasm")  # fmt: skip
PAGES: Final[tuple[str, ...]] = (
    "/cup", "/cup/{cup}", "/cup/{cup}/tv",
    "/me", "/me/link/{code}",
    "/boards", "/boards/{game}",
    "/privacy", "/device", "/near",
    "/history", "/figures", "/game/{table}/{number}",
)  # fmt: skip
"""The pages beside landing page and tables: `web/src/screens/pages.ts` names them, too."""
PARTS: Final = "parts.json"
"""Says which version of Python for the browser there is; all else of it lies under its version."""
KEPT_FOR_EVER: Final = "public, max-age=31536000, immutable"
PICTURES: Final = ("badge.png", *(f"icon-{size}.png" for size in (
    48, 96, 144, 180, 192, 256, 384, 512, "maskable-192", "maskable-512")))  # fmt: skip
"""What a phone shows of us: on its first screen, in a notification, in its top line."""
WORKER: Final = "default-src 'none'; connect-src 'self'; img-src 'self'"
"""What the page's worker may load, which shows nudges while no page is open."""
POLICY: Final = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; "
    "img-src 'self' data:; font-src 'self'; connect-src 'self'; manifest-src 'self'; "
    "worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS: Final = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
}
NOT_BUILT: Final = """<!doctype html><html lang="en"><meta charset="utf-8">
<title>Tischlein</title><h1>Tischlein</h1>
<p>The table is set, but its browser client was not built. <code>python hatch_build.py</code>
builds it; <code>tischlein play GAME</code> plays in the terminal.</p>
"""


class Assets(StaticFiles):
    """Files whose names change with what is in them: they may be kept for ever."""

    def __init__(self, dear: Dear, folder: str = "assets") -> None:
        super().__init__(directory=STATIC / folder, check_dir=False)
        self._dear = dear

    async def get_response(self, path: str, scope: Scope) -> Response:
        """Serve a file, to be kept."""
        found = await super().get_response(path, scope)
        if found.status_code == 200:
            lasts = path != PARTS
            found.headers["cache-control"] = KEPT_FOR_EVER if lasts else "no-cache"
            found = await self._packed(found, Headers(scope=scope))
        found.headers.update(HEADERS)
        return found

    async def _packed(self, found: Response, wanted: Headers) -> Response:
        """Pack a file that gains by it, once for everybody."""
        kind = found.headers.get("content-type", "").partition(";")[0]
        found.headers["vary"] = "accept-encoding"
        may = "gzip" in wanted.get("accept-encoding", "") and "range" not in wanted
        if not isinstance(found, FileResponse) or not may or kind not in PACKED:
            return found
        file = Path(found.path)
        packed = await self._dear.give(("asset", file), "", partial(pack, file))
        headers = {name: value for name, value in found.headers.items() if name != "content-length"}
        return Response(packed, headers=headers | {"content-encoding": "gzip"})


def pack(file: Path) -> bytes:
    """Pack a file."""
    return gzip.compress(file.read_bytes(), 6)


@lru_cache(64)  # more than there are answers that never change
def pack_once(body: bytes) -> bytes:
    """Pack what is asked for again and again."""
    return gzip.compress(body, 6)


def packed(request: Request, found: Response) -> Response:
    """Pack an answer that never changes, for who takes it so."""
    found.headers["vary"] = "accept-encoding"
    if "gzip" not in request.headers.get("accept-encoding", ""):
        return found
    body = pack_once(bytes(found.body))
    headers = {name: value for name, value in found.headers.items() if name != "content-length"}
    return Response(body, headers=headers | {"content-encoding": "gzip"})


def page_routes(dear: Dear) -> list[Route | Mount]:
    """List the addresses that people open in a browser."""
    games = brought.read_now()

    async def page(_: Request) -> Response:
        return the_page(games)

    async def worker(_: Request) -> Response:
        return the_worker(games)

    async def game(request: Request) -> Response:
        return a_game(games.get(request.url.path.removeprefix("/")))

    return [
        Route("/", page),
        Route("/t/{table}", page),
        *(Route(path, page) for path in PAGES),
        Route("/icon.svg", lone_file),
        Route("/manifest.webmanifest", lone_file),
        Route("/licences.txt", lone_file),
        *(Route(f"/{name}", lone_file) for name in PICTURES),
        Route("/sw.js", worker),
        Route("/games/{file}", game),
        Mount("/assets", Assets(dear)),
        Mount("/python", Assets(dear, "python")),
    ]


def the_page(games: Mapping[str, bytes]) -> Response:
    """Serve the one page; it draws the screen that its address names."""
    index = STATIC / "index.html"
    headers = HEADERS | {"cache-control": "no-cache"}
    if not index.exists():
        return HTMLResponse(NOT_BUILT, headers=headers)
    text = brought.with_games(index.read_text(encoding="utf-8"), games)
    return HTMLResponse(at_root(text), headers=headers)


def at_root(page: str) -> str:
    """Let the page find its files wherever its own address leads."""
    return page.replace('="./', '="/')


def a_game(source: bytes | None) -> Response:
    """Serve a game of one file, for the page to play without a network."""
    headers = HEADERS | {"cache-control": "no-cache"}
    if source is None:
        return Response(status_code=404, headers=headers)
    return Response(source, media_type="text/plain; charset=utf-8", headers=headers)


async def lone_file(request: Request) -> Response:
    """Serve an icon or the manifest."""
    found = STATIC / Path(request.url.path).name
    if not found.exists():
        return Response(status_code=404, headers=HEADERS)
    return FileResponse(found, headers=HEADERS | {"cache-control": "max-age=3600"})


def the_worker(games: Mapping[str, bytes]) -> Response:
    """Serve the page's worker; a browser asks whether there is a newer one."""
    found = STATIC / "sw.js"
    headers = HEADERS | {"content-security-policy": WORKER, "cache-control": "no-cache"}
    if not found.exists():
        return Response(status_code=404, headers=headers)
    text = found.read_text(encoding="utf-8")
    kept = brought.keeping(text, games) if games else text
    return Response(kept, media_type="text/javascript", headers=headers)


def qr_code(text: str) -> bytes:
    """Draw a link as a QR code."""
    import segno

    picture = BytesIO()
    segno.make(text, error="m", micro=False).save(
        picture, kind="svg", scale=4, border=2, light="#fff", xmldecl=False
    )
    return picture.getvalue()
