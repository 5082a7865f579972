"""What any numpy can be asked, with answers bit for bit: a table of a few thousand expressions.

The tests ask numpy itself, and the browser's small one by running this file there.
"""

import json
import random
import warnings
from itertools import product
from typing import Any, Final

import numpy as np

SHAPES: Final = [(), (0,), (1,), (4,), (7,), (3, 4), (3, 1), (1, 4), (0, 4), (3, 0), (2, 3, 4)]
SHAPES_TOO: Final = [(2, 1, 4), (4, 4), (2, 3, 4, 2)]
KINDS: Final = {"f": float, "i": int, "b": bool}
VIEWS: Final = {
    "T": "{}.T",
    "back": "{}[::-1]",
    "odd": "{}[..., ::2]",
    "tail": "{}[1:]",
    "inner": "{}[..., 1:-1]",
    "column": "{}[..., 0]",
    "wide": "np.broadcast_to({}, (2,) + {}.shape)",
    "new": "{}[..., None]",
}
OPERATORS: Final = ["+", "-", "*", "/", "//", "%", "==", "!=", "<", "<=", ">", ">=", "&", "|", "^"]
NUMBERS: Final = ["0", "2", "-3", "0.5", "-1.25", "True", "np.int64(5)", "np.float64(1.5)"]
FUNCTIONS: Final = [
    "np.abs({})", "-{}", "~{}", "np.rint({} / 3)", "np.floor({} / 3)", "np.floor({})",
    "np.ceil({} / 3)", "np.sqrt(np.abs({}))", "{}.astype(int)", "{}.astype(bool)",
    "{}.astype(np.float64)", "{}.ravel()", "{}.T", "{}.copy()", "{}.tolist()", "np.nonzero({})",
    "np.flatnonzero({})", "np.isnan({} / 0.0)", "np.count_nonzero({})", "np.clip({}, -1, 1.5)",
    "np.clip({}, 0, 2)", "np.minimum({}, 1)", "np.maximum({}, 0.5)", "{}.reshape(-1)",
    "{}.reshape({}.shape + (1,))", "np.repeat({}, 2)", "np.tile({}, 2)", "np.tile({}, (2, 1))",
    "np.zeros_like({})", "np.full_like({}, 1)", "np.roll({}, 1)", "np.where({} > 0, {}, -1.5)",
    "np.where({}, 1, 0)", "np.unique({}, return_index=True, return_inverse=True)",
    "np.cumsum({})", "list({})", "len({})", "{}.size", "{}.ndim", "{} ** 2", "np.sign_of({})",
    "np.array({}.tolist(), {}.dtype)", "float({}.sum())", "{}.nonzero()", "np.squeeze({})",
    "np.expand_dims({}, 0)", "np.array([{}, {}])", "np.stack([{}, {}], -1)", "bool({})",
    "np.frombuffer({}.tobytes(), {}.dtype)", "{}.dtype == np.float64", "{}.dtype == bool",
    "np.ldexp({} * 1.0, 3)", "np.broadcast_to({}, (5, 2, 3, 4))", "{}.item()", "np.flip({})",
    "{}.sum(initial=3)", "{}.min(initial=2)", "{}.max(initial=2)", "-{}.astype(int)",
    "np.where({} > 0, np.inf, {})", "np.array_equal({}, {})", "np.prod({}.astype(int))",
]  # fmt: skip
FOLDS: Final = ["sum", "min", "max", "argmin", "argmax", "any", "all", "mean"]
ALONG: Final = [
    "np.cumsum({}, axis={})", "np.argsort({}, axis={}, kind='stable')", "np.sort({}, axis={})",
    "np.roll({}, 2, axis={})", "np.roll({}, -1, axis={})", "np.repeat({}, 3, axis={})",
    "np.concatenate([{}, {} * 2], axis={})", "np.concatenate([{}, {} > 0], axis={})",
    "np.stack([{}, {}], axis={})", "np.split({}, [1, 2], axis={})", "np.flip({}, axis={})",
    "np.take_along_axis({}, np.argsort({}, axis={}, kind='stable'), axis={})",
    "np.take({}, [0, -1], axis={})", "np.expand_dims({}, {})",
    "{}.sum(axis={}, initial=1)", "{}.max(axis={}, initial=-1)", "{}.min(axis={}, initial=-1)",
]  # fmt: skip
KEYS: Final = [
    "0", "-1", "5", "1:", ":-1", "::2", "::-1", "-1:0:-2", "3:1", "...", "None", "0, 1", "1, -1",
    ":, 0", ":, -1", "..., 0", "0, ...", ":, None", "None, :, None", ":, 1:3", "::-1, ::2",
    "[0, 1]", "[1, -1, 1]", "[0, 9]", "np.array([], int)", "I", "I[:, None]", "I, I",
    "I[:, None], I", ":, I", "I, :", "..., I", "1, I", "I, 1", ":, I, I", "I, :, I", "I, :, 0",
    "0, :, I", ":, I[:, None]", "None, I", "I, None", "I, 1:", "1:, I", "::-1, I", "I, ..., 0",
    "M", "M, 0", "M, :", "M, I", ":, N", "N", "..., N", "0, N", "A > 0", "A == A", "A != A",
    "np.arange(len(A))", "slice(0, 2)", "np.int64(1)", "np.argsort(A.ravel()[:2], kind='stable')",
    "I.astype(float)", "1, ..., I", "I, [0]", "0, 0, 0", "I, I, I", ":, :, I", ":, 0, 1:",
    "np.nonzero(A)", "np.array(1)", "range(2)", "(0, 0, 0, 0, 0)", "I[::-1]", ":, I, 0, 0",
    ":, I, :, 0", "0, I, :, I", "I, :, :, I", ":, :, I, I[:, None]",
]  # fmt: skip
VALUES: Final = ["9", "-2.5", "True", "x[KEY]", "x[KEY] * 2", "np.arange(4)", "np.ones((3, 1))"]
CHANGES: Final = [
    "x += 1", "x -= x", "x *= 2.5", "x /= 2", "x //= 2", "x %= 3", "x |= x > 0", "x &= x == 0",
    "x += x.T", "x[1:] += x[:-1]", "x[::-1] -= x", "x.T[...] = 5", "x.ravel()[0] = 7",
    "x.reshape(2, -1)[1] = 7", "x[:, 0].reshape(-1, 1)[1] = 7", "x[:, 1:3] = x[:, :2]",
    "x[I] += 1", "x[I[:2], I[:2]] *= 3", "np.add.at(x, I, 2)", "np.add.at(x, (I, I), 1)",
    "np.add.at(x, I, x[I])", "np.add.at(x, (slice(None), I), 1.0)", "np.copyto(x, 3)",
    "np.copyto(x, x * 2, where=x > 0)", "np.copyto(x[1:], 4, where=x[1:] < 1)",
    "np.maximum(x, 0, out=x)", "np.divide(1.0, x, out=x, where=x > 0)", "x.sort()",
    "np.put_along_axis(x, np.argsort(x, axis=1, kind='stable'), 4, 1)", "x.fill(3)",
    "np.put_along_axis(x, x.argmax(0)[None], x[:1], 0)", "x[x > 0] = x[x > 0] * 2",
    "x[1], x[0] = x[0].copy(), x[1].copy()", "x[:] = x[::-1]", "x[0] = range(len(x[0]))",
    "x[..., 0] = [1] * len(x)", "x[:, -1:] = 1", "y = x[1:, ::2]; y[0] = 8", "x <<= 1", "x >>= 1",
    "x.swapaxes(0, 1)[0] = 3", "y = x[:, None]; y[:, 0, 0] = 6", "x[0] = x", "x[None] = x * 2",
    "x[I, :, 0] = 5", "x.T[:, I] = 3", "x.T[I] = np.arange(len(I))[:, None]",
    "x[:, ::2][:, I % 2] = 4", "np.rint(x, out=x)", "np.clip(x, 0, 1, out=x)",
]  # fmt: skip
PRODUCTS: Final = [
    ("(3, 4)", "(4, 5)"), ("(4,)", "(4,)"), ("(4,)", "(4, 3)"), ("(5, 4)", "(4,)"),
    ("(0, 4)", "(4, 2)"), ("(3, 0)", "(0, 2)"), ("(9, 17)", "(17, 13)"), ("(1, 6)", "(6, 8)"),
    ("(2, 3, 4)", "(4, 5)"), ("(2, 3, 4)", "(4,)"), ("(4, 1)", "(1, 7)"), ("(3, 4)", "(3, 4)"),
]  # fmt: skip
SINGLE: Final = [
    "np.arange(5)", "np.arange(2, 9, 3)", "np.arange(5, 0, -2)", "np.arange(0.5, 3)",
    "np.arange(4, dtype=np.float64)", "np.eye(3)", "np.eye(2, dtype=int)", "np.zeros((2, 3))",
    "np.zeros(3, bool)", "np.ones((2,), int)", "np.full((2, 2), 1.5)", "np.full(3, -1)",
    "np.full((2, 3), [1, 2, 3])", "np.array([])", "np.array([1, 2.5])", "np.array([[1], [2]])",
    "np.array([True, False])", "np.array([True, 2])", "np.array([[], []])", "np.array(3)",
    "np.array([1.5, 2], int)", "np.array([0, 2], bool)", "np.array([[1, 2], [3]])",
    "np.array((np.float64(1.5), 2))", "np.array([np.arange(3), np.arange(3) * 2])",
    "np.outer(np.arange(3), np.arange(2) + 0.5)", "np.searchsorted([1, 2, 2, 5], [0, 2, 9])",
    "np.searchsorted(np.array([1.0, 2.0]), 1.5)", "np.searchsorted([1, 2, 2], 2, side='right')",
    "np.bincount([1, 1, 3])", "np.bincount(np.array([], int), minlength=4)",
    "np.bincount([0, 2, 2], [0.5, 1.5, 0.25], 5)", "np.bincount([-1])",
    "np.add.reduceat(np.arange(8), [0, 4, 1, 6])", "np.add.reduceat(np.eye(4), [0, 2, 2], axis=0)",
    "np.array([2**62, 2**62]).sum()", "np.array([2**62, 3]) * 4", "np.array([-(2**63)]) // -1",
    "np.array([7, -7]) // [2, 2]", "np.array([7, -7]) % np.array([-3, 3])", "1 / np.array([0.0])",
    "np.array([5, 5]) // np.array([0, 1])", "np.array([-0.0, 0.0]) * -1",
    "np.array([7.5, -7.5, 0.0]) // [2.0, -2.0, -1.0]", "np.array([7.5, -7.5]) % [-2.0, 2.0]",
    "np.repeat([1, 2, 3], [0, 2, 1])", "np.repeat(np.eye(2), [2, 1], axis=1)",
    "np.repeat([1, 2], 0)", "np.repeat([1, 2], [-1, 2])", "np.float64(2) * np.arange(3)",
    "np.int64(3) + np.array([1.5])",
    "~np.array([1, 0]).any()", "np.array([1, 0]).all() & True", "-np.arange(3)[1]",
    "np.arange(6).reshape(2, 3).argmax(1)[0].item()", "np.arange(3).sum().tolist()",
    "np.where([True, False], [1, 2], 3)", "np.where(np.arange(3)[:, None] > 1, 1.0, np.arange(2))",
    "np.minimum(3, 4)", "np.arange(4).reshape(2, 2) @ [1, 2]",
    "np.nan == np.array([np.nan])", "np.array([np.nan, 1, -np.inf]).argmax()",
    "np.array([1, np.nan, 2]).min()", "np.array([np.nan, 2, 1]).argsort(kind='stable')",
    "np.argsort(np.arange(40) % 7, kind='stable')", "np.argsort(-(np.arange(100) % 9 / 4), "
    "kind='stable')", "np.unique([3, 1, 3, 2])", "np.unique(np.array([[2.5, 1], [1, 2.5]]))",
    "np.rint([0.5, 1.5, -2.5, 2.5])", "np.array([1e19, -1.9, 1.9]).astype(int)",
    "np.ldexp([1.0, 0.75, 3.0], np.array([-1074, 1023, -1075]))", "np.ldexp(1.5, 4)",
    "np.concatenate([np.arange(2), [0.5]])", "np.concatenate([np.eye(2), [[1, 2]]])",
    "np.concatenate([np.zeros(2), np.zeros((1, 2))])", "np.broadcast_to(3, (2, 2))",
    "np.arange(24).reshape(2, 3, 4).transpose(2, 0, 1)", "np.arange(6).reshape(2, -1)",
    "np.arange(24).reshape(2, 3, 4).transpose(1, 0, 2).reshape(3, 8)", "np.arange(6).reshape(4, 2)",
    "np.arange(24).reshape(2, 3, 4).sum((0, 2))", "np.arange(24).reshape(2, 3, 4).max((1, 2))",
    "np.arange(3).astype(np.float64).dtype.kind", "np.split(np.arange(7), [2, 5])",
    "np.split(np.arange(6), 3)", "np.split(np.arange(6), 4)", "int(np.array([3])[0])",
    "[int(x) for x in np.arange(3)]", "np.arange(3)[np.arange(3) > 5]", "np.zeros((3, 0)).sum(1)",
    "np.zeros((3, 0)).max(1)", "np.zeros((0, 3)).max(1)", "np.zeros(0).mean() is None",
    "np.array([1, 2]).tolist() + [3]", "np.arange(3).reshape(3, 1, 1) + np.arange(2)",
    "np.add(np.arange(3), 1)", "np.subtract(3, np.arange(3))", "np.logical_not([True, False])",
    "np.logical_and([True, False], True)", "abs(np.array([-1.5]))", "np.float64(3.5).item()",
    "np.arange(3) @ np.eye(3)", "[1.0, 2.0] @ np.eye(2)", "np.array([True, False]) @ [True, True]",
    "np.array([[True, False]]) @ np.array([[0.5], [2.0]])", "round(np.float64(2.5))",
    "np.arange(4)[np.array([True, False])]", "np.arange(6).reshape(2, 3)[:, 7]",
    "np.ones(3) + np.ones(4)", "np.array([1, 2]) & np.array([0.5, 1])", "sum(np.arange(4))",
    "max(np.array([1.5, 2.5]))", "sorted(np.array([3, 1]))",
    "np.float32(2) * np.array([1.5], np.float32)", "np.array([3], np.int8).sum(dtype=np.int64)",
]  # fmt: skip


