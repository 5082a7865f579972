"""`tischlein simulate --batch`: exactly so many games, reproducible, and clear refusals."""

from typing import Any

import msgspec
import pytest

from tischlein.game import BadStart
from tischlein.lab import arrays as command


def test_the_same_seed_counts_the_same_games(capfdbinary: Any) -> None:
    found = []
    for _ in range(2):
        command.simulate("kakerlaken", 2, 301, "random", {}, "seed", as_json=True)
        found.append(capfdbinary.readouterr().out)
    assert found[0] == found[1]
    tally = msgspec.json.decode(found[0], type=command.BatchTally)
    assert [row.who for row in tally.rows] == ["starter", "2nd"]
    assert tally.games == 301
    assert sum(row.wins.mean for row in tally.rows) == pytest.approx(1)


def test_policies_sit_in_their_seats_and_a_bar_shows_who_wins(capsys: Any) -> None:
    name = f"{__name__}:slap_or_squeak"
    policies = [command.policy_named(bot) for bot in (name, "random")]
    tally = command.play("kakerlaken", (name, "random"), policies, 40, "seed")
    command.print_tally(tally)
    shown = capsys.readouterr().out
    assert f"seat 0 ({name})" in shown.replace("…", "")
    assert "|█" in shown
    assert tally.rows[0].wins.mean > tally.rows[1].wins.mean


def slap_or_squeak(key: Any, observations: Any, masks: Any) -> Any:
    """Know the tile and its thief: slap it, or grab it when it is mine and name the thief."""
    import jax.numpy as jnp

    tile, thief, phase = observations[:, 9], observations[:, 10], observations[:, 11]
    owner = jnp.take_along_axis(observations[:, :9], tile[:, None].astype(jnp.int32), 1)[:, 0]
    deed = jnp.where(owner == 0, tile, jnp.where(owner == 1, 10, 9))
    return jnp.select([phase == 1, phase == 2], [deed, 10 + thief], jnp.argmax(masks, -1))


@pytest.mark.parametrize(
    ("bots", "options", "sentence"),
    [
        ("easy", {}, "a bot is `random` or a policy over arrays"),
        ("json:nothing", {}, "there is no policy `json:nothing`"),
        ("random,random,random", {}, "each of the two"),
        ("random", {"starter": 0}, "without house rules"),
    ],
)
def test_refusals_say_what_to_do(bots: str, options: dict[str, Any], sentence: str) -> None:
    with pytest.raises(BadStart, match=sentence):
        command.simulate("sushizock", 2, 10, bots, options, "seed", as_json=True)


def test_a_game_without_arrays_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "has_part", lambda name, part: False)
    with pytest.raises(BadStart, match="sushizock cannot be played over arrays yet"):
        command.simulate("sushizock", 2, 10, "random", {}, "seed", as_json=True)


def test_without_jax_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "find_spec", lambda name: None)
    with pytest.raises(BadStart, match=r"pip install 'tischlein\[batch\]'"):
        command.simulate("sushizock", 2, 10, "random", {}, "seed", as_json=True)
