"""Fetches the record of a finished game and checks every die and card against seed and words.

Run: python examples/verify_game.py http://127.0.0.1:8080 TABLE [COMMITMENT [WORD]]

COMMITMENT is what the table showed before the game, WORD the one that you had sealed: with both,
not even the server can cheat.
"""

import sys
from urllib.request import build_opener

from tischlein import replay
from tischlein.chance import check_noted, verify
from tischlein.record import BadRecord

PROVEN = {
    "sealed": "sealed words were in them, so that nobody could choose them.",
    "open": "but not all words were sealed: whoever spoke last could have chosen them.",
    "none": "but nobody added a word: whoever made the seed could have chosen it.",
}


def check(url: str, table: str, promised: str | None = None, *words: str) -> str:
    with build_opener().open(f"{url}/api/tables/{table}/record", timeout=20) as answer:
        game = replay(answer.read().split(b"\n"))
    verdict = verify(game)
    check_noted(game, promised, words)
    agreed = f"The dice were fair: all {verdict.agreed} moves of nature are what the seed gives"
    return f"{agreed}; {PROVEN[verdict.proof]}"


def main() -> int:
    try:
        print(check(*sys.argv[1:]))
    except (BadRecord, OSError) as problem:
        print(ascii(str(problem)), file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
