"""Schlacht am Buffet, rule by rule."""

from typing import Any

import pytest
from msgspec.structs import replace

from tests.games.buffet.tables import (
    ALL_PLATES,
    FOUR,
    C,
    H,
    P,
    S,
    W,
    Z,
    hand,
    play,
    table,
)
from tests.tables import Table, position, random_game
from tischlein import game
from tischlein.chance import Quick
from tischlein.game import NATURE
from tischlein.games.buffet import rules as buffet
from tischlein.games.buffet.rules import CARDS, FOODS, Plate


def test_cards() -> None:
    """[B1] 110 cards, ten of each from −1 to 9."""
    assert len(CARDS) == 110
    assert {CARDS.count(value) for value in range(-1, 10)} == {10}
    at = Table("buffet", 3)
    fields = {"plates": ALL_PLATES, "starter": 0}
    assert at.refusal(NATURE, "deal", cards=[0] * 110, **fields) == "wrong_cards"
    assert at.refusal(NATURE, "deal", cards=list(CARDS)[:109], **fields) == "wrong_cards"


def test_plates() -> None:
    """[B2] 36 plates, six values of each food; the house rule names other six."""
    assert len(ALL_PLATES) == 36
    assert {value for _, value in ALL_PLATES} == {-1, 1, 2, 3, 4, 5}
    at = Table("buffet", 3)
    wrong = [*ALL_PLATES[1:], ALL_PLATES[-1]]
    assert at.refusal(NATURE, "deal", cards=CARDS, plates=wrong, starter=0) == "wrong_plates"
    values = [0, 0, 1, 7, 8, 9]
    house = table(*FOUR, plates=[(C, 9), (S, 8), (W, 0)], plate_values=values)
    assert house.view()["buffet"] == [[C, 9], [S, 8], [W, 0]]


@pytest.mark.parametrize("wrong", [[1, 2, 3], "six", [1, 2, 3, 4, 5, 100], [1, 2, 3, 4, 5, 0.5], 7])
def test_wrong_plate_values_are_refused(wrong: Any) -> None:
    """[B2] A wrong house rule is refused with a sentence."""
    with pytest.raises(game.BadStart, match="`plate_values` must be a list of six whole"):
        buffet.start(4, {"plate_values": wrong})


def test_rank_of_foods() -> None:
    """[B3] Cheese, potatoes, sausage, pizza, chicken, salad."""
    assert FOODS == ("cheese", "potatoes", "sausage", "pizza", "chicken", "salad")


def test_mice_start_together() -> None:
    """[B4] One mouse a player on the space that is 0 and 40, and a token."""
    at = table(*FOUR, starter=2)
    assert at.view()["at"] == [0, 0, 0, 0]
    assert at.view()["token"] == 2


def test_the_deal() -> None:
    """[B5] The top nine cards to seat 0, the next nine to seat 1; the rest is the stock."""
    at = Table("buffet", 3)
    cards = list(CARDS)
    at.nature("deal", cards=cards, plates=ALL_PLATES, starter=1)
    assert at.view()["hands"] == [sorted(cards[n : n + 9]) for n in (0, 9, 18)]
    assert at.view()["stock"] == 110 - 27
    assert at.state.stock == CARDS[27:]
    drawn = {getattr(buffet.draw(buffet.start(3), Quick(n)), "starter", None) for n in range(40)}
    assert drawn == {0, 1, 2}


@pytest.mark.parametrize("seats", [4, 5, 6])
def test_the_buffet_is_laid_by_value_and_rank(seats: int) -> None:
    """[B6] One plate fewer than players, falling value, equal values by the rank of the food."""
    plates: list[Plate] = [(S, 3), (H, -1), (C, 3), (P, 5), (Z, 3)][: seats - 1]
    hands = [hand(9), hand(8), *[[6, 5, 4, 3, 2, 1, 7, -1, 1]] * (seats - 2)]
    hands[0], hands[1] = list(FOUR[0]), list(FOUR[1])
    laid = table(*hands, plates=plates).view()["buffet"]
    best_first = {4: [(C, 3), (S, 3), (H, -1)], 5: [(P, 5), (C, 3), (S, 3), (H, -1)]}
    best_first[6] = [(P, 5), (C, 3), (Z, 3), (S, 3), (H, -1)]
    assert laid == [list(plate) for plate in best_first[seats]]


