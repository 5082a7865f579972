"""Whole games in the registers of a GPU: the same random rollout as one Pallas kernel.

A block of lanes is loaded once, played for many decisions and stored once, so that a decision costs
hardly any traffic with memory. The result is that of `engine.random_rollout`, bit for bit.
"""

from functools import partial
from typing import Any, Final

import jax
import jax.numpy as jnp
from jax import lax
from jax.experimental import pallas as pl
from jax.experimental.pallas import triton

from tischlein.batch.engine import By, Core, Sums, in_bytes, no_sums, play_chunk

BLOCK: Final = 128
WARPS: Final = 4


@partial(jax.jit, static_argnums=(0, 2, 3, 4), static_argnames=("block", "warps", "unroll", "test"))
def random_rollout(
    core: Core,
    lanes: Any,
    seats: int,
    chunks: int,
    by: By,
    block: int = BLOCK,
    warps: int = WARPS,
    unroll: int = 1,
    test: bool = False,
) -> tuple[Any, Any]:
    """Play at random, and sum up; `test` runs the kernel without a GPU, slowly."""
    words, structure = jax.tree.flatten(lanes)
    totals, sums_structure = jax.tree.flatten(no_sums(words[0], seats))

    def kernel(*refs: Any) -> None:
        start = jax.tree.unflatten(structure, [ref[:] for ref in refs[: len(words)]])

        def some(_: Any, carried: tuple[Any, Sums]) -> tuple[Any, Sums]:
            return play_chunk(core, carried[0], seats, carried[1], by, unroll)

        nothing = no_sums(jax.tree.leaves(start)[0], seats)
        end = lax.fori_loop(0, chunks, some, (start, nothing))
        for ref, lane in zip(refs[len(words) :], jax.tree.leaves(end), strict=True):
            ref[:] = lane

    spec = pl.BlockSpec((block,), lambda at: (at,))
    shapes = [jax.ShapeDtypeStruct(lane.shape, lane.dtype) for lane in [*words, *totals]]
    found = pl.pallas_call(
        kernel,
        grid=(words[0].size // block,),
        in_specs=[spec] * len(words),
        out_specs=[spec] * len(shapes),
        out_shape=shapes,
        input_output_aliases={at: at for at in range(len(words))},
        compiler_params=triton.CompilerParams(num_warps=warps, num_stages=1),
        interpret=test,
    )(*words)
    after = jax.tree.unflatten(structure, found[: len(words)])
    sums = jax.tree.unflatten(sums_structure, found[len(words) :])
    return after, jax.tree.map(in_bytes, sums)
