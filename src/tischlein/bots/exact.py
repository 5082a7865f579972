"""Functions of numbers that give the same bits on every machine.

What bots answer follows from seed and moves alone, wherever they think. The machine's own `exp`,
`log` and `erf` differ from system to system in the last bit, and `sum` from Python to Python; so
bots use these, made of plain arithmetic in a fixed order, and `math.fsum`, which rounds only once.
Good to about a part in 10^14. `arrays.exp` takes the same steps as `exp` here.
"""

from functools import cache, lru_cache
from math import factorial, frexp, isqrt, ldexp, pi, sqrt
from typing import Final

LN2_HIGH: Final = 0x162E42FEF / 2**33
"""The natural logarithm of 2: so few bits that whole numbers times them are exact,"""
LN2_LOW: Final = 7.440617110012397e-11
"""and what is missing."""
ROOT: Final = 64
"""A power of e is a whole number of 64th roots of two, times a power near one."""
PER_ROOT: Final = ROOT / (LN2_HIGH + LN2_LOW)
ROOT_HIGH: Final = LN2_HIGH / ROOT
ROOT_LOW: Final = LN2_LOW / ROOT
SERIES: Final = tuple(1 / factorial(n) for n in range(5, -1, -1))
LEAST: Final = -700.0
"""Below this a power of e is taken as nothing."""
ODD: Final = tuple(1 / n for n in range(23, 0, -2))
HALF_ROOT: Final = sqrt(0.5)
SURE: Final = 6.0
"""From here on nothing is missing to one that a number could tell."""
PLACES: Final = 16
"""The error function is known at whole 16ths,"""
PARTS: Final = 12
"""and between them by so many slopes."""


def two_to(roots: int) -> float:
    """Give a power of two by 64ths from 0 to 63, found in whole numbers and rounded once."""
    number = 1 << (roots + ROOT * 120)
    for _ in range(6):  # the root of the root of the root …
        number = isqrt(number)
    return number / (1 << 120)


TWO_TO: Final = tuple(two_to(roots) for roots in range(ROOT))


def exp(x: float) -> float:
    """Give a power of e."""
    if x < LEAST:
        return 0.0
    roots = round(x * PER_ROOT)
    rest, found = x - roots * ROOT_HIGH - roots * ROOT_LOW, 0.0
    for part in SERIES:
        found = found * rest + part
    twos, left = divmod(roots, ROOT)
    return ldexp(TWO_TO[left] * found, twos)


@lru_cache(1024)  # whoever counts asks for the same again and again
def log(x: float) -> float:
    """Give the natural logarithm: of a power of two, and of a number near one."""
    if x <= 0:
        raise ValueError(f"only what is above 0 has a logarithm, not {x}")
    near, twos = frexp(x)
    if near < HALF_ROOT:
        near, twos = 2 * near, twos - 1
    ratio, found = (near - 1) / (near + 1), 0.0
    for part in ODD:
        found = found * ratio * ratio + part
    return twos * LN2_HIGH + (twos * LN2_LOW + 2 * ratio * found)


def erf(x: float) -> float:
    """Give the error function: from the nearest of some places that are known, by its slopes."""
    if abs(x) >= SURE:
        return 1.0 if x > 0 else -1.0
    place = round(abs(x) * PLACES)
    away, found = abs(x) - place / PLACES, 0.0
    for part in slopes_of_erf(place):
        found = found * away + part
    return min(1.0, found) if x > 0 else -min(1.0, found)


@cache
def slopes_of_erf(place: int) -> tuple[float, ...]:
    """Give the series of the error function around a place, its last part first."""
    at = place / PLACES
    parts = [erf_by_series(at), 2 / sqrt(pi) * exp(-at * at)]
    before, part = 0.0, parts[1]
    for n in range(1, PARTS):
        before, part = part, -2 * (at * part + before) / n
        parts.append(part / (n + 1))
    return tuple(reversed(parts))


def erf_by_series(x: float) -> float:
    """Give the error function by the series whose terms all have one sign."""
    term = found = x
    odd, square = 1, 2 * x * x
    while term > 1e-17 * found:
        odd += 2
        term *= square / odd
        found += term
    return 2 / sqrt(pi) * exp(-x * x) * found


def power(x: float, times: int) -> float:
    """Multiply a number with itself so many times."""
    found = 1.0
    for _ in range(times):
        found *= x
    return found
