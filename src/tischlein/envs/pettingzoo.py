"""The games as PettingZoo environments: one seat after the other, or all at once.

>>> from tischlein.envs import pettingzoo
>>> table = pettingzoo.env("GAME", seats=2)
>>> table.reset(seed=1)
>>> table.agents
['player_0', 'player_1']
"""

from collections.abc import Mapping, Sequence
from secrets import randbits
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from tischlein.chance import Quick
from tischlein.envs import needed
from tischlein.envs.drawing import ansi, svg
from tischlein.envs.games import process, title
from tischlein.envs.layout import mask
from tischlein.games import game_named

if TYPE_CHECKING:
    from gymnasium import spaces
    from pettingzoo import AECEnv, ParallelEnv
    from pettingzoo.utils import wrappers
else:
    spaces = needed("gymnasium.spaces")
    AECEnv, ParallelEnv = needed("pettingzoo").AECEnv, needed("pettingzoo").ParallelEnv
    wrappers = needed("pettingzoo.utils").wrappers

ILLEGAL_REWARD: Final = -1.0
MAX_STEPS: Final = 10_000
RENDER_MODES: Final = ("ansi", "svg")
REWARDS: Final = ("win", "points")
MASKS: Final = ("observation", "info")

Observation = Any
"""The array and the mask in a dict, or the array alone."""