def test_secret_cards_at_once() -> None:
    """[B7] All play one card, face down, until all have; then all mice move."""
    at = table(*FOUR, starter=1)
    assert at.to_move() == [0, 1, 2, 3]
    play(at, s2=-1, s0=3)
    assert at.to_move() == [1, 3]
    assert at.view(0)["played"] == {"0": 3, "2": None}
    assert at.view(None)["played"] == {"0": None, "2": None}
    assert at.view()["at"] == [0, 0, 0, 0]
    assert at.refusal(0, "play", card=4) == "already_moved"
    assert at.refusal(1, "play", card=9) == "card_not_held"
    play(at, s1=0, s3=5)
    assert at.view()["at"] == [3, 0, -1, 5]
    revealed = at.view(None)["revealed"]
    assert revealed["cards"] == [[1, 0], [2, -1], [3, 5], [0, 3]], "from the token clockwise"
    assert revealed["left"] == [[2, [Z, 1]]]


def test_places_compare_by_distance() -> None:
    """[B8] A mouse at 41 is ahead of one at 39, one at −1 behind one at 0; spaces are shared."""
    at = table(*FOUR)
    at.state = replace(at.state, at=(39, 36, 35, 38))
    play(at, s0=0, s1=5, s2=4, s3=1)
    assert at.view()["at"] == [39, 41, 39, 39]
    assert at.view()["inside"] == [0, 1, 2, 3], "three share the last place"
    play(at, s0=-1, s1=0, s2=0, s3=0)
    assert at.view()["inside"] == [1, 2, 3]


def test_alone_at_the_back_leaves() -> None:
    """[B9] A mouse alone at the back leaves with the rightmost plate; level ones stay."""
    at = play(table(*FOUR), s0=4, s1=5, s2=7, s3=4)
    assert at.to_move() == [0, 1, 2, 3]
    assert at.view()["stacks"] == [{}, {}, {}, {}]
    play(at, s0=1, s1=4, s2=2, s3=0)
    assert at.view()["stacks"][3] == {Z: [1]}
    assert at.view()["buffet"] == [[C, 5], [S, 3]]
    assert at.view()["inside"] == [0, 1, 2]


def test_the_first_to_leave_may_exchange() -> None:
    """[B10] Any number of cards, also none or all; unseen by the others, after the draw."""
    at = play(table(*FOUR, stock=[8, 8, 8]), s0=4, s1=5, s2=7, s3=-1)
    assert at.to_move() == [3]
    assert len(at.legal(3)) == 2**8, "eight different cards: every choice of them"
    assert at.refusal(0, "play", card=5) == "wait_for_exchange"
    assert at.refusal(3, "play", card=5) == "exchange_first"
    assert at.refusal(3, "exchange", cards=[9]) == "cards_not_held"
    assert at.refusal(3, "exchange", cards=[5, 5]) == "cards_not_held"
    at.do(3, "exchange", cards=[1, 0, 2])
    assert at.view()["hands"][3] == [3, 4, 5, 6, 7, 8, 8, 8]
    assert at.view(0)["discard"] == [4, 5, 7, -1, None, None, None]
    assert at.view()["discard"] == [4, 5, 7, -1, 1, 0, 2]
    play(at, s0=1, s1=3, s2=2)
    assert at.to_move() == [1, 2], "the second to leave does not exchange"
    assert at.refusal(1, "exchange", cards=[]) == "no_exchange"
    assert at.refusal(0, "play", card=1) == "out_of_the_round"


def test_exchange_nothing_or_all() -> None:
    """[B10] None and all are choices too."""
    none = play(table(*FOUR), s0=4, s1=5, s2=7, s3=-1).do(3, "exchange", cards=[])
    assert none.view()["hands"][3] == [0, 1, 2, 3, 4, 5, 6, 7]
    everything = play(table(*FOUR, stock=[9] * 8), s0=4, s1=5, s2=7, s3=-1)
    everything.do(3, "exchange", cards=[0, 1, 2, 3, 4, 5, 6, 7])
    assert everything.view()["hands"][3] == [9] * 8


