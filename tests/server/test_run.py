"""How a server is started: what its log shows."""

import logging
import sys

from tischlein.server.run import LINES_AT_ONCE, LONGEST_LINE, LogLines, Sparingly


def test_a_log_line_is_one_line_and_plays_no_tricks() -> None:
    """Who reads the log would have been told of things that never happened."""
    lines = LogLines("%(levelname)s %(message)s")
    evil = "x\x1b[2J\x9b\u202e\nINFO table=1 the dice were fair"
    made = logging.LogRecord("n", logging.INFO, "f", 1, "path %s", (evil,), None)
    assert lines.format(made) == r"INFO path x\x1b[2J\x9b\u202e\nINFO table=1 the dice were fair"


def test_the_way_to_an_error_keeps_its_lines() -> None:
    try:
        raise ValueError("\x1b[2J")
    except ValueError:
        found = sys.exc_info()
    made = logging.LogRecord("n", logging.ERROR, "f", 1, "failed", (), found)
    told = LogLines("%(message)s").format(made).split("\n")
    assert told[0] == "failed"
    assert told[-1] == r"ValueError: \x1b[2J"


def test_a_stranger_writes_no_long_lines() -> None:
    """Else: an address of eight thousand signs is written down with every handshake."""
    lines = LogLines("%(message)s")
    made = logging.makeLogRecord({"msg": "WebSocket %s", "args": ("/" + "a" * 8000,)})
    assert len(lines.format(made)) == LONGEST_LINE


def test_who_knocks_without_end_does_not_fill_the_disk() -> None:
    """Else: 3,600 refused handshakes a second write 2.4 gigabytes of log an hour."""
    few = Sparingly()
    told = [few.filter(logging.makeLogRecord({"msg": "no entry"})) for _ in range(10_000)]
    assert LINES_AT_ONCE <= sum(told) < 10 * LINES_AT_ONCE
    assert few.filter(logging.makeLogRecord({"msg": "shutting down"})), "what else happens is told"
