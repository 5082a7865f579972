"""The `tischlein` program. Imports are lazy, so that each command starts quickly."""

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from shlex import quote
from typing import IO, TYPE_CHECKING, Annotated, Any

import typer

from tischlein.command import (
    AsJson,
    Data,
    StoreAt,
    fail,
    in_a_sentence,
    store_problems,
    with_store,
)
from tischlein.operator import house_app

if TYPE_CHECKING:
    from tischlein.chance import Verdict

app = typer.Typer(
    help="The table that sets itself: games to play, study and solve, and your own.",
    no_args_is_help=False,
    add_completion=False,
    pretty_exceptions_enable=False,
)

File = Annotated[str, typer.Argument(metavar="FILE", help="A record, or - for standard input.")]


def game_of(given: str | None) -> str | None:
    """Read a game that is given as a file, and give its name."""
    return load_game(Path(given)) if given is not None and given.endswith(".py") else given


def load_games(files: list[Path] | None) -> list[Path] | None:
    """Read games of one file each, for this program and all processes that it starts."""
    for file in files or ():
        load_game(file)
    return files


def load_game(file: Path) -> str:
    """Read a game of one file, or end with the reason; give its name."""
    from tischlein.game import Refusal
    from tischlein.games import load_file
    from tischlein.games.outside import tell_processes

    try:
        rules = load_file(file)
    except Refusal as problem:
        fail(str(problem))
    tell_processes(file)
    return rules.NAME


GameName = Annotated[
    str,
    typer.Argument(metavar="GAME", help="The game: its name, or a file.", callback=game_of),
]
OwnGames = Annotated[
    list[Path] | None,
    typer.Option(
        "--game",
        envvar="TISCHLEIN_GAMES",
        metavar="FILE",
        help="A game of your own, in one Python file; may be given several times.",
        callback=load_games,
        show_default=False,
    ),
]
HouseRules = Annotated[
    list[str] | None,
    typer.Option("--option", metavar="NAME=VALUE", help="A house rule, such as open_piles=true."),
]
Seed = Annotated[str | None, typer.Option(help="The seed of all chance; drawn if not given.")]
Jobs = Annotated[int, typer.Option(min=0, help="How many processes; 0: all cores.")]
OnDask = Annotated[
    str | None,
    typer.Option(
        "--dask", metavar="ADDRESS", help="Play on this Dask cluster, as tcp://host:8786."
    ),
]
LEVELS = "random, easy, medium, hard, expert"
Language = Annotated[
    str | None, typer.Option("--lang", metavar="en|de|fr|it", help="The language of the table.")
]


def main() -> None:
    """Run the program."""
    app()


def print_version(wanted: bool) -> None:
    """Print the version, if asked for, and end."""
    if wanted:
        from importlib.metadata import version

        print(f"tischlein {version('tischlein')}")
        raise typer.Exit


Host = Annotated[str, typer.Option(envvar="TISCHLEIN_HOST", help="The address to listen at.")]
Port = Annotated[int, typer.Option(envvar="TISCHLEIN_PORT", min=0, max=65535, help="The port.")]
OpenIt = Annotated[
    bool, typer.Option("--open/--no-open", envvar="TISCHLEIN_OPEN", help="Open the browser.")
]
Lan = Annotated[
    bool, typer.Option(envvar="TISCHLEIN_LAN", help="Let phones in the local network join, too.")
]
BotPause = Annotated[
    float,
    typer.Option(envvar="TISCHLEIN_BOT_PAUSE", min=0, help="Seconds that bots seem to think."),
]
OwnName = Annotated[
    list[str] | None,
    typer.Option(envvar="TISCHLEIN_NAMES", help="A host name under which this server is reached."),
]
Setting = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        envvar="TISCHLEIN_SET",
        metavar="NAME=VALUE",
        help="A limit or a time, such as tables_per_minute=600 or race.lag_cap_ms=300.",
    ),
]
BusAt = Annotated[
    str | None,
    typer.Option(
        "--bus",
        envvar="TISCHLEIN_BUS",
        metavar="ADDRESS",
        help="How servers with one store call each other: nats://…",
    ),
]
TrustedProxy = Annotated[
    list[str] | None,
    typer.Option(
        envvar="TISCHLEIN_TRUSTED_PROXIES",
        metavar="ADDRESS",
        help="A proxy whose X-Forwarded-For is believed: its address or network; "
        "may be given several times.",
    ),
]
LogLevel = Annotated[
    str | None,
    typer.Option(
        envvar="TISCHLEIN_LOG",
        help="debug, info or warning; usually info, and warning where a person looks on.",
        show_default=False,
    ),
]


