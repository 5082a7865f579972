"""Files that only their owner may read: they hold the seeds of games that go on."""

import contextlib
import os
from functools import partial
from pathlib import Path
from typing import IO, Final

FOLDER: Final = 0o700
FILE: Final = 0o600
BESIDE: Final = ("", "-wal", "-shm", "-journal")
"""What SQLite keeps beside a file, by how the names go on."""


def make_folder(folder: Path) -> None:
    """Make the folder of a store; one that is there and holds nothing else becomes private."""
    folder.mkdir(FOLDER, parents=True, exist_ok=True)
    if all(found.name.startswith("tables.sqlite") for found in folder.iterdir()):
        tighten(folder, FOLDER)


def keep_private(file: Path) -> None:
    """Make the file of a store private before anything is written to it."""
    with contextlib.suppress(OSError):  # whoever opens it next says what is wrong
        os.close(os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, FILE))
    for end in BESIDE:
        tighten(file.with_name(file.name + end), FILE)


def open_for_owner(file: str | Path) -> IO[bytes]:
    """Open a new file to be written, which only its owner may read."""
    return open(file, "xb", opener=partial(os.open, mode=FILE))


def tighten(path: Path, mode: int) -> None:
    """Take from others what they may do with something of ours."""
    try:
        found = path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return
    if hasattr(os, "geteuid") and found.st_uid == os.geteuid() and found.st_mode & 0o077:
        path.chmod(found.st_mode & mode)
