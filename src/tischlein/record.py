"""A game written down: read, write, replay. The format is `tischlein/1`, one JSON object a line."""

from collections.abc import Iterable, Sequence
from typing import Any, Final

import msgspec
from msgspec import UNSET, Struct, UnsetType

from tischlein.game import AnyGame, By, Move, Refusal
from tischlein.games import game_named

FORMAT: Final = "tischlein/1"
LONGEST_LINE: Final = 1_000_000


class BadRecord(Exception):
    """A record that cannot be replayed: the number of the line, and the reason."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(f"line {line}: {reason}")
        self.line = line
        self.reason = reason


class Header(Struct, frozen=True):
    """The first line: which game, who sits where, which house rules.

    What follows the options need not be there, and replaying passes over it.
    """

    format: str
    game: str
    seats: tuple[str, ...]
    options: dict[str, Any] = {}
    date: Any = UNSET
    table: Any = UNSET
    commitment: Any = UNSET
    contributions: Any = UNSET
    seals: Any = UNSET


class Result(Struct, frozen=True):
    """How a game ended."""

    scores: tuple[int, ...]
    winners: tuple[int, ...]


class RecordLine(Struct, frozen=True):
    """What tells a move from the result; more fields may stand there and are passed over."""

    by: By | UnsetType = UNSET
    result: Any = UNSET
    seed: Any = None


_read_header: Final = msgspec.json.Decoder(Header)
_read_line: Final = msgspec.json.Decoder(RecordLine)


class Replay:
    """A game as its record tells it: every move, and the state before the first and after each."""

    def __init__(self, header: Header, line: int = 1) -> None:
        try:
            self.rules: AnyGame = game_named(header.game)
            start = self.rules.start(len(header.seats), header.options)
        except Refusal as refusal:
            raise BadRecord(line, str(refusal)) from None
        self.header = header
        self.moves: list[tuple[By, Any]] = []
        self.states: list[Any] = [start]
        self.result: Result | None = None
        self.seed: str | None = None
        self.lines = line
        self._read_move = move_decoder(self.rules)

    @property
    def state(self) -> Any:
        """Give the position now."""
        return self.states[-1]

    @property
    def over(self) -> bool:
        """Say whether the game has ended."""
        return not self.rules.to_move(self.state)

    def play(self, by: By, move: Any) -> None:
        """Play one more move, or raise IllegalMove and change nothing."""
        self.states.append(self.rules.play(self.state, by, move))
        self.moves.append((by, move))

    def read(self, text: bytes) -> None:
        """Take in the next line of the record, or raise BadRecord and change nothing."""
        number = self.lines + 1
        line = _decode(_read_line, text, number)
        if self.result is not None:
            raise BadRecord(number, "nothing may follow the result")
        if line.by is not UNSET:
            self._read_deed(line.by, text, number)
        elif line.result is not UNSET:
            self._read_result(line.result, line.seed, number)
        else:
            raise BadRecord(number, "a move says `by` whom it is; a last line says the `result`")
        self.lines = number

    def _read_deed(self, by: By, text: bytes, number: int) -> None:
        move = _decode(self._read_move, text, number)
        try:
            self.play(by, move)
        except Refusal as refusal:
            raise BadRecord(number, str(refusal)) from None

    def _read_result(self, given: Any, seed: Any, number: int) -> None:
        if not self.over:
            raise BadRecord(number, "the game is not over yet, so it has no result")
        true = self.outcome()
        try:
            result = msgspec.convert(given, Result)
        except msgspec.ValidationError as error:
            raise BadRecord(number, f"the result cannot be read: {error}") from None
        if (result.scores, sorted(result.winners)) != (true.scores, sorted(true.winners)):
            found = f"scores {list(true.scores)}, winners {list(true.winners)}"
            raise BadRecord(number, f"the moves lead to another result: {found}")
        if seed is not None and not isinstance(seed, str):
            raise BadRecord(number, "the seed must be a text")
        self.result, self.seed = true, seed

    def outcome(self) -> Result:
        """Give the result as the rules see it."""
        return Result(self.rules.scores(self.state), self.rules.winners(self.state))

    def end(self, seed: str | None = None) -> None:
        """Write the result under a game that is over, and reveal the seed."""
        assert self.over  # noqa: S101  # a game that goes on has no result
        self.result, self.seed = self.outcome(), seed


def replay(lines: Iterable[str | bytes]) -> Replay:
    """Play a record through, or raise BadRecord with the line and the reason."""
    game: Replay | None = None
    gap = 0  # empty lines may end a record, but not interrupt it
    for number, given in enumerate(lines, start=1):
        text = _checked(given, number)
        if not text:
            gap = gap or number
        elif gap:
            raise BadRecord(gap, "this line is empty")
        elif game is None:
            game = Replay(_header(text))
        else:
            game.read(text)
    if game is None:
        raise BadRecord(1, "the record is empty")
    return game


def write(game: Replay) -> str:
    """Write a game down; reading it gives the same game."""
    lines = [_to_json(game.header), *(move_line(by, move) for by, move in game.moves)]
    if game.result is not None:
        seed = {} if game.seed is None else {"seed": game.seed}
        lines.append(_to_json({"result": game.result} | seed))
    return "\n".join([*lines, ""])


def move_line(by: By, move: Move) -> str:
    """Write one move as a line of a record."""
    who = '"nature"' if isinstance(by, str) else str(by)
    return f'{{"by":{who},{_to_json(move)[1:]}'


def header(game: str, seats: Sequence[str], options: dict[str, Any], **more: Any) -> Header:
    """Make the header of a new record."""
    return Header(FORMAT, game, tuple(seats), options, **more)


def _header(text: bytes) -> Header:
    found: Header = _decode(_read_header, text, 1)
    if found.format != FORMAT:
        raise BadRecord(1, f"the format must be {FORMAT!r}, not {found.format[:40]!r}")
    return found


def _checked(line: str | bytes, number: int) -> bytes:
    """Give the bytes of a line that is not too long and is UTF-8."""
    if len(line) > LONGEST_LINE:
        raise BadRecord(number, f"the line is longer than {LONGEST_LINE:,} characters")
    try:
        text = line.encode() if isinstance(line, str) else line
        text.decode()
    except UnicodeError:
        raise BadRecord(number, "the line is not UTF-8 text") from None
    return text.strip()


def _decode(decoder: "msgspec.json.Decoder[Any]", text: bytes, number: int) -> Any:
    try:
        return decoder.decode(text)
    except msgspec.MsgspecError as error:
        raise BadRecord(number, str(error)) from None
    except RecursionError:
        raise BadRecord(number, "the line is nested too deeply") from None


_decoders: dict[str, "msgspec.json.Decoder[Any]"] = {}


def move_decoder(rules: AnyGame) -> "msgspec.json.Decoder[Any]":
    """Give the reader of a game's moves; there is one for all tables, since it is large."""
    if rules.NAME not in _decoders:
        _decoders[rules.NAME] = msgspec.json.Decoder(rules.Move)
    return _decoders[rules.NAME]


def _to_json(thing: object) -> str:
    return msgspec.json.encode(thing).decode()