@app.callback(invoke_without_command=True)
def table(
    context: typer.Context,
    version: Annotated[
        bool,
        typer.Option("--version", callback=print_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    """Without a command: set the table in the browser (serve)."""
    if context.invoked_subcommand is None:
        app(["serve"], standalone_mode=False)


@app.command()
def serve(
    host: Host = "127.0.0.1",
    port: Port = 8080,
    data: Data = None,
    open_browser: OpenIt = True,
    lan: Lan = False,
    bot_pause: BotPause = 1.2,
    own_name: OwnName = None,
    log_level: LogLevel = None,
    setting: Setting = None,
    store: StoreAt = None,
    bus: BusAt = None,
    own_games: OwnGames = None,
    trusted_proxy: TrustedProxy = None,
) -> None:
    """Host tables in the browser; prints its address when it is ready."""
    from tischlein.game import Refusal
    from tischlein.house.settings import Settings, changed
    from tischlein.server.proxy import proxies_of
    from tischlein.server.run import LOG_LEVELS, Serving, default_data_folder, is_taken
    from tischlein.server.run import serve as run

    listen = "0.0.0.0" if lan and host == "127.0.0.1" else host  # noqa: S104  # asked for
    folder = default_data_folder() if data is None else data
    try:
        settings = changed(Settings(), [f"bot_pause={bot_pause}", *(setting or ())])
        proxies = proxies_of(trusted_proxy or (), os.environ)
    except Refusal as problem:
        fail(str(problem))
    where = (listen, port, folder, open_browser, lan, tuple(own_name or ()), log_level)
    serving = Serving(*where, store, bus, proxies)
    if log_level not in (None, *LOG_LEVELS):
        fail(f"there is no log level `{log_level}`; there are {', '.join(LOG_LEVELS)}")
    if is_taken(listen, port):
        fail(
            f"port {port} is taken: perhaps a table is set already, at http://127.0.0.1:{port}. "
            "For a second one: tischlein serve --port 0"
        )
    with store_problems():
        run(serving, settings)


store_app = typer.Typer(help="Look after the store in which tables are kept.")
app.add_typer(store_app, name="store")
app.add_typer(house_app, name="house")
MovingFile = Annotated[str, typer.Argument(metavar="FILE", help="The file, or - for a pipe.")]


@store_app.command()
def migrate(store: StoreAt = None, data: Data = None) -> None:
    """Bring the store to this program's version; servers may go on meanwhile."""
    from tischlein.store.schema import VERSION

    async def work(opened: Any) -> None:
        print(f"The store is at version {VERSION}.")

    with_store(store, data, work)


@store_app.command()
def check(store: StoreAt = None, data: Data = None) -> None:
    """Play all tables and records through again, with all their dice."""
    from tischlein.store import moving

    async def work(opened: Any) -> None:
        print(f"All is well: {await moving.check(opened)}.")

    with_store(store, data, work, there=True)


@store_app.command("export")
def export_store(file: MovingFile, store: StoreAt = None, data: Data = None) -> None:
    """Write everything that is kept to a file."""
    from tischlein.store import moving
    from tischlein.store.files import open_for_owner

    async def work(opened: Any) -> None:
        if file == "-":
            found = await moving.export(opened, sys.stdout.buffer.write)
        else:
            with open_for_owner(file) as out:
                found = await moving.export(opened, out.write)
        print(f"Written: {found}.", file=sys.stderr)

    with_store(store, data, work, there=True)


@store_app.command("import")
def import_store(file: MovingFile, store: StoreAt = None, data: Data = None) -> None:
    """Read what `export` wrote, each table and record checked; what is there stays."""
    from tischlein.store import moving

    async def work(opened: Any) -> None:
        with open_record(file) as lines:
            found = await moving.bring_in(opened, lines)
        print(f"Brought in and read back: {found}.", file=sys.stderr)

    with_store(store, data, work)


@app.command()
def play(
    game: Annotated[
        str | None,
        typer.Argument(
            metavar="[GAME]",
            help="The game: its name, or a file; asked for if not given.",
            callback=game_of,
        ),
    ] = None,
    seats: Annotated[int | None, typer.Option(help="How many play, you included.")] = None,
    bots: Annotated[
        str, typer.Option(help=f"The others' bots, {LEVELS}: one for all, or one each.")
    ] = "easy",
    name: Annotated[
        str | None, typer.Option(help="What the others call you, up to 16 characters.")
    ] = None,
    pace: Annotated[
        str, typer.Option(help="How quick the bots are in a race: slow, medium or quick.")
    ] = "slow",
    option: HouseRules = None,
    seed: Seed = None,
    record: Annotated[Path | None, typer.Option(help="Keep the game in this new file.")] = None,
    lang: Language = None,
    own_games: OwnGames = None,
) -> None:
    """Play a game in the terminal against bots."""
    from tischlein.game import Refusal
    from tischlein.terminal.table import Wish
    from tischlein.terminal.table import play as play_here

    options = read_options(option)
    try:
        play_here(Wish(game, seats, bots, name, options, seed, record, lang, pace))
    except (Refusal, OSError) as problem:
        fail(in_a_sentence(problem))


@app.command()
def replay(
    file: File,
    as_json: AsJson = False,
    seat: Annotated[int | None, typer.Option(help="Show only what this seat may see.")] = None,
    story: Annotated[bool, typer.Option("--story", help="Tell every move in words.")] = False,
    lang: Language = None,
    own_games: OwnGames = None,
) -> None:
    """Play a record through and show where it leads."""
    game = read_record(file)
    if seat is not None and not 0 <= seat < len(game.header.seats):
        fail(f"there is no seat {seat}; the seats are 0 to {len(game.header.seats) - 1}")
    if as_json:
        from tischlein.names import json_line
        from tischlein.position import position

        sys.stdout.buffer.write(json_line(position(game, seat)))
    else:
        from tischlein.game import Refusal
        from tischlein.terminal.story import show
        from tischlein.terminal.table import language_for

        try:
            show(game, seat, language_for(lang), story)
        except Refusal as problem:
            fail(str(problem))


@app.command()
def verify(
    file: File,
    commitment: Annotated[
        str | None, typer.Option(metavar="HEX", help="The commitment, as noted before the game.")
    ] = None,
    words: Annotated[
        list[str] | None,
        typer.Option(
            metavar="WORD",
            help="Words noted before the game: one's own, or one for each seat "
            "(again and again, by commas, or as a JSON list).",
        ),
    ] = None,
    own_games: OwnGames = None,
) -> None:
    """Check every die and card of a record against its revealed seed and the players' words."""
    from tischlein.chance import check_noted
    from tischlein.chance import verify as check
    from tischlein.names import printable
    from tischlein.record import BadRecord

    game = read_record(file)
    try:
        verdict = check(game)
        check_noted(game, commitment, noted_words(words or [], verdict.words))
    except BadRecord as problem:
        fail(str(problem))
    unless = "" if verdict.proof == "sealed" else " unless somebody chose them beforehand"
    agreed = f"All {verdict.agreed} moves of nature are what the seed gives"
    print(f"{agreed}: the dice were fair{unless}.")
    print(printable(what_is_proven(verdict)))


def noted_words(given: list[str], words: Sequence[str]) -> list[str]:
    """Read the words that somebody noted: one option each, or all in one."""
    import msgspec

    if len(given) != 1 or given[0] in words:
        return given
    try:
        some = Annotated[list[str], msgspec.Meta(min_length=1)]
        return msgspec.json.decode(given[0], type=some)
    except msgspec.MsgspecError:
        return [word.strip() for word in given[0].split(",")]


def what_is_proven(verdict: "Verdict") -> str:
    """Say in a sentence what the words of a record prove, and what they do not."""
    import json

    words = [
        (seat, json.dumps(word, ensure_ascii=False))
        for seat, word in enumerate(verdict.words)
        if word
    ]
    told = ", ".join(f"seat {seat} {word}" for seat, word in words)
    if verdict.proof == "sealed":
        return (
            f"Proven by sealed words ({told}): who knows one of them as their own knows that "
            "nobody could choose the dice, not even whoever runs the table."
        )
    if verdict.proof == "open":
        return (
            f"Not proven: not all words were sealed ({told}), so whoever knew the seed and spoke "
            "last could have chosen the dice."
        )
    return (
        "Not proven: nobody added a word, so whoever made the seed could have tried many and kept "
        "the one they liked."
    )


@app.command()
def simulate(
    game: GameName,
    seats: Annotated[int, typer.Option(help="How many play.")],
    games: Annotated[int, typer.Option(min=1, help="How many games.")],
    bots: Annotated[
        str | None,
        typer.Option(help=f"{LEVELS} (default: easy): one bot for all seats, or one each: a,b,…"),
    ] = None,
    option: HouseRules = None,
    seed: Seed = None,
    records: Annotated[Path | None, typer.Option(help="Keep each game in this folder.")] = None,
    jobs: Jobs = 0,
    dask: OnDask = None,
    batch: Annotated[
        bool, typer.Option("--batch", help="Play over arrays (JAX): random, or module:function.")
    ] = False,
    as_json: AsJson = False,
    own_games: OwnGames = None,
) -> None:
    """Play many games between bots and count."""
    options = read_options(option)
    with lab_problems():
        if batch:
            from tischlein.lab.arrays import simulate as run_batch

            if records is not None:
                fail("--batch keeps no records; leave out --records or --batch")
            if dask is not None:
                fail("--batch plays on this machine; leave out --dask or --batch")
            run_batch(game, seats, games, bots or "random", options, seed, as_json)
        else:
            from tischlein.lab.command import place_at
            from tischlein.lab.command import simulate as run

            with place_at(jobs, dask) as place:
                run(game, seats, games, bots or "easy", options, seed, records, place, as_json)


@app.command()
def tournament(
    game: GameName,
    bots: Annotated[str, typer.Option(help=f"Two or more of {LEVELS}; expert*10 thinks longer.")],
    seats: Annotated[str, typer.Option(help="How many play; several numbers as in 3,4.")],
    games: Annotated[
        int, typer.Option(min=1, help="At least so many for each pair and number of seats.")
    ] = 2000,
    option: HouseRules = None,
    seed: Seed = None,
    pairs: Annotated[
        str, typer.Option(help="all, or next: each bot only against the next in the list.")
    ] = "all",
    mixed: Annotated[
        bool, typer.Option("--mixed/--no-mixed", help="Also tables where all bots differ.")
    ] = True,
    jobs: Jobs = 0,
    dask: OnDask = None,
    as_json: AsJson = False,
    html: Annotated[Path | None, typer.Option(help="Write a report with charts here.")] = None,
    own_games: OwnGames = None,
) -> None:
    """Let bots meet in all seats with the same deals, and rate them."""
    from tischlein.lab.command import place_at, read_setup
    from tischlein.lab.command import tournament as run

    with lab_problems(), place_at(jobs, dask) as place:
        setup = read_setup(game, bots, seats, games, read_options(option), seed, pairs, mixed)
        run(setup, place, as_json, html)


@contextmanager
def lab_problems() -> Iterator[None]:
    """End a command of the lab with a sentence where it cannot go on."""
    from tischlein.game import Refusal

    try:
        yield
    except (Refusal, OSError) as problem:
        fail(in_a_sentence(problem))
    except KeyboardInterrupt:
        print("Stopped before all games were played: nothing is counted.", file=sys.stderr)
        raise typer.Exit(130) from None


@app.command()
def coach(
    file: File,
    as_json: AsJson = False,
    html: Annotated[
        Path | None, typer.Option(help="Write a page with the curve of chances.")
    ] = None,
    effort: Annotated[
        float, typer.Option(min=0.01, max=100, help="How much longer than usual to think.")
    ] = 1.0,
    jobs: Jobs = 0,
    lang: Language = None,
    own_games: OwnGames = None,
) -> None:
    """Weigh every decision of a finished game: was it luck, or was it you?"""
    import msgspec

    from tischlein.game import Refusal
    from tischlein.lab.command import cores
    from tischlein.lab.lesson import teach_with_progress, tell_lesson
    from tischlein.lab.lesson_page import page
    from tischlein.names import json_line
    from tischlein.terminal import told_apart
    from tischlein.terminal.table import language_for
    from tischlein.words import in_language

    game = read_record(file)
    try:
        if html is not None:
            html.open("a").close()  # find out before all the thinking
        language = language_for(lang)
        lesson = teach_with_progress(game, effort, jobs or cores())
    except (Refusal, OSError) as problem:
        fail(in_a_sentence(problem))
    told = msgspec.structs.replace(lesson, names=tuple(told_apart(lesson.names)))
    if html is not None:
        html.write_text(page(told, language), encoding="utf-8")
    if as_json:
        sys.stdout.buffer.write(json_line(lesson))
    else:
        tell_lesson(told, in_language(language, lesson.game))


@app.command()
def site(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="Where to write it.")],
    game: Annotated[
        list[Path] | None, typer.Option("--game", help="A game of your own, to be in it, too.")
    ] = None,
) -> None:
    """Write the table as a folder of files: any host shows it, and it plays without a network."""
    from tischlein.game import Refusal
    from tischlein.names import printable
    from tischlein.page.site import write_site

    try:
        size = write_site(folder, game or ())
    except Refusal as problem:
        fail(str(problem))
    told = printable(str(folder))
    print(f"The site is in {told}: {size / 1e6:.1f} MB. Put it on any host of files;")
    print(f"to see it here: python -m http.server --bind 127.0.0.1 --directory {quote(told)}")


@app.command()
def new(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The new file, as my_game.py.")],
) -> None:
    """Write a first small game of your own, which works, for you to change."""
    from tischlein.games.outside import first_game
    from tischlein.names import printable

    name = file.stem.lower()
    if not name.isidentifier() or file.suffix != ".py":
        fail(f"{file}: choose a plain name that ends with .py, such as my_game.py")
    try:
        with file.open("x", encoding="utf-8") as out:
            out.write(first_game(name))
    except OSError as problem:
        fail(in_a_sentence(problem))
    told = printable(file)
    print(f"{told} is a whole game. Next: tischlein check {told}, tischlein play {told},")
    print(f"tischlein simulate {told} --seats 2 --games 100, tischlein serve --game {told}")


@app.command("check")
def check_game(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A game: a file, or its name.")],
) -> None:
    """Check a game of your own: is it whole, fair, and are its secrets kept?"""
    from tischlein.conformance import CHECKS, findings
    from tischlein.game import Refusal
    from tischlein.games import game_named
    from tischlein.names import printable_lines

    name = game_of(file) or file
    try:
        rules = game_named(name)
    except Refusal as problem:
        fail(str(problem))
    found = list(findings(rules, str(Path(file).resolve())))
    for sentence in found:
        print(printable_lines(sentence), file=sys.stderr)
    if found:
        raise typer.Exit(1)
    seats = f"{rules.SEATS[0]} to {rules.SEATS[-1]}"
    print(f"{name} is well: {len(CHECKS)} checks with {seats} players found nothing wrong.")


def read_record(file: str) -> Any:
    """Read and replay a record, or end with the line and the reason."""
    from tischlein.record import BadRecord, replay

    try:
        with open_record(file) as lines:
            return replay(lines)
    except BadRecord as problem:
        fail(str(problem) if is_a_record(problem) else not_a_record(problem, file))
    except OSError as problem:
        fail(in_a_sentence(problem))


def is_a_record(problem: Any) -> bool:
    """Say whether a record at least begins like one: its first line could be read."""
    import msgspec

    unreadable = isinstance(problem.__context__, msgspec.MsgspecError | UnicodeError)
    return problem.line > 1 or not unreadable


def not_a_record(problem: Any, file: str) -> str:
    """Say that a file is something else."""
    what = "standard input" if file == "-" else Path(file).name
    return f"line {problem.line}: {what} is not a Tischlein record ({problem.reason})"


def open_record(file: str) -> IO[bytes]:
    """Open a record, or standard input for -."""
    return sys.stdin.buffer if file == "-" else Path(file).open("rb")


def read_options(given: list[str] | None) -> dict[str, Any]:
    """Read house rules as NAME=VALUE, the value as JSON."""
    import msgspec

    options: dict[str, Any] = {}
    for entry in given or []:
        name, _, value = entry.partition("=")
        try:
            options[name] = msgspec.json.decode(value)
        except msgspec.DecodeError:
            options[name] = value
    return options
