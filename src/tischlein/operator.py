"""`tischlein house …`: what whoever runs a house does, beside its server or at its store.

A server that runs is asked over HTTP with the house's key, which lies in the store: who may read
the store may run the house. Where no server answers, the same is done at the store itself.
"""

import os
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tischlein.command import AsJson, Data, StoreAt, fail, store_address, with_store

if TYPE_CHECKING:
    from tischlein.people.operator import Operator

house_app = typer.Typer(help="Look after a house: its tables, its names, its back-ups.")
PATIENCE = 30.0
"""So many seconds a server has to answer."""

ServerAt = Annotated[
    str | None,
    typer.Option(
        "--server",
        metavar="ADDRESS",
        help="The server that runs; usually http://127.0.0.1:8080.",
        show_default=False,
    ),
]
TableName = Annotated[str, typer.Argument(metavar="TABLE", help="The table, as in its link.")]
CupName = Annotated[
    str | None,
    typer.Option("--cup", metavar="CUP", help="A tournament, as in its link.", show_default=False),
]
BackUp = Annotated[Path, typer.Argument(metavar="FILE", help="The back-up.")]
Do = Callable[["Operator"], Awaitable[Any]]


class Refused(Exception):
    """A server's no, with its reason."""


@house_app.command()
def look(
    table: Annotated[str | None, typer.Argument(metavar="[TABLE]", help="One table.")] = None,
    cup: CupName = None,
    as_json: AsJson = False,
    server: ServerAt = None,
    store: StoreAt = None,
    data: Data = None,
) -> None:
    """Tell how the house stands, or one table or tournament of it: who is there."""
    at = server, store, data
    if table is not None and cup is not None:
        fail("name a table or a tournament")
    if table is not None:
        found = ask(*at, "table", {"table": table}, lambda op: op.look_at(table))
        tell(found, as_json, told_table)
    elif cup is not None:
        tell(ask(*at, "cup", {"cup": cup}, lambda op: op.look_at_cup(cup)), as_json, told_cup)
    else:
        tell(ask(*at, "look", {}, lambda op: op.look()), as_json, told_house)


@house_app.command()
def close(
    table: TableName, server: ServerAt = None, store: StoreAt = None, data: Data = None
) -> None:
    """Close a table: who is there hears it at once, and nobody plays there any more."""

    async def do(operator: "Operator") -> Any:
        return await operator.close(table) or None

    ask(server, store, data, "close", {"table": table}, do)
    tell(table, False, lambda name: [f"Table {name} is closed."])


@house_app.command()
def rename(
    where: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="TABLE SEAT [NAME]",
            help="Whose name; seats count from 0. With --cup: [MEMBER [NAME]].",
        ),
    ] = None,
    profile: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="A profile in place of a seat: its name, or its id."),
    ] = None,
    cup: CupName = None,
    server: ServerAt = None,
    store: StoreAt = None,
    data: Data = None,
) -> None:
    """Take a name away, here and in records; without another one they are called somebody.

    With --cup: of a member of a tournament, as `look --cup` counts them, or else its title.
    """
    given = where or []
    if profile is not None and cup is not None:
        fail("name a profile or a tournament")
    if profile is not None:
        body, do = of_profile(profile, given)
    elif cup is not None:
        body, do = in_cup(cup, given)
    else:
        body, do = in_seat(given)
    found = ask(server, store, data, "rename", body, do)
    tell(found, False, lambda told: [f"{told['before']} is called {told['after']} now."])


def of_profile(profile: str, given: list[str]) -> tuple[dict[str, Any], Do]:
    """Word that a profile's name is taken away."""
    if len(given) > 1:
        fail("with --profile only the new name may stand here")
    name = given[0] if given else None
    return {"profile": profile, "name": name}, lambda op: op.rename_profile(profile, name)


def in_cup(cup: str, given: list[str]) -> tuple[dict[str, Any], Do]:
    """Word that a name is taken away in a tournament, or its title."""
    if len(given) > 2 or (given and not given[0].isdecimal()):
        fail("name a member, such as: tischlein house rename --cup 7yks2jye3sn8 1")
    member = int(given[0]) if given else None
    name = given[1] if len(given) > 1 else None
    body = {"cup": cup, "member": member, "name": name}
    return body, lambda op: op.rename_in_cup(cup, member, name)


