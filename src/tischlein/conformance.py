"""What must hold for every game: the checks of `tischlein check`, and of our own tests.

Each check looks at random games with so many seats and gives sentences about what it finds; no
sentence means that all is well.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import islice
from math import sqrt
from pickle import dumps, loads
from typing import Any, Final

import msgspec
from msgspec import Struct

from tischlein.bots import levels, turn_of
from tischlein.chance import Quick
from tischlein.game import NATURE, REFEREE, AnyGame, By, IllegalMove, Refusal, Timed, Viewer
from tischlein.games import part_of
from tischlein.games.outside import in_short, line_in

MOST_MOVES: Final = 20_000
"""A random game that is longer is called endless."""
POSITIONS: Final = 16
"""At so many positions of a game a check looks closely."""
LISTED: Final = 40
"""So many moves of a long list are tried."""
DRAWS: Final = 720
TRIES: Final = 20
"""After the first dice somebody else may be the first to decide, but hardly so many times."""
EFFORT: Final = 0.1
"""A move is legal or not, however long one has thought; endless games take long to think of."""
FAR: Final = 6.0
"""So many standard deviations from what was promised, and as many times, are no accident."""


class Step(Struct, frozen=True):
    """A move of a random game."""

    before: Any
    by: By
    move: Any
    after: Any


class Stuck(Exception):
    """A game that cannot go on."""


Check = Callable[[AnyGame, int, int], Iterator[str]]


def random_game(rules: AnyGame, seats: int, seed: int) -> Iterator[Step]:
    """Play a random game."""
    rng, state = Quick(seed), rules.start(seats)
    while rules.to_move(state):
        movers = rules.to_move(state)
        by = movers[rng.below(len(movers))]
        move = any_move(rules, state, by, rng)
        after = rules.play(state, by, move)
        yield Step(state, by, move, after)
        state = after


def any_move(rules: AnyGame, state: Any, by: By, rng: Quick) -> Any:
    """Choose a move of somebody who is to move."""
    if by == NATURE:
        return rules.draw(state, rng)
    moves = rules.legal(state, by)
    if not moves:
        raise Stuck(f"seat {by} is to move but has no legal move")
    return stamped(rules, state, by, moves[rng.below(len(moves))], rng)


def stamped(rules: AnyGame, state: Any, seat: int, move: Any, rng: Quick) -> Any:
    """Give a deed of a race its time, not before one's own last one."""
    if not isinstance(move, Timed):
        return move
    race = getattr(rules, "race")(state)  # noqa: B009  # only games with a race have it
    if race is None:  # a house rule without a clock
        return move
    return msgspec.structs.replace(move, at=race.acted.get(seat, 0.0) + rng.below(4000))


def positions(rules: AnyGame, seats: int, seed: int) -> Iterator[Any]:
    """Give the start, the end, and some positions between."""
    states = [rules.start(seats)]
    states += [step.after for step in islice(random_game(rules, seats, seed), MOST_MOVES)]
    rng = Quick(f"positions/{seed}")
    yield from (states[0], states[-1])
    yield from (states[rng.below(len(states))] for _ in range(POSITIONS))


def games_end(rules: AnyGame, seats: int, seed: int) -> Iterator[str]:
    """Games come to their end; only then somebody has won, and the scores are open."""
    state = rules.start(seats)
    for number, step in enumerate(random_game(rules, seats, seed), start=1):
        state = step.after
        if number > MOST_MOVES:
            yield f"a random game is not over after {MOST_MOVES:,} moves"
            return
        if rules.to_move(state) and rules.winners(state):
            yield f"`winners` names somebody after move {number}, though the game is not over"
    won, points = rules.winners(state), rules.scores(state)
    if not won or not set(won) <= set(range(seats)):
        yield f"at the end `winners` gives {won!r}: it must name one or more of the {seats} seats"
    if len(points) != seats or not all(type(one) is int for one in points):
        yield f"`scores` gives {points!r}: it must be a whole number for each of {seats} seats"
    if rules.standing(state, None) != points:
        yield "at the end `standing` must show the scores to everybody"


