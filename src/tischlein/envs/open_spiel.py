"""The games in OpenSpiel: importing this registers each as `tischlein_` and its name.

>>> import pyspiel
>>> import tischlein.envs.open_spiel
>>> game = pyspiel.load_game("tischlein_GAME(players=2)")

All chance is listed with its exact probabilities: a hand is drawn card by card in rising order, a
row of tiles from left to right, and nothing is drawn before somebody sees it.
"""

from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, Final

import msgspec
import numpy as np

from tischlein.envs import needed
from tischlein.envs.drawing import ansi
from tischlein.envs.games import env_names, process, process_of, title
from tischlein.envs.process import Process
from tischlein.game import AnyGame
from tischlein.games import game_named

if TYPE_CHECKING:
    import pyspiel
else:
    pyspiel = needed("pyspiel")

NOBODY: Final = -1
"""The parameter `starter` that lets chance decide."""


def parameters(name: str) -> dict[str, Any]:
    """List the parameters of a game and their defaults."""
    kind, rules = process_of(name), game_named(name)
    shared = {"players": rules.SEATS[0], "starter": NOBODY, "reward": "win"}
    limits = {"max_steps": kind.max_steps}
    return shared | limits | house_rules(rules) | kind.reductions | kind.times


def house_rules(rules: AnyGame) -> dict[str, Any]:
    """List the house rules that OpenSpiel can pass on, a number or a yes, and their defaults.

    One without a clock is left out: the environment is the race.
    """
    options = msgspec.structs.asdict(rules.Options())
    options.pop(getattr(rules, "CALM", ""), None)
    return {name: value for name, value in options.items() if isinstance(value, bool | int | float)}


def one_by_one(rules: AnyGame) -> bool:
    """Say whether one player moves after another."""
    return "turns" in rules.HAS


def game_type(name: str) -> Any:
    """Describe a game to OpenSpiel."""
    kind, process, rules = pyspiel.GameType, process_of(name), game_named(name)
    dynamics = kind.Dynamics
    return kind(
        short_name=f"tischlein_{name}",
        long_name=f"{process.long_name} ({title(process)})",
        dynamics=dynamics.SEQUENTIAL if one_by_one(rules) else dynamics.SIMULTANEOUS,
        chance_mode=kind.ChanceMode.EXPLICIT_STOCHASTIC,
        information=kind.Information.IMPERFECT_INFORMATION,
        utility=kind.Utility.ZERO_SUM,
        reward_model=kind.RewardModel.TERMINAL,
        max_num_players=rules.SEATS[-1],
        min_num_players=process.fewest or rules.SEATS[0],
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=False,
        parameter_specification=parameters(name),
    )


@cache
def set_up(name: str, given: tuple[tuple[str, Any], ...]) -> Process:
    """Give the process that a game with these parameters plays."""
    options = dict(given)
    players, starter = options.pop("players"), options.pop("starter")
    for ours in ("reward", "max_steps"):
        options.pop(ours)
    options["starter"] = None if starter == NOBODY else starter
    return process(name, players, options, listed=True)


Step = int | tuple[tuple[int, int], ...]
"""An outcome of chance, or the actions of all seats that decide."""


class Node:
    """A place in the game's tree; it never changes, so copies of a state share it."""

    __slots__ = (
        "_glances", "_legal", "_news", "before", "chances", "game", "given", "over", "position",
        "process", "step", "steps",
    )  # fmt: skip

    def __init__(
        self,
        game: str,
        given: tuple[tuple[str, Any], ...],
        position: Any,
        before: "Node | None" = None,
        step: Step = (),
    ) -> None:
        self.game, self.given, self.before, self.step = game, given, before, step
        self.process = set_up(game, given)
        self.steps: int = 0 if before is None else before.steps + (not isinstance(step, int))
        chances = self.process.chances(position)
        while len(chances) == 1:  # what can't happen otherwise just happens
            position = self.process.happen(position, chances[0][0])
            chances = self.process.chances(position)
        self.position = position
        self.chances = [(outcome, float(chance)) for outcome, chance in chances]
        self.over = self.process.over(position)
        self._legal: dict[int, list[int]] = {}
        self._news: dict[int, str] = {}
        self._glances: dict[int, str] = {}

    def legal(self, seat: int) -> list[int]:
        """List the actions of a seat."""
        if seat not in self._legal:
            self._legal[seat] = self.process.legal(self.position, seat)
        return self._legal[seat]

    def told(self, seat: int) -> str:
        """Tell all that a seat has seen and done so far."""
        return "".join(node.news(seat) for node in self.way())

    def news(self, seat: int) -> str:
        """Tell what a seat did and what it sees since."""
        if seat not in self._news:
            own = "" if isinstance(self.step, int) else str(dict(self.step).get(seat, ""))
            now = self.glance(seat)
            seen = "" if self.before is not None and now == self.before.glance(seat) else now
            self._news[seat] = f"\n{own}>{seen}" if own or seen else ""
        return self._news[seat]

    def glance(self, seat: int) -> str:
        """Write what a seat sees now."""
        if seat not in self._glances:
            table = self.process
            view = msgspec.to_builtins(table.rules.view(self.position.state, seat), str_keys=True)
            del view["options"]
            progress = msgspec.to_builtins(table.progress(self.position, seat))
            self._glances[seat] = msgspec.json.encode([view, progress]).decode()
        return self._glances[seat]

    def way(self) -> list["Node"]:
        """List the places from the root to here."""
        found, node = [], self
        while node.before is not None:
            found.append(node)
            node = node.before
        return [node, *reversed(found)]

    def __deepcopy__(self, memo: Any) -> "Node":
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return followed, (self.game, self.given, [node.step for node in self.way()[1:]])