def in_seat(given: list[str]) -> tuple[dict[str, Any], Do]:
    """Word that a name is taken away at a table."""
    if len(given) not in (2, 3) or not given[1].isdecimal():
        fail("name a table and a seat, such as: tischlein house rename 7yks2jye3sn8 1")
    table, seat, name = given[0], int(given[1]), given[2] if len(given) > 2 else None
    return {"table": table, "seat": seat, "name": name}, lambda op: op.rename(table, seat, name)


@house_app.command()
def backup(
    file: BackUp,
    portable: Annotated[
        bool, typer.Option("--portable", help="Lines that any store can read, also of SQLite.")
    ] = False,
    store: StoreAt = None,
    data: Data = None,
) -> None:
    """Write all that is kept to a new file, as it is at one moment; servers may go on."""
    from tischlein.store import backups

    async def work(opened: Any) -> None:
        found = await backups.write(store_address(store, data), opened, file, portable)
        tell(found, False, lambda told: [f"Written to {file}: {told}."])

    with_store(store, data, work, there=True)


@house_app.command()
def check(file: BackUp) -> None:
    """See whether a back-up opens: all of it is read, and played through again."""
    from tischlein.store import backups

    with_back_up(lambda: backups.check(file), lambda found: f"{file} opens: {found}.")


@house_app.command()
def restore(file: BackUp, store: StoreAt = None, data: Data = None) -> None:
    """Put a back-up where there is no store yet; start the server afterwards."""
    from tischlein.store import backups

    where = store_address(store, data)
    with_back_up(lambda: backups.restore(file, where), lambda found: f"Restored: {found}.")


def with_back_up(work: Callable[[], Awaitable[Any]], sentence: Callable[[Any], str]) -> None:
    """Do something with a back-up, or end with the reason."""
    import asyncio

    from tischlein.command import store_problems
    from tischlein.store.moving import BadStore

    async def run() -> Any:
        return await work()

    with store_problems():
        try:
            tell(asyncio.run(run()), False, lambda found: [sentence(found)])
        except BadStore as problem:
            fail(str(problem))


def ask(
    server: str | None, store: str | None, data: Path | None, what: str, body: Any, do: Do
) -> Any:
    """Ask the server that runs; where none answers, do it at the store, and say so."""
    import msgspec

    from tischlein.game import Refusal
    from tischlein.people.operator import operators_key

    at = server or f"http://127.0.0.1:{os.environ.get('TISCHLEIN_PORT') or '8080'}"
    found: list[Any] = []

    async def work(opened: Any) -> None:
        try:
            found.append(call(at, what, body, await operators_key(opened)))
            return
        except Refused as problem:
            fail(str(problem))
        except OSError:
            print(f"No server answers at {at}: this is done at the store.", file=sys.stderr)
        try:
            found.append(msgspec.to_builtins(await at_store(opened, do)))
        except Refusal as problem:
            fail(str(problem))

    with_store(store, data, work, there=True)
    if found[0] is None:
        missing = {"table": "table", "cup": "tournament"}
        what = next((called for key, called in missing.items() if key in body), "profile")
        fail(f"there is no such {what}")
    return found[0]


async def at_store(opened: Any, do: Do) -> Any:
    """Do something in a house around a store at which no server is."""
    from tischlein.house.house import House
    from tischlein.people.operator import Operator

    house = House(opened)
    try:
        return await do(Operator(house))
    finally:
        for table in house.tables.values():
            table.stop()
        house.thinkers.close()