def test_played_cards_are_discarded_face_up() -> None:
    """[B11] Everybody sees the discards."""
    at = play(table(*FOUR), s0=4, s1=5, s2=7, s3=4)
    assert at.view(None)["discard"] == [4, 5, 7, 4]


def last_two(**options: Any) -> Table:
    """Play until seats 0 and 1 are the last two, level at 9."""
    at = play(table(*FOUR, **options), s0=9, s1=8, s2=1, s3=0)
    at.do(3, "exchange", cards=[])
    return play(at, s0=0, s1=1, s2=0)


def test_the_last_two_play_for_one_plate() -> None:
    """[B12] The one ahead takes the plate, the other nothing; level they play again."""
    at = last_two()
    assert at.view()["at"][:2] == [9, 9]
    play(at, s0=4, s1=4)
    assert at.to_move() == [0, 1]
    play(at, s0=3, s1=5)
    assert at.view()["stacks"] == [{}, {C: [5]}, {S: [3]}, {Z: [1]}]
    assert at.view()["revealed"]["left"] == [[0, None], [1, [C, 5]]]
    assert at.view()["round"] == 2


def test_empty_hands_draw_nine() -> None:
    """[B13] Whoever has to play and has no card draws nine, from the token's holder clockwise."""
    at = last_two(stock=[9] * 9 + [8] * 9)
    hands = ((3,), (3,), *at.state.hands[2:])
    spare = tuple(card for n in (0, 1) for card in at.state.hands[n])[:-2]
    at.state = replace(at.state, hands=hands, discard=((c, True) for c in spare))
    at.state = replace(at.state, discard=tuple(at.state.discard), token=1)
    play(at, s0=3, s1=3)
    assert at.view()["hands"][1] == [9] * 9
    assert at.view()["hands"][0] == [8] * 9
    assert at.to_move() == [0, 1]


def test_the_token_is_passed_on() -> None:
    """[B14] A leaving holder hands the token on; of the last two the one ahead has it."""
    at = play(table(*FOUR, starter=3), s0=9, s1=8, s2=1, s3=0)
    assert at.view()["token"] == 0, "the next clockwise still in the round"
    at.do(3, "exchange", cards=[])
    play(at, s0=0, s1=1, s2=0)
    assert at.view()["token"] == 0
    play(at, s0=3, s1=5)
    assert at.view()["token"] == 1, "the one ahead gets it"


def test_between_rounds() -> None:
    """[B15] Everyone in, mice on 0, hands refilled from the token's holder clockwise."""
    at = last_two(stock=[7, 6, 5, 4, 3, 2, 1, 7, 6])
    play(at, s0=3, s1=5)
    view = at.view()
    assert (view["at"], view["inside"]) == ([0] * 4, [0, 1, 2, 3])
    assert [len(hand) for hand in view["hands"]] == [9] * 4
    assert view["token"] == 1
    kept = [4, 3, 2, 0, -1, 7]
    assert view["hands"][1] == sorted([*kept, 7, 6, 5]), "the token's holder draws first"
    assert view["hands"][2] == sorted([5, 4, 3, 2, -1, 7, 6, 4, 3]), "then the next"


def test_reshuffle_in_the_middle_of_a_draw() -> None:
    """[B15] What the stock has is drawn first, then the discard pile becomes the stock."""
    at = last_two()
    at.state = replace(at.state, stock=(9, 9))
    discards = sorted([*(card for card, _ in at.state.discard), 3, 5])
    play(at, s0=3, s1=5)
    assert at.to_move() == [NATURE]
    assert at.view()["hands"][1].count(9) == 2, "two of three drawn"
    assert at.view()["drawing"] == [[1, 1], [2, 2], [3, 1], [0, 3]]
    assert at.refusal(0, "play", card=0) == "wait_for_nature"
    assert at.refusal(NATURE, "shuffle", cards=[9] * len(discards)) == "wrong_shuffle"
    at.nature("shuffle", cards=list(reversed(discards)))
    assert at.view()["hands"][1].count(9) == 3
    assert at.view()["stock"] == len(discards) - 7
    assert at.view()["discard"] == []
    assert at.to_move() == [0, 1, 2, 3]