def numbers(rng: random.Random, kind: str, many: int) -> list[Any]:
    """Draw numbers whose sums are exact."""
    if kind == "b":
        return [rng.random() < 0.5 for _ in range(many)]
    whole = [rng.randrange(-4, 5) for _ in range(many)]
    return whole if kind == "i" else [n + rng.randrange(64) / 64 for n in whole]


def arrays() -> dict[str, Any]:
    """Make arrays of all kinds and shapes, and views of them."""
    rng = random.Random(7)
    found: dict[str, Any] = {}
    for shape, kind in product(SHAPES + SHAPES_TOO, KINDS):
        name = kind + "x".join(map(str, shape))
        many = int(np.prod(shape)) if shape else 1
        found[name] = np.array(numbers(rng, kind, many), KINDS[kind]).reshape(shape)
    for name, base in list(found.items()):
        for view, code in VIEWS.items():
            if base.ndim and 0 not in base.shape and not (view == "T" and base.ndim < 2):
                made = eval(code.replace("{}", "A"), {"A": base, "np": np})
                if isinstance(made, np.ndarray):
                    found[f"{name}_{view}"] = made
    return found


def expressions(known: dict[str, Any]) -> list[str]:
    """List what is asked: of a random part of all pairs, and of everything else all."""
    rng = random.Random(11)
    names = [name for name in known if known[name].ndim < 4]
    found = [
        f"{one} {op} {two}"
        for op in OPERATORS
        for one, two in (rng.sample(names, 2) for _ in range(150))
    ]
    found += [f"{one} {op} {two}" for op, (one, two) in product(OPERATORS, [*alike(known, rng)])]
    found += [
        code
        for op, number in product(OPERATORS, NUMBERS)
        for name in rng.sample(names, 4)
        for code in (f"{name} {op} {number}", f"{number} {op} {name}")
    ]
    found += [code.replace("{}", name) for code in FUNCTIONS for name in rng.sample(names, 25)]
    for name in rng.sample(list(known), 60):
        for axis in range(-known[name].ndim, known[name].ndim):
            folds = [f"{name}.{fold}(axis={axis}" for fold in FOLDS]
            found += [fold + end for fold in folds for end in (")", ", keepdims=True)")]
            for code in ALONG:
                found.append(along(code, name, axis))
        found += [f"{name}.{fold}()" for fold in FOLDS]
        found += [f"{name}.{fold}(keepdims=True)" for fold in FOLDS]
    for one, two in PRODUCTS:
        for kind, other in product(KINDS, repeat=2):
            found.append(f"some('{kind}', {one}) @ some('{other}', {two})")
    return found + SINGLE


