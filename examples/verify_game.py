"""Fetches the record of a finished game and checks every die and card against the seed.

Run: python examples/verify_game.py http://127.0.0.1:8080 TABLE [COMMITMENT]

COMMITMENT is what the table showed before the game: with it, not even the server can cheat.
"""

import sys
from urllib.request import build_opener

from tischlein import replay
from tischlein.chance import verify
from tischlein.record import BadRecord


def check(url: str, table: str, promised: str | None) -> str:
    with build_opener().open(f"{url}/api/tables/{table}/record", timeout=20) as answer:
        game = replay(answer.read().splitlines())
    if promised not in (None, game.header.commitment):
        raise BadRecord(1, "this is not the commitment that was shown before the game")
    verdict = verify(game)
    return f"The dice were fair: all {verdict.agreed} moves of nature are what the seed gives."


def main() -> int:
    url, table, *promised = sys.argv[1:]
    try:
        print(check(url, table, promised[0] if promised else None))
    except (BadRecord, OSError) as problem:
        print(problem, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