def test_exchanged_cards_stay_out_of_their_own_reshuffle() -> None:
    """[B10] [B15] The cards given away go to the discard pile after the draw."""
    at = play(table(*FOUR), s0=4, s1=5, s2=7, s3=-1)
    at.state = replace(at.state, stock=(9,))
    at.do(3, "exchange", cards=[6, 5])
    assert at.to_move() == [NATURE]
    assert at.view(0)["exchanged"] == [None, None]
    drawn = buffet.draw(at.state, Quick(1))
    assert isinstance(drawn, buffet.Shuffle)
    assert sorted(drawn.cards) == [-1, 4, 5, 7]
    at.nature("shuffle", cards=[-1, 4, 5, 7])
    assert at.view()["hands"][3] == sorted([4, 3, 2, 1, 0, 7, 9, -1])
    assert at.view()["discard"] == [6, 5]


@pytest.mark.parametrize(("seats", "rounds"), [(3, 7), (4, 12), (5, 9), (6, 7)])
def test_the_end_comes_with_the_last_full_buffet(seats: int, rounds: int) -> None:
    """[B16] 12 rounds with four players, 9 with five, 7 with six, 7 with three."""
    for seed in range(5):
        *_, (_, _, _, after) = random_game("buffet", seats, seed)
        assert after.over
        assert after.round == rounds
        assert buffet.to_move(after) == ()


def test_plates_cover_plates() -> None:
    """[B17] A plate goes on top of its food's stack; only the top counts."""
    state = position("buffet", 4, 1, 1)
    state = replace(state, buffet=((C, -1),), stacks=changed(state, 2, C, (5, 3)))
    won = buffet.win_plate(state, 2)
    assert buffet.view(won, None).stacks[2] == {C: (5, 3, -1)}
    assert buffet.scores(won)[2] == -1


def changed(state: buffet.State, seat: int, food: str, values: tuple[int, ...]) -> Any:
    """Give somebody a stack."""
    mine = list(state.stacks[seat])
    mine[FOODS.index(food)] = values
    stacks = list(state.stacks)
    stacks[seat] = tuple(mine)
    return tuple(stacks)


def ended(*stacks: dict[str, list[int]]) -> buffet.State:
    """Make a finished game with these plates."""
    state: buffet.State = replace(position("buffet", len(stacks), 1, 1), over=True)
    for seat, mine in enumerate(stacks):
        for food, values in mine.items():
            state = replace(state, stacks=changed(state, seat, food, tuple(values)))
    return state


def test_score_and_ties() -> None:
    """[B18] Top plates are summed; ties are broken food by food, no plate counting 0."""
    assert buffet.winners(ended({C: [5, 1], P: [4]}, {S: [2]}, {Z: [4]})) == (0,)
    assert buffet.scores(ended({C: [5, 1], P: [4]}, {S: [2]}, {Z: [4]})) == (5, 2, 4)
    tied = ended({C: [1], P: [4]}, {C: [2], S: [3]}, {P: [5]})
    assert buffet.scores(tied) == (5, 5, 5)
    assert buffet.winners(tied) == (1,), "the better cheese decides"
    minus = ended({C: [-1], P: [5], S: [1]}, {P: [5]}, {S: [5]})
    assert buffet.winners(minus) == (1,), "no cheese is better than a cheese of −1"
    equal = ended({C: [3]}, {C: [1, 3]}, {C: [2]})
    assert buffet.winners(equal) == (0, 1)
    assert game.ranking(buffet, equal) == ((0, 1), (2,))


def test_what_broke_a_tie_is_told_at_the_end() -> None:
    """[B18] [B3] Neighbours in the order with equal points, and the first food that differs."""
    tied = ended({C: [1], P: [4]}, {C: [2], S: [3]}, {C: [1], Z: [4]})
    assert game.ranking(buffet, tied) == ((1,), (0,), (2,))
    assert buffet.view(tied, None).ties == (
        buffet.Tie(better=1, worse=0, food=C, plates=(2, 1)),
        buffet.Tie(better=0, worse=2, food=P, plates=(4, 0)),
    )
    further_back = ended({C: [5]}, {P: [2]}, {P: [1], S: [1]})
    assert buffet.ties(further_back) == (buffet.Tie(1, 2, P, (2, 1)),)
    shared = ended({C: [3]}, {C: [1, 3]}, {P: [3]})
    assert buffet.ties(shared) == (buffet.Tie(1, 2, C, (3, 0)),), "none between equals"
    assert buffet.ties(ended({C: [3]}, {C: [2]}, {})) == ()