@cache
def root(game: str, given: tuple[tuple[str, Any], ...]) -> Node:
    """Give the place before the deal."""
    return Node(game, given, set_up(game, given).begin())


@lru_cache(1 << 14)  # algorithms that walk through a small tree again and again find it here
def after(node: Node, step: Step) -> Node:
    """Follow a step."""
    if isinstance(step, int):
        position = node.process.happen(node.position, step)
    else:
        position = node.process.act(node.position, dict(step))
    return Node(node.game, node.given, position, node, step)


def followed(game: str, given: tuple[tuple[str, Any], ...], path: list[Step]) -> Node:
    """Follow a path through the tree."""
    node = root(game, given)
    for step in path:
        node = after(node, step)
    return node


class TischleinState(pyspiel.State):
    """A state of one of the games."""

    def __init__(self, game: Any, node: Node) -> None:
        super().__init__(game)
        self.node = node
        self.reward, self.max_steps = game.reward, game.max_steps

    def current_player(self) -> Any:
        """Say who moves: chance, one seat, or several at once."""
        table, position = self.node.process, self.node.position
        if self.is_terminal():
            return pyspiel.PlayerId.TERMINAL
        if self.node.chances:
            return pyspiel.PlayerId.CHANCE
        if one_by_one(table.rules):
            return table.deciders(position)[0]
        return pyspiel.PlayerId.SIMULTANEOUS

    def _legal_actions(self, player: int) -> list[int]:
        return self.node.legal(player)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """List what chance may bring, with probabilities."""
        return self.node.chances

    def _apply_action(self, action: int) -> None:
        if self.is_chance_node():
            self.node = after(self.node, int(action))
        else:
            self._apply_actions([int(action)] * self.num_players())

    def _apply_actions(self, actions: list[int]) -> None:
        seats = self.node.process.deciders(self.node.position)
        self.node = after(self.node, tuple((seat, int(actions[seat])) for seat in seats))

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return self.node.process.chance_label(self.node.position, action)
        return self.node.process.labels[action]

    def is_terminal(self) -> bool:
        """Say whether the game is over, or has become too long."""
        return self.node.over or self.node.steps >= int(self.max_steps)

    def returns(self) -> list[float]:
        """Give what each seat has more than its fair share of the win, or of all points."""
        table, position = self.node.process, self.node.position
        if not self.node.over:
            return [0.0] * table.seats
        won = table.shares(position) if self.reward == "win" else table.points(position)
        return [one - sum(won) / table.seats for one in won]

    def __str__(self) -> str:
        return ansi(self.node.process, self.node.position)


class Observer:
    """What a player sees: the documented array, or a text."""

    def __init__(self, table: Process, kind: Any, params: Any) -> None:
        if params:
            raise ValueError(f"there are no parameters for observations; given were {params}")
        self.perfect_recall = kind.perfect_recall
        self.shows = kind.public_info and kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        self.tensor: Any = None
        self.dict: dict[str, Any] = {}
        if self.shows and not self.perfect_recall:
            self.tensor = np.zeros(table.layout.size, np.float32)
            self.dict = table.layout.parts(self.tensor)

    def set_from(self, state: TischleinState, player: int) -> None:
        """Write what a player sees into the array."""
        if self.tensor is not None:
            self.tensor[:] = state.node.process.observe(state.node.position, player)

    def string_from(self, state: TischleinState, player: int) -> str | None:
        """Tell what a player sees, or has ever seen and done."""
        if not self.shows:
            return None
        return state.node.told(player) if self.perfect_recall else state.node.glance(player)


def game_info(table: Process, reward: str, max_steps: int) -> Any:
    """Tell OpenSpiel how large a game is, and what can be won."""
    fair = 1 / table.seats
    return pyspiel.GameInfo(
        num_distinct_actions=len(table.labels),
        max_chance_outcomes=table.most_chances(),
        num_players=table.seats,
        min_utility=-(fair if reward == "win" else table.most_points()),
        max_utility=1 - fair if reward == "win" else table.most_points(),
        utility_sum=0.0,
        max_game_length=max_steps,
    )


def game_class(name: str) -> type[Any]:
    """Make the class of a game."""
    kind_of_game = game_type(name)

    class TischleinGame(pyspiel.Game):
        """One of the games, with its parameters."""

        def __init__(self, params: dict[str, Any] | None = None) -> None:
            chosen = parameters(name) | dict(params or {})
            if chosen["reward"] not in ("win", "points"):
                raise ValueError(f"`reward` must be win or points, not {chosen['reward']}")
            self.given = tuple(sorted(chosen.items()))
            self.reward, self.max_steps = chosen["reward"], chosen["max_steps"]
            info = game_info(set_up(name, self.given), self.reward, self.max_steps)
            super().__init__(kind_of_game, info, params or {})

        def new_initial_state(self) -> TischleinState:
            """Give the state before the deal."""
            return TischleinState(self, root(name, self.given))

        def max_chance_nodes_in_history(self) -> int:
            """Bound the steps of chance."""
            return int(self.max_steps + 1) * set_up(name, self.given).most_steps_of_chance()

        def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
            """Give what turns states into observations."""
            usual = pyspiel.IIGObservationType(perfect_recall=False)
            return Observer(set_up(name, self.given), iig_obs_type or usual, params)

    return TischleinGame


for _name in env_names():
    pyspiel.register_game(game_type(_name), game_class(_name))