def call(server: str, what: str, body: Any, key: str) -> Any:
    """Ask a server; raise Refused with its reason, or OSError if there is none."""
    from urllib.error import HTTPError
    from urllib.request import ProxyHandler, Request, build_opener

    import msgspec

    if not server.startswith(("http://", "https://")):
        fail(f"{server} is not the address of a server, such as http://127.0.0.1:8080")
    address = f"{server.rstrip('/')}/api/house/{what}"
    headers = {"authorization": f"Bearer {key}", "content-type": "application/json"}
    asked = Request(address, msgspec.json.encode(body), headers)  # noqa: S310  # checked above
    try:
        with build_opener(ProxyHandler({})).open(asked, timeout=PATIENCE) as answer:
            return msgspec.json.decode(answer.read())
    except HTTPError as problem:
        raise Refused(reason_of(problem.code, problem.read(), server)) from None
    except (ValueError, msgspec.MsgspecError):
        raise Refused(f"what answers at {server} is no house of ours") from None


def reason_of(status: int, body: bytes, server: str) -> str:
    """Say why a server refuses."""
    import msgspec

    if status == 403:
        return f"the server at {server} has another store: name its own with --data or --store"
    try:
        return str(msgspec.json.decode(body)["reason"])
    except (msgspec.MsgspecError, LookupError, TypeError):
        return f"what answers at {server} is no house of ours ({status})"


def tell(found: Any, as_json: bool, worded: Callable[[Any], list[str]]) -> None:
    """Print what was found, as JSON or in words."""
    from tischlein.names import json_line, printable

    if as_json:
        sys.stdout.buffer.write(json_line(found))
        return
    for line in worded(found):
        print(printable(line))


def told_house(found: dict[str, Any]) -> list[str]:
    """Word how the house stands."""
    here = "{playing} in play, {open} open, {over} over; {asleep} asleep, {slow} of all wait long"
    lines = [
        f"Tables:    {here}".format(**found),
        "People:    {people} in their seats, {watchers} watching".format(**found),
        "Kept:      {kept} tables ({live} in mid-game), {records} records".format(**found),
        "Profiles:  {profiles}, on {logins} devices".format(**found),
        "Cups:      {cups}".format(**found),
        "Nudges:    {pushes} devices to be called".format(**found),
        f"Store:     {found['bytes'] / 1e6:,.1f} MB",
    ]
    if found["servers"]:
        lines.append("Servers:   {servers} live; tables and people are of the one asked".format(
            **found))  # fmt: skip
    for table in found["tables"]:
        told = "{table}  {game}, {phase}: {people} in their seats, {watchers} watching"
        lines.append(told.format(**table))
    return lines


def told_table(found: dict[str, Any]) -> list[str]:
    """Word how a table stands."""
    from datetime import UTC, datetime

    touched = datetime.fromtimestamp(found["touched"], UTC).isoformat(" ", "seconds")
    closed = ", closed" if found["closed"] else ", open to everybody" if found["public"] else ""
    lines = [
        "Table {table}: {game}, {phase}".format(**found) + closed,
        f"Last touched {touched}; games: {found['games']}, watching: {found['watchers']}",
    ]
    return lines + [told_seat(seat) for seat in found["seats"]]


def told_cup(found: dict[str, Any]) -> list[str]:
    """Word how a tournament stands, and the numbers of who takes part."""
    lines = ["Tournament {cup}: {title}; {game}, {phase}".format(**found)]
    if found["tables"]:
        lines.append(f"Tables of this round: {', '.join(found['tables'])}")
    return lines + [told_member(member) for member in found["members"]]


def told_member(member: dict[str, Any]) -> str:
    """Word who takes part."""
    marks = {"host": "host", "left": "has left", "profile": "has a profile"}
    told = ", ".join(words for mark, words in marks.items() if member[mark])
    return f"  {member['member']}  {member['name']}" + (f" ({told})" if told else "")


def told_seat(seat: dict[str, Any]) -> str:
    """Word who sits in a seat."""
    if seat["name"] is None:
        return f"  {seat['seat']}  free"
    marks = {
        "host": seat["host"],
        "bot": seat["bot"] is not None,
        "has left": seat["left"],
        "away": not seat["here"],
        "played for": seat["relief"] is not None,
        "has a profile": seat["profile"],
    }
    told = ", ".join(mark for mark, holds in marks.items() if holds)
    return f"  {seat['seat']}  {seat['name']}" + (f" ({told})" if told else "")