def movers_make_sense(rules: AnyGame, seats: int, seed: int) -> Iterator[str]:
    """Who is to move is at the table and has a legal move, and nobody else has one."""
    for state in positions(rules, seats, seed):
        movers = rules.to_move(state)
        if type(movers) is not tuple:
            yield f"`to_move` gives {movers!r}: it must be a tuple, such as (0,)"
            return
        if strangers := set(movers) - {NATURE, *range(seats)}:
            yield f"`to_move` names {sorted(map(str, strangers))}, who are not at the table"
        together = [by for by in movers if by != NATURE]
        if "turns" in rules.HAS and len(together) > 1:
            yield f"seats {together} are to move at once: leave `turns` out of HAS"
        for seat in range(seats):
            if bool(rules.legal(state, seat)) != (seat in movers):
                told = "is to move but has no legal move" if seat in movers else "has legal moves"
                yield f"seat {seat} {told}, while `to_move` gives {movers!r}"


def legal_moves_can_be_played(rules: AnyGame, seats: int, seed: int) -> Iterator[str]:
    """All that is listed is listed once, can be played, and changes the table, not the old one."""
    rng = Quick(seed)
    for state in positions(rules, seats, seed):
        before = dumps(state)
        for seat in range(seats):
            listed = list(rules.legal(state, seat))
            if len({encoded(move) for move in listed}) < len(listed):
                yield f"`legal` lists a move of seat {seat} twice: {shown(listed)}"
            for move in listed[:: 1 + len(listed) // LISTED]:
                yield from playable(rules, state, seat, stamped(rules, state, seat, move, rng))
        if dumps(state) != before:
            yield "`play` or `legal` changes the state that it is given: make a new one"


def playable(rules: AnyGame, state: Any, by: By, move: Any) -> Iterator[str]:
    """A move can be played and gives another table."""
    try:
        after = rules.play(state, by, move)
    except IllegalMove as refused:
        yield f"{encoded(move)} by {by} should be legal, but `play` refuses it: {refused}"
        return
    if type(after) is not type(state):
        yield f"after {encoded(move)} `play` gives a {type(after).__name__}, not a state"
    elif after == state:
        yield f"{encoded(move)} by {by} changes nothing, so that a game need not end"


def other_moves_are_refused(rules: AnyGame, seats: int, seed: int) -> Iterator[str]:
    """What is not listed is refused, with a code that REASONS knows and a whole sentence."""
    pool = some_moves(rules, seats, seed + 1)
    for state in positions(rules, seats, seed):
        for seat in range(seats):
            listed = {in_any_order(move) for move in rules.legal(state, seat)}
            for move in pool:
                if in_any_order(move) not in listed:
                    yield from refused(rules, state, seat, move)


def in_any_order(move: Any) -> str:
    """Write a move down without its time, and the things in it sorted."""
    fields = msgspec.to_builtins(move).items()
    return encoded({key: sorted(it, key=str) if isinstance(it, list | tuple) else it
                    for key, it in fields if key != "at"})  # fmt: skip


def refused(rules: AnyGame, state: Any, seat: int, move: Any) -> Iterator[str]:
    """A move is refused in a whole sentence, by a code that is known."""
    try:
        rules.play(state, seat, timed(move))
    except IllegalMove as refusal:
        if refusal.code not in rules.REASONS:
            yield f"{encoded(move)} is refused as `{refusal.code}`, which REASONS does not have"
        if "{" in str(refusal):
            yield f"a refusal has a gap in its sentence: {refusal}"
    else:
        yield f"{encoded(move)} by seat {seat} is not listed by `legal`, but can be played"


def some_moves(rules: AnyGame, seats: int, seed: int) -> list[Any]:
    """Collect moves of other moments, legal there and perhaps not here."""
    found: dict[str, Any] = {}
    for step in islice(random_game(rules, seats, seed), 400):
        found[encoded(step.move)] = step.move
        if step.by != NATURE:
            for other in list(rules.legal(step.before, step.by))[:4]:
                found[encoded(other)] = other
    return list(found.values())[:60]


def nature_is_fair(rules: AnyGame, seats: int, seed: int) -> Iterator[str]:
    """Probabilities sum to one, and `draw` draws as they say, the same from the same chance."""
    for state in positions(rules, seats, seed):
        if listed := rules.chances(state):
            yield from chances_are_right(rules, state, listed, seed)
        if NATURE in rules.to_move(state):
            drawn = rules.draw(state, Quick(seed))
            yield from playable(rules, state, NATURE, drawn)
            if drawn != rules.draw(state, Quick(seed)):
                yield "`draw` must take all its chance from `rng`: the same gives the same move"


def chances_are_right(
    rules: AnyGame, state: Any, listed: Sequence[tuple[Any, Fraction]], seed: int
) -> Iterator[str]:
    """What is listed can happen, sums to one, and happens about as often as it says."""
    if rules.to_move(state) != (NATURE,):
        yield f"`chances` lists moves of nature, while `to_move` gives {rules.to_move(state)!r}"
        return
    for move, _ in listed[:: 1 + len(listed) // LISTED]:
        yield from playable(rules, state, NATURE, move)
    if (total := sum(chance for _, chance in listed)) != 1:
        yield f"the probabilities of `chances` sum to {total}, not to 1"
        return
    rng, promised = Quick(seed), Counter[str]()
    drawn = Counter(in_any_order(rules.draw(state, rng)) for _ in range(DRAWS))
    for move, chance in listed:
        promised[in_any_order(move)] += chance  # type: ignore[assignment]  # an exact fraction
    for move in drawn.keys() | promised.keys():
        share = float(promised[move])
        spread = sqrt(DRAWS * share * (1 - share))
        if abs(drawn[move] - DRAWS * share) > FAR * (spread + bool(share)):
            often = f"{drawn[move]} times in {DRAWS}"
            yield f"`draw` gives {move} {often}, though its chance is {share:.3}"


def all_is_written_down(rules: AnyGame, seats: int, seed: int) -> Iterator[str]:
    """Moves, states and views come back from JSON, or from another process, as they were."""
    for state in positions(rules, seats, seed):
        if loads(dumps(state)) != state:  # noqa: S301  # written the line before
            yield "a state does not come back from another process as it was"
        if type(state).__struct_config__.frozen is False:
            yield "the state is not frozen: write `class State(Struct, frozen=True)`"
        for who in viewers(seats):
            yield from comes_back(rules.view(state, who), rules.View, "a view")
        for seat in range(seats):
            for move in list(rules.legal(state, seat))[:LISTED]:
                yield from comes_back(move, rules.Move, "a move")
        for move, _ in rules.chances(state)[:LISTED]:
            yield from comes_back(move, rules.Move, "a move of nature")


def comes_back(thing: Any, kind: Any, what: str) -> Iterator[str]:
    """A thing comes back from its JSON form as it was."""
    text = msgspec.json.encode(thing)
    try:
        same = msgspec.json.decode(text, type=kind) == thing
    except (msgspec.ValidationError, TypeError) as problem:
        yield f"{what} cannot be read back from its JSON form: {problem}"
        return
    if not same:
        yield f"{what} does not come back from its JSON form as it was: {text.decode()[:200]}"


def nothing_leaks(rules: AnyGame, seats: int, seed: int) -> Iterator[str]:
    """Where only hidden things differ, a viewer is told the same: `imagine` makes such tables."""
    pool, rng = some_moves(rules, seats, seed + 1)[:12], Quick(seed)
    for here in positions(rules, seats, seed):
        for who in viewers(seats):
            there = rules.imagine(rules.view(here, who), rng)
            if rules.view(there, who) != rules.view(here, who):
                yield f"{named(who)} sees another table than the one that `imagine` was given"
                return
            for part, tell in TOLD.items():
                if tell(rules, here, who) != tell(rules, there, who):
                    yield f"`{part}` tells {named(who)} something that `view` hides"
            if who is not None and who != REFEREE:
                for move in pool:
                    if told(rules, here, who, move) != told(rules, there, who, move):
                        yield f"the refusal of {encoded(move)} tells seat {who} what `view` hides"


TOLD: Final[dict[str, Callable[[AnyGame, Any, Any], Any]]] = {
    "waits_for": lambda rules, state, who: rules.waits_for(state, who),
    "standing": lambda rules, state, who: rules.standing(state, who),
    "winners": lambda rules, state, who: rules.winners(state),
    "legal": lambda rules, state, who: list(rules.legal(state, who)) if type(who) is int else (),
}
"""All that is told of a table, beside the view."""


def told(rules: AnyGame, state: Any, seat: int, move: Any) -> object:
    """Give what a seat is told that tries a move."""
    try:
        rules.play(state, seat, timed(move))
    except Refusal as refusal:
        return refusal.code, str(refusal), refusal.fields
    return None


def moves_leak_nothing(rules: AnyGame, seats: int, seed: int) -> Iterator[str]:
    """Of two moves after which a viewer sees the same, the viewer is told the same."""
    rng = Quick(seed)
    for state in positions(rules, seats, seed):
        for by in rules.to_move(state):
            if by == NATURE or len(rules.legal(state, by)) < 2:
                continue
            ways = [any_move(rules, state, by, rng) for _ in range(4)]
            after = [(move, rules.play(state, by, move)) for move in ways]
            for who in viewers(seats):
                if who not in (by, REFEREE):
                    yield from told_alike(rules, (state, by), after, who, rng)


def told_alike(
    rules: AnyGame, made: tuple[Any, By], after: Sequence[tuple[Any, Any]], who: Viewer, rng: Quick
) -> Iterator[str]:
    """Moves that a viewer cannot tell apart by the table are told alike."""
    before, by = made
    news = getattr(part_of(rules.NAME, "news"), "news", None)
    (first, one), *others = after
    for move, other in others:
        if one == other or not look_alike(rules, made, (first, move), who, rng):
            continue
        if rules.seen(by, first, who) != rules.seen(by, move, who):
            yield f"`seen` tells {named(who)} of {encoded(move)} what `view` hides"
        elif news and news(before, by, first, one, who) != news(before, by, move, other, who):
            yield f"`news` tells {named(who)} of {encoded(move)} what `view` hides"


def look_alike(
    rules: AnyGame, made: tuple[Any, By], moves: tuple[Any, Any], who: Viewer, rng: Quick
) -> bool:
    """Say whether a viewer never sees which of two moves was made, whatever lies hidden.

    Two open moves may lead to the same table by chance, where two covered tiles are equal.
    """
    before, by = made
    for nth in range(TRIES):
        table = rules.imagine(rules.view(before, who), rng) if nth else before
        try:
            one, other = (rules.play(table, by, move) for move in moves)
        except IllegalMove:  # who holds another hand in this table cannot make both
            continue
        if rules.view(one, who) != rules.view(other, who):
            return False
    return True


def moves_are_told(rules: AnyGame, seats: int, seed: int) -> Iterator[str]:
    """The latest move is retold as it is seen, and no move falls away."""
    moves: list[tuple[By, Any]] = []
    for step in islice(random_game(rules, seats, seed), 200):
        moves.append((step.by, step.move))
        for who in (None, 0, REFEREE):
            latest = rules.retold(moves, len(moves) - 1, step.after, who)
            if latest != [rules.seen(step.by, step.move, who)]:
                yield f"`retold` tells {named(who)} the latest move otherwise than `seen`"
            if len(moves) % 50 == 1 and len(rules.retold(moves, 0, step.after, who)) != len(moves):
                yield "`retold` must give one entry for every move"


def set_ups_are_checked(rules: AnyGame, seats: int, seed: int) -> Iterator[str]:
    """A wrong number of seats or a wrong house rule is refused, and a named starter starts."""
    wrong: list[tuple[int, dict[str, Any]]] = [(rules.SEATS[0] - 1, {}), (rules.SEATS[-1] + 1, {})]
    wrong += [(seats, {"starter": seats}), (seats, {"starter": "me"}), (seats, {"rain": True})]
    for number, options in wrong:
        try:
            rules.start(number, options)
        except Refusal:
            continue
        yield f"`start` must refuse {number} seats with the house rules {options}: see game.set_up"
    for starter in range(seats):
        first = {who_begins(rules, seats, {"starter": starter}, seed + n) for n in range(TRIES)}
        if not first & {starter, None}:
            yield f"the house rule says that seat {starter} starts, but it never does"


def who_begins(rules: AnyGame, seats: int, options: dict[str, Any], seed: int) -> By | None:
    """Say who begins: who is the first to move, or whom the deal names where all move at once."""
    state, rng = rules.start(seats, options), Quick(seed)
    for _ in range(MOST_MOVES):
        movers = rules.to_move(state)
        if movers != (NATURE,):
            return movers[0] if len(movers) == 1 else None
        move = rules.draw(state, rng)
        if hasattr(move, "starter") and "turns" not in rules.HAS:
            return int(move.starter)
        state = rules.play(state, NATURE, move)
    return None


def words_are_complete(rules: AnyGame, seats: int, seed: int) -> Iterator[str]:
    """A file that has words has one for every kind of move, in every language that it speaks."""
    words: dict[str, dict[str, str]] | None = getattr(part_of(rules.NAME, "words"), "WORDS", None)
    if words is None:
        return
    for move in some_moves(rules, seats, seed):
        key = f"deed.{msgspec.to_builtins(move)['do']}"
        if key not in words.get("en", {}) and not is_nature(rules, seats, seed, move):
            yield f'WORDS["en"] lacks `{key}`: what a player does, as in "roll on"'
    for language, entries in words.items():
        if lacking := sorted(words.get("en", {}).keys() ^ entries.keys()):
            yield f'WORDS["{language}"] and WORDS["en"] differ in {", ".join(lacking)}'


def is_nature(rules: AnyGame, seats: int, seed: int, move: Any) -> bool:
    """Say whether this kind of move is nature's."""
    steps = islice(random_game(rules, seats, seed), MOST_MOVES)
    return any(type(step.move) is type(move) for step in steps if step.by == NATURE)


def bots_play_on(rules: AnyGame, seats: int, seed: int) -> Iterator[str]:
    """Every bot answers with a legal move."""
    moves: list[tuple[By, Any]] = []
    for number, step in enumerate(islice(random_game(rules, seats, seed), 40)):
        if step.by != NATURE and number % 8 < 2:
            turn = turn_of(rules, step.before, moves, step.by)
            hasty = msgspec.structs.replace(turn, effort=EFFORT)
            for level, bot in levels(rules).items():
                move = bot(hasty, Quick(seed)).move
                if move is not None:
                    problems = playable(rules, step.before, step.by, move)
                    yield from (f"the bot {level}: {problem}" for problem in problems)
        moves.append((step.by, step.move))


def viewers(seats: int) -> tuple[Viewer, ...]:
    """List who may look on."""
    return (*range(seats), None, REFEREE)


def named(who: Viewer) -> str:
    """Name a viewer."""
    if who is None:
        return "a bystander"
    return "the referee" if who == REFEREE else f"seat {who}"


def timed(move: Any) -> Any:
    """Give a deed of a race some time."""
    return msgspec.structs.replace(move, at=9e5) if isinstance(move, Timed) else move


def encoded(move: Any) -> str:
    """Write a move as JSON."""
    return msgspec.json.encode(move).decode()


def shown(moves: Sequence[Any]) -> str:
    """Write some moves down."""
    return ", ".join(map(encoded, moves[:8]))


CHECKS: Final[dict[str, Check]] = {
    check.__name__: check
    for check in (
        set_ups_are_checked,
        movers_make_sense,
        legal_moves_can_be_played,
        games_end,
        nature_is_fair,
        other_moves_are_refused,
        all_is_written_down,
        nothing_leaks,
        moves_leak_nothing,
        moves_are_told,
        words_are_complete,
        bots_play_on,
    )
}


def findings(rules: AnyGame, file: str = "") -> Iterator[str]:
    """Check a game with every number of seats; give the first finding of each check."""
    told: set[str] = set()
    for check in CHECKS.values():
        found = ((seats, first_finding(check, rules, seats, file)) for seats in rules.SEATS)
        seats, sentence = next(((seats, it) for seats, it in found if it), (0, ""))
        if sentence and sentence not in told:
            told.add(sentence)
            yield f"With {seats} seats: {sentence}."


def first_finding(check: Check, rules: AnyGame, seats: int, file: str) -> str:
    """Give the first thing that a check finds, also where the game itself fails."""
    try:
        return next(check(rules, seats, seats), "")
    except Stuck as problem:
        return str(problem)
    except Exception as problem:  # whatever a stranger's file does wrong is told in a sentence
        return f"the game fails{line_in(file, problem)}: {in_short(problem)}"
