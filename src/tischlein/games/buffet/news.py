"""What a move tells, and a move as advice."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from tischlein.game import REFEREE, By, News, Seat, Viewer, Word
from tischlein.games.buffet.rules import Deal, Exchange, Move, Plate, Play, Reveal, Shuffle, State
from tischlein.words import written

TRACK = 40  # the spaces of the track: 40 and 0 are one [B4]


def news(before: State, by: By, move: Move, after: State, viewer: Viewer) -> list[News]:
    """Tell what a move has changed; cards when all are shown, new ones to their holder [B23]."""
    match move:
        case Deal():
            return [News("told_deal", {"name": Seat(move.starter)})]
        case Shuffle():
            told = [News("told_shuffle")]
        case Exchange():
            key = "told_exchange" if move.cards else "told_no_exchange"
            told = [News(key, {"name": Seat(int(by)), "n": len(move.cards)})]
        case Play():
            told = told_reveal(before, after) if after.played[int(by)] is None else []
    return [*told, *told_draws(before, by, move, after, viewer)]


def told_reveal(before: State, after: State) -> list[News]:
    """Tell how far each mouse ran, who left with what, and what is over."""
    shown = after.revealed or Reveal(())
    stands = {seat: before.at[seat] + card for seat, card in shown.cards}
    ran = [
        Word("told_play", {"name": Seat(seat), "card": card, "at": space(stands[seat])})
        for seat, card in shown.cards
    ]
    told = [News("told_reveal", {"cards": ran})]
    if not shown.left:
        back = min(stands.values())
        level = [Seat(seat) for seat in stands if stands[seat] == back]
        told.append(News("told_level", {"names": level, "at": space(back)}))
    told += [left(seat, plate, nth) for nth, (seat, plate) in enumerate(shown.left)]
    return told + told_over(before, after)


def left(seat: int, plate: Plate | None, nth: int) -> News:
    """Tell with what somebody left: the first of them was last, the second ahead [B9] [B12]."""
    if plate is None:
        return News("told_hungry", {"name": Seat(seat)})
    fields = {"name": Seat(seat), "plate": plate_in_words(plate)}
    return News("told_ahead" if nth else "told_last", fields)


def told_over(before: State, after: State) -> list[News]:
    """Say that a round or its first part is over."""
    if after.over or after.round != before.round:
        return [News("told_round_over", {"round": before.round})]
    return [News("told_part_two")] if after.part != before.part else []


def told_draws(before: State, by: By, move: Move, after: State, viewer: Viewer) -> Iterator[News]:
    """Tell the new cards of every hand that the viewer may see [B23]."""
    for seat in range(after.seats):
        gone = given(move) if seat == by else ()
        held, holds = before.hands[seat], after.hands[seat]
        if viewer in (seat, REFEREE) and len(holds) > len(held) - len(gone):
            drawn = Counter(holds) - (Counter(held) - Counter(gone))
            cards = cards_in_words(sorted(drawn.elements()))
            yield News("told_draw", {"name": Seat(seat), "cards": cards})


def given(move: Move) -> tuple[int, ...]:
    """List the cards that a player gives away with a move."""
    if isinstance(move, Play):
        return (move.card,)
    return move.cards if isinstance(move, Exchange) else ()


def deed(move: Any) -> Word:
    """Word what to do."""
    if isinstance(move, Play):
        return Word("deed.play", {"card": move.card})
    cards = cards_in_words(move.cards)
    return Word("deed.exchange", {"cards": cards}) if cards else Word("deed.exchange_none")


def space(at: int) -> str:
    """Write how far a mouse has run, and the space of the track where that is not the same."""
    here = at % TRACK
    return f"{written(at)}" if at == here else f"{written(at)} ({here})"


def plate_in_words(plate: tuple[str, int]) -> Word:
    """Name a plate by food and value."""
    return Word("plate", {"food": Word(f"food.{plate[0]}"), "value": plate[1]})


def cards_in_words(cards: Sequence[int | None]) -> str:
    """Write cards in a row."""
    return " ".join(f"{written(card)}" for card in cards if card is not None)