class Game:
    """A game under way, as both kinds of environments play it."""

    def __init__(
        self,
        name: str,
        seats: int | None = None,
        *,
        reward: str = "win",
        memory: bool = False,
        masks: str = "observation",
        max_steps: int = MAX_STEPS,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        if reward not in REWARDS:
            raise ValueError(f"`reward` must be one of {', '.join(REWARDS)}, not {reward!r}")
        if masks not in MASKS:
            raise ValueError(f"`masks` must be one of {', '.join(MASKS)}, not {masks!r}")
        if render_mode not in (None, *RENDER_MODES):
            raise ValueError(f"`render_mode` must be one of {', '.join(RENDER_MODES)}, or None")
        if seats is None:
            seats = game_named(name).SEATS[0]
        self.process = process(name, seats, options, memory=memory)
        self.reward, self.max_steps, self.render_mode = reward, max_steps, render_mode
        self.masks_in_info = masks == "info"
        self.names = [f"player_{seat}" for seat in range(seats)]
        self.observation_spaces = {name: self.observation_space() for name in self.names}
        self.action_spaces = {
            name: spaces.Discrete(len(self.process.labels)) for name in self.names
        }
        self.rng = Quick(randbits(64))
        self.position, self.steps = self.process.begin(), 0

    def begin(self, seed: int | None) -> None:
        """Begin a game; the same seed gives the same game."""
        if seed is not None:
            self.rng = Quick(seed)
        self.position, self.steps = self.process.begin(), 0
        self.let_chance_play()

    def let_chance_play(self) -> None:
        """Let chance play until a seat decides or the game is over."""
        while self.process.nature_moves(self.position):
            self.position = self.process.draw(self.position, self.rng)

    def act(self, chosen: Mapping[int, int]) -> None:
        """Let all seats that decide now do what they have chosen."""
        self.position = self.process.act(self.position, chosen)
        self.steps += 1
        self.let_chance_play()

    @property
    def deciders(self) -> tuple[int, ...]:
        """Name the seats that decide now."""
        return self.process.deciders(self.position)

    @property
    def over(self) -> bool:
        """Say whether the game is over."""
        return self.process.over(self.position)

    @property
    def cut(self) -> bool:
        """Say whether the game was stopped before its end."""
        return self.steps >= self.max_steps and not self.over

    def rewards(self) -> dict[str, float]:
        """Give what the end brings: the share of the win, or the points; before that nothing."""
        if not self.over:
            return dict.fromkeys(self.names, 0.0)
        count = self.process.shares if self.reward == "win" else self.process.points
        return dict(zip(self.names, count(self.position), strict=True))

    def observation_space(self) -> "spaces.Space[Any]":
        """Describe what a seat is shown."""
        layout = self.process.layout
        box = spaces.Box(layout.low(), layout.high())
        if self.masks_in_info:
            return box
        mask = spaces.MultiBinary(len(self.process.labels))
        return spaces.Dict({"observation": box, "action_mask": mask})

    def look(self, name: str) -> Observation:
        """Show a seat the table and, unless they are in the info, its legal actions."""
        observation = self.process.observe(self.position, self.names.index(name))
        if self.masks_in_info:
            return observation
        return {"observation": observation, "action_mask": self.mask(name)}

    def mask(self, name: str) -> NDArray[np.int8]:
        """Mark the legal actions of a seat."""
        legal = self.process.legal(self.position, self.names.index(name))
        return mask(legal, len(self.process.labels))

    def infos(self, names: Sequence[str]) -> dict[str, dict[str, Any]]:
        """Tell the seats what is not in their observations."""
        return {
            name: {"action_mask": self.mask(name)} if self.masks_in_info else {} for name in names
        }

    def render(self) -> str | None:
        """Print the board, or draw it; give what was printed or drawn."""
        if self.render_mode is None:
            return None
        if self.render_mode == "svg":
            return svg(self.process, self.position)
        board = ansi(self.process, self.position)
        print(board)
        return board


class Table:
    """What both kinds of environments have: a game, agents with their spaces, a board."""

    def set(self, game: Game, *, parallel: bool) -> None:
        """Set the table for a game."""
        self.game, self.render_mode = game, game.render_mode
        self.possible_agents = game.names[:]
        self.observation_spaces, self.action_spaces = game.observation_spaces, game.action_spaces
        self.metadata = {
            "name": title(type(game.process)),
            "render_modes": list(RENDER_MODES),
            "is_parallelizable": parallel,
        }

    def observation_space(self, agent: str) -> "spaces.Space[Any]":
        """Describe what an agent is shown."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> "spaces.Space[Any]":
        """Describe what an agent may choose."""
        return self.action_spaces[agent]

    def render(self) -> str | None:
        """Print the board, or draw it."""
        return self.game.render()

    def close(self) -> None:
        """Do nothing: there is no window."""

    def __str__(self) -> str:
        return str(self.metadata["name"])


class TurnByTurn(Table, AECEnv[str, Observation, int | None]):
    """A game in which one agent after the other is asked; who acts at once sees nothing more."""

    def __init__(self, name: str, seats: int | None = None, **options: Any) -> None:
        super().__init__()
        self.set(Game(name, seats, **options), parallel=False)
        self.chosen: dict[int, int] = {}

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game; the same seed gives the same game."""
        self.game.begin(seed)
        self.agents = self.possible_agents[:]
        self.chosen = {}
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = self.game.infos(self.agents)
        self.ask_next()

    def observe(self, agent: str) -> Observation:
        """Show an agent the table and its legal actions."""
        return self.game.look(agent)

    def step(self, action: int | None) -> None:
        """Take the choice of the agent that was asked; when all have chosen, they act."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        seat = self.game.names.index(agent)
        self.chosen[seat] = check(self.game, seat, action)
        self._cumulative_rewards[agent] = 0.0
        self.rewards = dict.fromkeys(self.agents, 0.0)
        if len(self.chosen) == len(self.game.deciders):
            self.game.act(self.chosen)
            self.chosen = {}
            self.rewards = self.game.rewards()
            self.terminations = dict.fromkeys(self.agents, self.game.over)
            self.truncations = dict.fromkeys(self.agents, self.game.cut)
            self.infos = self.game.infos(self.agents)
        self._accumulate_rewards()
        self.ask_next()

    def ask_next(self) -> None:
        """Turn to the next seat that decides; at the end to anyone who is still there."""
        waiting = [seat for seat in self.game.deciders if seat not in self.chosen]
        self.agent_selection = self.game.names[waiting[0]] if waiting else self.agents[0]


class AllAtOnce(Table, ParallelEnv[str, Observation, int]):
    """A game in which all agents act at each step; who has nothing to decide waits.

    An illegal action ends the game: it costs the agent one point.
    """

    def __init__(self, name: str, seats: int | None = None, **options: Any) -> None:
        self.set(Game(name, seats, **options), parallel=True)
        self.agents: list[str] = []

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """Begin a game; the same seed gives the same game."""
        self.game.begin(seed)
        self.agents = self.possible_agents[:]
        return self.look(), self.game.infos(self.agents)

    def look(self) -> dict[str, Observation]:
        """Show all agents what they may see."""
        return {agent: self.game.look(agent) for agent in self.agents}

    def step(
        self, actions: dict[str, int]
    ) -> tuple[
        dict[str, Observation],
        dict[str, float],
        dict[str, bool],
        dict[str, bool],
        dict[str, dict[str, Any]],
    ]:
        """Let all agents act."""
        chosen = {self.game.names.index(agent): int(action) for agent, action in actions.items()}
        legal = {seat: self.game.process.legal(self.game.position, seat) for seat in chosen}
        wrong = [seat for seat, action in chosen.items() if action not in legal[seat]]
        if not wrong:
            self.game.act({seat: chosen[seat] for seat in self.game.deciders})
        ended = bool(wrong) or self.game.over
        rewards = self.game.rewards()
        for seat in wrong:
            rewards[self.game.names[seat]] = ILLEGAL_REWARD
        told = (
            self.look(),
            rewards,
            dict.fromkeys(self.agents, ended),
            dict.fromkeys(self.agents, self.game.cut and not ended),
            self.game.infos(self.agents),
        )
        if ended or self.game.cut:
            self.agents = []
        return told


def check(game: Game, seat: int, action: int | None) -> int:
    """Refuse an action that is not legal."""
    legal = game.process.legal(game.position, seat)
    if action is None or int(action) not in legal:
        raise ValueError(f"action {action} is not legal for player_{seat}; legal are {legal}")
    return int(action)


def raw_env(name: str, seats: int | None = None, **options: Any) -> TurnByTurn:
    """Give a game turn by turn, without PettingZoo's wrappers."""
    return TurnByTurn(name, seats, **options)


def env(name: str, seats: int | None = None, **options: Any) -> "AECEnv[str, Observation, int]":
    """Give a game turn by turn; an illegal action ends it and costs the agent one point."""
    table: Any = wrappers.TerminateIllegalWrapper(
        raw_env(name, seats, **options), illegal_reward=ILLEGAL_REWARD
    )
    table = wrappers.AssertOutOfBoundsWrapper(table)
    wrapped: AECEnv[str, Observation, int] = wrappers.OrderEnforcingWrapper(table)
    return wrapped


def parallel_env(name: str, seats: int | None = None, **options: Any) -> AllAtOnce:
    """Give a game in which all agents act at each step."""
    return AllAtOnce(name, seats, **options)


__all__ = ["AllAtOnce", "TurnByTurn", "env", "parallel_env", "raw_env"]
