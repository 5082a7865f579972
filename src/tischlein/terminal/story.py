"""A record in words: its story, move by move, and where it leads."""

from collections.abc import Iterator, Sequence

from tischlein.game import NATURE, REFEREE, Seen, Viewer
from tischlein.record import Replay
from tischlein.terminal import board_of, told_apart
from tischlein.terminal.talk import Talk
from tischlein.words import Say


def show(game: Replay, seat: int | None, language: str, story: bool) -> None:
    """Print where a record has led, and if asked how."""
    talk = Talk(language, game.rules.NAME)
    viewer: Viewer = REFEREE if seat is None else seat
    everybody = told_apart(game.header.seats)
    if story:
        for text in tell_all(game, viewer, everybody, talk.say):
            talk.tell(text)
    view, board = game.rules.view(game.state, viewer), board_of(game.rules)
    if not game.over or not board.end(view, everybody, talk.say):
        talk.tell(board.board(view, everybody, talk.say))
    if game.over:
        tell_end(game, talk)
    else:
        waiting = game.rules.waits_for(game.state, viewer)
        who = [talk.say("nature") if by == NATURE else everybody[int(by)] for by in waiting]
        talk.tell(talk.say("waits_for", names=", ".join(who)))


def tell_all(game: Replay, viewer: Viewer, names: Sequence[str], say: Say) -> Iterator[str]:
    """Tell every move of a game as somebody may be told of it when it has come so far."""
    seen = game.rules.retold(game.moves, 0, game.state, viewer)
    for number, move in enumerate(seen, start=1):
        if text := told(game, number, move, viewer, names, say):
            yield text


def told(
    game: Replay, number: int, seen: Seen | None, viewer: Viewer, names: Sequence[str], say: Say
) -> str:
    """Word a move of a game as somebody may see it; moves are counted from 1."""
    rules, by = game.rules, game.moves[number - 1][0]
    before, after = (rules.view(state, viewer) for state in game.states[number - 1 : number + 1])
    hidden = {"by": by, "do": None}
    return board_of(rules).news(seen or hidden, before, after, names, say)


def tell_end(game: Replay, talk: Talk) -> None:
    """Print the result, and where it comes from."""
    rules, everybody = game.rules, told_apart(game.header.seats)
    talk.tell(f"\n{talk.say('over')}")
    explained = board_of(rules).end(rules.view(game.state, REFEREE), everybody, talk.say)
    if explained:
        talk.tell(explained)
    else:
        for name, points in zip(everybody, rules.scores(game.state), strict=True):
            talk.tell("  " + talk.say("score", name=name, points=points))
    won = [everybody[seat] for seat in rules.winners(game.state)]
    talk.tell(talk.say("winner" if len(won) == 1 else "winners", names=", ".join(won)))
