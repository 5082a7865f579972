"""A record in words: its story, move by move, and where it leads."""

from tischlein.game import NATURE, REFEREE, Viewer
from tischlein.record import Replay
from tischlein.terminal import board_of, teller_of, told_apart
from tischlein.terminal.talk import Talk
from tischlein.words import story, worded


def show(game: Replay, seat: int | None, language: str, with_story: bool) -> None:
    """Print where a record has led, and if asked how."""
    talk = Talk(language, game.rules.NAME)
    viewer: Viewer = REFEREE if seat is None else seat
    everybody = told_apart(game.header.seats)
    if with_story:
        for news in story(game.rules, game.states, game.moves, viewer, teller_of(game.rules)):
            talk.tell(worded(news, everybody, talk.say))
    view, board = game.rules.view(game.state, viewer), board_of(game.rules)
    if not game.over or not board.end(view, everybody, talk.say):
        talk.tell(board.board(view, everybody, talk.say))
    if game.over:
        tell_end(game, talk)
    else:
        waiting = game.rules.waits_for(game.state, viewer)
        who = [talk.say("nature") if by == NATURE else everybody[int(by)] for by in waiting]
        talk.tell(talk.say("waits_for", names=", ".join(who)))


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
