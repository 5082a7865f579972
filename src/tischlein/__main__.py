"""Lets `python -m tischlein` be the `tischlein` program."""

from tischlein.cli import main

main()