def test_no_tie_is_told_before_the_end() -> None:
    """All have no points at first: nothing is decided yet."""
    assert "ties" not in table(*THREE, plates=FIVE).view()


THREE = ([0, 1, 2, 3, 4, 5, 6, 7, 8], [3, 4, 0, 9, 1, 2, 5, 6, 7], [6, 2, 3, 7, 8, 9, 1, 0, 4])
FIVE: list[Plate] = [(C, 5), (P, 4), (W, 3), (Z, 2), (H, 1)]


def test_three_players_first_part() -> None:
    """[B19] [B20] Five plates; the three rightmost go to all three, one each."""
    at = table(*THREE, plates=FIVE)
    assert at.view()["buffet"] == [list(plate) for plate in FIVE]
    assert at.view()["part"] == 1
    play(at, s0=0, s1=3, s2=6)
    assert at.to_move() == [0], "the first to leave may exchange"
    at.do(0, "exchange", cards=[])
    play(at, s1=3 + 1, s2=1)
    assert at.to_move() == [1, 2], "level: they play again"
    play(at, s1=0, s2=2)
    assert at.view()["stacks"] == [{H: [1]}, {Z: [2]}, {W: [3]}]
    assert at.view()["part"] == 2


def test_three_players_second_part() -> None:
    """[B21] [B22] All in where they stand; the lesser plate to the first to leave."""
    at = table(*THREE, plates=FIVE)
    play(at, s0=0, s1=3, s2=6).do(0, "exchange", cards=[])
    play(at, s1=0, s2=2)
    assert at.view()["at"] == [0, 3, 8]
    assert at.view()["inside"] == [0, 1, 2]
    assert [len(hand) for hand in at.view()["hands"]] == [8, 7, 7], "nobody refills"
    play(at, s0=8, s1=9, s2=7)
    assert at.to_move() == [1, 2], "nobody exchanges"
    assert at.view()["stacks"][0] == {H: [1], P: [4]}
    play(at, s1=4, s2=3)
    assert at.view()["stacks"] == [{H: [1], P: [4]}, {Z: [2]}, {W: [3], C: [5]}]
    assert (at.view()["round"], at.view()["part"], at.view()["at"]) == (2, 1, [0, 0, 0])
    assert [len(hand) for hand in at.view()["hands"]] == [9, 9, 9]
    assert len(at.view()["buffet"]) == 5


def test_what_is_secret() -> None:
    """[B23] Hands, stock, face-down plates, laid and exchanged cards; numbers are open."""
    at = play(table(*FOUR, stock=[8, 8]), s0=4, s1=5, s2=7, s3=-1).do(3, "exchange", cards=[1])
    play(at, s0=1)
    mine, bystander = at.view(0), at.view(None)
    assert mine["hands"][0] == [-1, 0, 2, 3, 5, 7, 9]
    assert mine["hands"][1] == [None] * 8
    assert bystander["hands"][0] == [None] * 7
    assert mine["played"] == {"0": 1}
    assert bystander["played"] == {"0": None}
    assert mine["discard"][-1] is None
    assert mine["stock"] == 110 - 36 - 1
    assert "plates" not in mine
    deal = buffet.Deal(CARDS, tuple(ALL_PLATES), 0)
    told = buffet.seen(NATURE, deal, 1)
    assert told is not None
    assert told["cards"] == [None] * 9 + list(CARDS[9:18]) + [None] * 92
    assert told["plates"] == [None] * 36
    assert buffet.seen(2, buffet.Play(7), 1) == {"by": 2, "do": "play", "card": None}
    assert buffet.seen(2, buffet.Play(7), 2) == {"by": 2, "do": "play", "card": 7}
    swapped = buffet.seen(2, buffet.Exchange((1, 2)), None)
    assert swapped == {"by": 2, "do": "exchange", "cards": [None, None]}
