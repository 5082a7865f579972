"""Functions of numbers that give the same bits on every machine.

What bots answer follows from seed and moves alone, wherever they think. The machine's own `exp`,
`log` and `erf` differ from system to system in the last bit, and `sum` from Python to Python; so
bots use these, made of plain arithmetic in a fixed order, and `math.fsum`, which rounds only once.
Good to about a part in 10^14.
"""

from functools import lru_cache
from math import factorial, frexp, ldexp, pi, sqrt
from typing import Final

LN2_HIGH: Final = 0x162E42FEF / 2**33
"""The natural logarithm of 2: so few bits that whole numbers times them are exact,"""
LN2_LOW: Final = 7.440617110012397e-11
"""and what is missing."""
LEAST: Final = -700.0
"""Below this a power of e is taken as nothing."""
SERIES: Final = tuple(1 / factorial(n) for n in range(13, -1, -1))
ODD: Final = tuple(1 / n for n in range(23, 0, -2))
SURE: Final = 6.0
"""From here on nothing is missing to one that a number could tell."""


def exp(x: float) -> float:
    """Give a power of e: two to a whole number, times a power near one."""
    if x < LEAST:
        return 0.0
    twos = round(x / (LN2_HIGH + LN2_LOW))
    rest, found = x - twos * LN2_HIGH - twos * LN2_LOW, 0.0
    for part in SERIES:
        found = found * rest + part
    return ldexp(found, twos)


@lru_cache(1024)  # whoever counts asks for the same again and again
def log(x: float) -> float:
    """Give the natural logarithm: of a power of two, and of a number near one."""
    near, twos = frexp(x)
    if near < sqrt(0.5):
        near, twos = 2 * near, twos - 1
    ratio, found = (near - 1) / (near + 1), 0.0
    for part in ODD:
        found = found * ratio * ratio + part
    return twos * LN2_HIGH + (twos * LN2_LOW + 2 * ratio * found)


def erf(x: float) -> float:
    """Give the error function, by the series whose terms all have one sign."""
    if abs(x) >= SURE:
        return 1.0 if x > 0 else -1.0
    term = found = x
    odd = 1
    while abs(term) > 1e-17 * abs(found):
        odd += 2
        term *= 2 * x * x / odd
        found += term
    return max(-1.0, min(1.0, 2 / sqrt(pi) * exp(-x * x) * found))


def power(x: float, times: int) -> float:
    """Multiply a number with itself so many times."""
    found = 1.0
    for _ in range(times):
        found *= x
    return found