def along(code: str, name: str, axis: int) -> str:
    """Fill in an array and an axis."""
    return code.replace("={}", f"={axis}").replace(", {})", f", {axis})").replace("{}", name)


def alike(known: dict[str, Any], rng: random.Random) -> list[tuple[str, str]]:
    """Find pairs of arrays of the same axes or of one that is wider."""
    fit = [
        (one, two)
        for one, two in product(known, repeat=2)
        if known[one].ndim == known[two].ndim
        and all(
            a == b or 1 in (a, b) for a, b in zip(known[one].shape, known[two].shape, strict=True)
        )
    ]
    return rng.sample(fit, 100)


def changes(known: dict[str, Any]) -> list[str]:
    """List what is read by keys and what is changed."""
    rng = random.Random(13)
    some_axes = [name for name in known if known[name].ndim]
    many = [name for name in known if known[name].ndim > 1]
    found = [f"A = {name}; x = A[{key}]" for key in KEYS for name in rng.sample(some_axes, 20)]
    for key, value in product(KEYS, VALUES):
        for name in rng.sample(many, 6):
            code = f"A = {name}; x = A.copy(); x[{key}] = {value.replace('KEY', key)}"
            found.append(code)
            found.append(code.replace("A.copy()", "A.T.copy().T"))
    for change in CHANGES:
        for name in rng.sample(many, 25):
            found += [f"x = {name}.copy(); {change}", f"x = {name}.T.copy().T; {change}"]
    return found


