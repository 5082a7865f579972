"""What one knows who has watched the whole game: all that was ever laid or taken."""

from msgspec import Struct

from tischlein.bots.bot import Turn
from tischlein.game import Seen
from tischlein.games.sushizock.rules import NO_DICE, State, View, count


class Watched(Struct):
    """The tiles of a table as they move; the dice of the turn."""

    rows: dict[str, list[int]]
    piles: list[dict[str, list[int]]]
    aside: list[str]
    rolled: list[str]


def remember(turn: Turn) -> State | None:
    """Know what lies covered; None if the game was not watched from its start."""
    deal: Seen = turn.history[0] if turn.history else {}
    if deal.get("do") != "deal" or None in deal["sushi"]:
        return None
    table = Watched({}, [{"sushi": [], "bones": []} for _ in turn.view.piles], [], [])
    for told in turn.history:
        watch(table, told)
    piles = tuple((tuple(pile["sushi"]), tuple(pile["bones"])) for pile in table.piles)
    view: View = turn.view
    rolled = count(view.dice.rolled) if view.dice.rolled else None
    dice = count(view.dice.aside) if view.dice.aside else NO_DICE, rolled, view.dice.rolls_left
    return State(
        *(len(piles), view.options, view.rows.sushi, view.rows.bones, piles, view.turn), *dice
    )


def watch(table: Watched, told: Seen) -> None:
    """See a move."""
    match told["do"]:
        case "deal":
            table.rows = {"sushi": list(told["sushi"]), "bones": list(told["bones"])}
        case "roll":
            table.rolled = list(told["dice"])
        case "keep":
            table.aside += told["dice"]
        case _:
            kind, tile = portion(table, told)
            table.piles[told["by"]][kind].append(tile)
            table.aside, table.rolled = [], []


def portion(table: Watched, told: Seen) -> tuple[str, int]:
    """Take away the tile that ends a turn, and say of which kind it is."""
    if told["do"] == "steal":
        return told["pile"], table.piles[told["from"]][told["pile"]].pop(-told["depth"])
    if told["do"] == "take":
        kind = told["row"]
        return kind, table.rows[kind].pop((table.aside + table.rolled).count(kind) - 1)
    kind = "bones" if table.rows["bones"] else "sushi"
    worst = min(table.rows[kind])  # [S17]
    table.rows[kind].remove(worst)
    return kind, worst
