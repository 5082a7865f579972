"""Golden playthroughs: one readable text a game and number of seats.

Write them anew with `python -m tests.golden`, then read the difference as prose.
"""

from pathlib import Path

import msgspec

from tests.tables import ALL_TABLES
from tischlein import game_named
from tischlein.bots import bot_named, levels
from tischlein.game import NATURE, REFEREE, Viewer
from tischlein.lab.simulate import ask_bots, play_game
from tischlein.record import Replay, move_line
from tischlein.terminal import board_of
from tischlein.words import in_language

FOLDER = Path(__file__).parent / "golden"
NAMES = ("Luc", "Nick", "Sophia", "Mira", "Tom", "Zoë")
WHOLE_BOARDS = 6


def playthrough(name: str, seats: int) -> str:
    """Tell a whole game between bots: its lines, who may move, the board now and then."""
    rules = game_named(name)
    bots = [bot_named(rules, level) for level in list(levels(rules))[:2]]
    seating = [bots[seat % len(bots)] for seat in range(seats)]
    played = play_game(rules, ask_bots(seating), NAMES[:seats], {}, f"golden {name} {seats}")
    every = max(1, len(played.moves) // WHOLE_BOARDS)
    parts = [f"{name}, {seats} seats: {', '.join(NAMES[:seats])}", ""]
    for number, (by, move) in enumerate(played.moves, start=1):
        parts.append(f"{number:4} {move_line(by, move)}")
        parts.append(f"     {waiting(played, number)}")
        if number % every == 0:
            parts.append(boards(played, number))
    parts.append(msgspec.json.encode(played.outcome()).decode())
    return "\n".join([*parts, ""])


def waiting(played: Replay, number: int) -> str:
    """Say who may move after a move, and in how many ways."""
    rules, state = played.rules, played.states[number]
    listed = [
        f"{by} ({len(rules.chances(state))} chances)"
        if by == NATURE
        else f"{NAMES[int(by)]} ({len(rules.legal(state, int(by)))} moves)"
        for by in rules.to_move(state)
    ]
    return f"then: {', '.join(listed) or 'the end'}; scores {list(rules.scores(state))}"


def boards(played: Replay, number: int) -> str:
    """Draw the table as the referee, the first seat and a bystander see it."""
    rules, state = played.rules, played.states[number]
    board, say = board_of(rules), in_language("en", rules.NAME)
    names = NAMES[: len(played.header.seats)]
    text = []
    viewers: tuple[tuple[Viewer, str], ...]
    viewers = ((REFEREE, "referee"), (0, names[0]), (None, "bystander"))
    for viewer, who in viewers:
        text.append(f"\n--- the table as seen by: {who}")
        text.append(board.board(rules.view(state, viewer), names, say))
        text.append(msgspec.json.encode(rules.view(state, viewer)).decode())
    return "\n".join([*text, ""])


def main() -> None:
    """Write all playthroughs anew."""
    FOLDER.mkdir(exist_ok=True)
    for name, seats in ALL_TABLES:
        (FOLDER / f"{name}-{seats}.txt").write_text(playthrough(name, seats), encoding="utf-8")


if __name__ == "__main__":
    main()
