"""Whole games in the registers of a GPU: the same random rollout as one Pallas kernel.

A block of lanes is loaded once, played for many decisions and stored once, so that a decision costs
hardly any traffic with memory. The result is that of `engine.random_rollout`, bit for bit.
"""

from functools import partial
from typing import Any, Final

import jax
from jax import lax
from jax.experimental import pallas as pl
from jax.experimental.pallas import triton

from tischlein.batch.engine import By, Core, Sums, play_chunk

BLOCK: Final = 128
WARPS: Final = 4


@partial(jax.jit, static_argnums=(0, 3, 4, 5), static_argnames=("block", "warps", "unroll", "test"))
def random_rollout(
    core: Core,
    lanes: Any,
    sums: Sums,
    seats: int,
    chunks: int,
    by: By,
    block: int = BLOCK,
    warps: int = WARPS,
    unroll: int = 1,
    test: bool = False,
) -> tuple[Any, Sums]:
    """Play at random, and count; `test` runs the kernel without a GPU, slowly."""
    words, structure = jax.tree.flatten((lanes, sums))

    def kernel(*refs: Any) -> None:
        start = jax.tree.unflatten(structure, [ref[:] for ref in refs[: len(words)]])

        def some(_: Any, carried: tuple[Any, Sums]) -> tuple[Any, Sums]:
            return play_chunk(core, carried[0], seats, carried[1], by, unroll)

        end = lax.fori_loop(0, chunks, some, start)
        for ref, lane in zip(refs[len(words) :], jax.tree.leaves(end), strict=True):
            ref[:] = lane

    spec = pl.BlockSpec((block,), lambda at: (at,))
    found = pl.pallas_call(
        kernel,
        grid=(words[0].size // block,),
        in_specs=[spec] * len(words),
        out_specs=[spec] * len(words),
        out_shape=[jax.eval_shape(lambda lane=lane: lane) for lane in words],
        input_output_aliases={at: at for at in range(len(words))},
        compiler_params=triton.CompilerParams(num_warps=warps, num_stages=1),
        interpret=test,
    )(*words)
    after: tuple[Any, Sums] = jax.tree.unflatten(structure, found)
    return after
