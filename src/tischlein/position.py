"""A position told as JSON, to the referee or to one seat."""

from typing import Any

from tischlein.game import NATURE, REFEREE, Viewer, whole
from tischlein.record import Replay
from tischlein.words import news_of


def position(game: Replay, seat: int | None) -> dict[str, Any]:
    """Tell where a record has led, as the contract of `tischlein replay --json` says."""
    rules, state = game.rules, game.state
    viewer: Viewer = REFEREE if seat is None else seat
    movers = [by for by in rules.to_move(state) if by != NATURE and seat in (None, by)]
    return {
        "game": rules.NAME,
        "over": game.over,
        "to_move": rules.waits_for(state, viewer),
        "legal": {str(by): rules.legal(state, int(by)) for by in movers},
        "view": rules.view(state, viewer),
        "scores": rules.standing(state, viewer),
        "winners": rules.winners(state),
    }


def positions(game: Replay) -> list[dict[str, Any]]:
    """Tell a finished game position by position, as the referee sees it: nothing is secret now."""
    rules, tell = game.rules, news_of(game.rules)
    moves = [None, *(whole(by, move) for by, move in game.moves)]
    steps = zip(game.states, game.moves, game.states[1:], strict=False)
    told = [tell(before, *move, after, REFEREE) for before, move, after in steps]
    return [
        {
            "move": move,
            "news": news,
            "view": rules.view(state, REFEREE),
            "to_move": rules.to_move(state),
            "scores": rules.scores(state),
            "winners": rules.winners(state),
        }
        for move, state, news in zip(moves, game.states, [[], *told], strict=True)
    ]
