"""Functions that bots count with: near to the true values, and edges as one expects."""

import ast
import math
from fractions import Fraction
from pathlib import Path

import pytest

import tischlein
from tischlein.bots.exact import LEAST, TWO_TO, erf, exp, log, power
from tischlein.chance import Quick

CLOSE = 1e-13
OTHERWISE = {
    *("exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "pow", "cbrt", "erf", "erfc"),
    *("sin", "cos", "tan", "tanh", "hypot", "dist", "sumprod", "random", "linalg"),
}
"""What machines, or Pythons, round each in their own way."""


def some(low: float, high: float, many: int = 3000) -> list[float]:
    """Give numbers between two, and both of them."""
    rng = Quick(f"{low} {high}")
    return [low, high, *(low + (high - low) * rng.uniform() for _ in range(many))]


@pytest.mark.parametrize(("low", "high"), [(LEAST, 700), (-1, 1), (-1e-9, 1e-9)])
def test_powers_of_e(low: float, high: float) -> None:
    for x in some(low, high):
        assert exp(x) == pytest.approx(math.exp(x), rel=CLOSE, abs=0)


def test_a_power_of_e_is_that_of_its_series() -> None:
    """Against whole fractions, so that no other machine's `exp` is trusted."""
    for x in (0.5, -0.25, 1.0, -3.0, 7.75):
        term = total = Fraction(1)
        for n in range(1, 80):
            term *= Fraction(x) / n
            total += term
        assert abs(Fraction(exp(x)) / total - 1) < Fraction(1, 10**15)


def test_powers_of_e_at_the_edges() -> None:
    assert exp(0.0) == 1.0
    assert exp(LEAST) > 0.0
    assert exp(LEAST - 1) == exp(-math.inf) == 0.0
    for x in (710.0, math.inf):
        with pytest.raises(OverflowError):
            exp(x)


def test_roots_of_two_are_rounded_once() -> None:
    for at, root in enumerate(TWO_TO):
        below, above = (Fraction(math.nextafter(root, to)) for to in (0.0, 9.0))
        middles = [(Fraction(root) + other) / 2 for other in (below, above)]
        assert middles[0] ** 64 < 2**at < middles[1] ** 64


def test_logarithms() -> None:
    for x in [*some(0.5, 2), *some(1e-300, 1e-290), *some(1, 1e6), 5e-324, 1.7e308]:
        assert log(x) == pytest.approx(math.log(x), rel=CLOSE, abs=1e-300)
    assert log(1) == 0.0
    for number in range(1, 500):
        assert log(number) == pytest.approx(math.log(number), rel=CLOSE)
    for x in (0, -1.0):
        with pytest.raises(ValueError, match="above 0"):
            log(x)


def test_the_error_function() -> None:
    for x in [*some(-7, 7), *some(-1e-6, 1e-6), 1 / 32, 5.99999, 6.0]:
        assert erf(x) == pytest.approx(math.erf(x), rel=CLOSE, abs=0)
        assert erf(-x) == -erf(x)
        assert -1 <= erf(x) <= 1
    assert erf(0.0) == 0.0
    assert erf(math.inf) == 1.0


def test_powers() -> None:
    assert power(3.0, 0) == 1.0
    assert power(0.0, 0) == 1.0
    assert power(1.5, 3) == 3.375
    for x in some(0, 1, 50):
        assert power(x, 7) == pytest.approx(float(Fraction(x) ** 7), rel=CLOSE)


def bots_files() -> list[Path]:
    """List the modules that bots are made of."""
    home = Path(tischlein.__file__).parent
    return [*home.glob("bots/*.py"), *home.glob("games/*/bots/*.py")]


def asked_of_the_machine(text: str) -> set[str]:
    """Find what a module takes from `math` or NumPy that each rounds in its own way."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ImportFrom) and node.module in ("math", "statistics"):
            found |= {one.name for one in node.names if one.name in OTHERWISE}
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            found |= {node.attr} & OTHERWISE if node.value.id in ("np", "math") else set()
    return found


def test_what_is_not_exact_is_found() -> None:
    assert asked_of_the_machine("from math import exp, sqrt") == {"exp"}
    assert asked_of_the_machine("np.random.default_rng(0), np.exp(x), exact.exp(x)") == {
        "random", "exp",
    }  # fmt: skip


@pytest.mark.parametrize("path", bots_files(), ids=lambda path: "/".join(path.parts[-3:]))
def test_bots_ask_no_machine_for_what_each_rounds_in_its_own_way(path: Path) -> None:
    assert asked_of_the_machine(path.read_text(encoding="utf-8")) == set()