def some(kind: str, shape: tuple[int, ...]) -> Any:
    """Draw an array for a product."""
    many = int(np.prod(shape))
    return np.array(numbers(random.Random(many), kind, many), KINDS[kind]).reshape(shape)


def told(found: Any) -> Any:
    """Write an answer down, bit for bit; of single numbers only what they are."""
    if isinstance(found, tuple | list):
        return [told(part) for part in found]
    if hasattr(found, "dtype") and hasattr(found, "tolist"):
        kind, shape = found.dtype.kind, tuple(found.shape)
        return [kind, list(shape), told_numbers(found.tolist())] if shape else told(found.item())
    return told_numbers(found)


def told_numbers(found: Any) -> Any:
    """Write numbers in nested lists down."""
    if isinstance(found, list):
        return [told_numbers(part) for part in found]
    return float(found).hex() if isinstance(found, float) else str(found)


def asked(code: str, known: dict[str, Any]) -> Any:
    """Ask one thing; one may refuse it in other words than another."""
    i, m, n = (
        np.array([1, 0, -1]),
        np.array([True, False, True]),
        np.array([True, False, True, True]),
    )
    names = known | {"np": np, "some": some, "I": i, "M": m, "N": n}
    try:
        if ";" not in code:
            return told(eval(code, names))
        exec(code, names)
        return told(names["x"])
    except (
        ArithmeticError,
        LookupError,
        ValueError,
        TypeError,
        AttributeError,
        NotImplementedError,
    ):
        return "refused"


def answers() -> dict[str, Any]:
    """Ask all."""
    warnings.simplefilter("ignore")
    known = arrays()
    found = {code: asked(code, known) for code in expressions(known)}
    return found | {code: asked(code, known) for code in changes(known)}


if __name__ == "__main__":
    print(json.dumps(answers()))
