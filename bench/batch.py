"""Decisions per second of random play over arrays, beside Pgx and OpenSpiel's C++ in one run.

Run: `scripts/set-up bench && .venv/bin/python -m bench.batch [--keep]`. On a machine with a GPU
that has JAX and nothing else: `PYTHONPATH=src python3 -m bench.batch --ours --seconds 170`; there
it sweeps batch sizes and the number of steps that are unrolled. Whole games, with
shuffles and new deals; all scores are summed, so that nothing can be left out. Timed after
compilation, until the sums are there. Each line is JSON; `--keep` also puts a table into
`bench/results.md`.

The cores may be shared with other work, so speeds on a CPU are also given per CPU second.
"""

import argparse
import json
import os
import platform
import subprocess
import sys
from collections.abc import Callable
from random import Random
from time import perf_counter, process_time
from typing import Any, Final

from bench.results import keep

SHARE_WORK: Final = "--xla_backend_extra_options=xla_cpu_use_multi_output_fusion=true"
"""Without this XLA's CPU compiler computes what several results share once for each of them."""
SEATS: Final = 4
CHUNKS: Final = 32
ROUNDS: Final = 5
SECONDS: Final = 1.0
CORES: Final = os.cpu_count() or 1

CPU_PLAN: Final = [
    (game, {"n": n, "unroll": 1})
    for game in ("sushizock", "buffet", "kakerlaken")
    for n in (2048, 8192)
]
GPU_PLAN: Final = [
    (game, {"n": 1 << size, "unroll": unroll})
    for game, ways in (
        ("sushizock", ((4, 22), (2, 22), (1, 22), (4, 20), (1, 20))),
        ("buffet", ((1, 21), (1, 22), (1, 20), (2, 22))),
        ("kakerlaken", ((4, 22), (2, 22), (1, 22), (1, 20))),
    )
    for unroll, size in ways
]


def compiled(game: str, plan: dict[str, Any]) -> tuple[Any, Any, Any]:
    """Start the games and compile a rollout; give it, the lanes and empty sums."""
    import jax

    from tischlein import batch
    from tischlein.batch import engine

    core = batch.game(game).core
    lanes = batch.game(game).init(jax.random.key(1), plan["n"], SEATS).lanes
    sums = engine.no_sums(lanes[0], SEATS)
    fixed = (core, lanes, sums, SEATS, CHUNKS, "place")
    traced = engine.random_rollout.lower(*fixed, plan["unroll"])
    return traced.compile(), lanes, sums


def ready(value: Any) -> Any:
    """Wait until a result is there."""
    import jax

    return jax.block_until_ready(value)  # type: ignore[no-untyped-call]


def measure(game: str, plan: dict[str, Any], rounds: int) -> dict[str, Any]:
    """Time one way to play one game: the best of some rounds."""
    from tischlein.batch.engine import totals

    start, cpu = perf_counter(), process_time()
    play, lanes, nothing = compiled(game, plan)
    compile_s, compile_cpu_s = perf_counter() - start, process_time() - cpu
    lanes, sums = ready(play(lanes, nothing))
    best, best_cpu, decisions = 0.0, 0.0, 0
    sums = nothing
    for _ in range(rounds):
        start, cpu, calls = perf_counter(), process_time(), 0
        while perf_counter() - start < SECONDS / rounds or not calls:
            lanes, sums = ready(play(lanes, sums))
            calls += 1
        played = calls * plan["n"] * CHUNKS * 16
        decisions += played
        best = max(best, played / (perf_counter() - start))
        best_cpu = max(best_cpu, CORES * played / (process_time() - cpu))
    total = totals(sums, nothing.left)
    return {
        "what": f"{game}, {SEATS} seats",
        **plan,
        "decisions_per_s": round(best),
        "per_cores": round(best_cpu),
        "compile_s": round(compile_s, 1),
        "compile_cpu_s": round(compile_cpu_s, 1),
        "games": total.games,
        "decisions_a_game": round(decisions / max(1, total.games), 1),
        "mean_score": round(sum(total.points) / max(1, total.games) / SEATS, 3),
    }


FREE: Final = {"broadcast_in_dim", "convert_element_type"}


def operations(jaxpr: Any) -> int:
    """Count the operations on words; broadcasting a constant is none."""
    found = 0
    for step in jaxpr.eqns:
        inner = [getattr(value, "jaxpr", value) for value in step.params.values()]
        inner = [value for value in inner if hasattr(value, "eqns")]
        times = step.params.get("length", 1) if step.primitive.name == "scan" else 1
        found += times * sum(operations(value) for value in inner)
        found += not inner and step.primitive.name not in FREE
    return found


def cost(game: str) -> dict[str, Any]:
    """Count what a decision costs: operations; bytes read and written by a step."""
    import jax

    from tischlein import batch
    from tischlein.batch import engine

    core = batch.game(game).core
    lanes = batch.game(game).init(jax.random.key(1), 1, SEATS).lanes
    sums = engine.no_sums(lanes[0], SEATS)

    def chunk(lanes: Any, sums: Any) -> Any:
        return engine.play_chunk(core, lanes, SEATS, sums, "place")

    words, kept = len(jax.tree.leaves(lanes)), len(core.last_of(lanes))
    counted = len(jax.tree.leaves(sums))
    return {
        "cost": f"{game}, {SEATS} seats",
        "words": words,
        "operations": round(operations(jax.make_jaxpr(chunk)(lanes, sums).jaxpr) / 16),
        "bytes": round(8 * (words + kept) + 8 * counted / 16),
    }


def pgx_speed(name: str) -> dict[str, Any]:
    """Time a game of Pgx, whose games start anew by themselves: the best of some sizes."""
    import jax
    import pgx
    from pgx.experimental.wrappers import auto_reset

    env = pgx.make(name)
    steps = 64 if name == "leduc_holdem" else 4
    advance = jax.vmap(auto_reset(env.step, env.init))

    @jax.jit
    def play(states: Any, key: Any) -> Any:
        def one(at: Any, carried: Any) -> Any:
            states, key, total = carried
            key, draw, reset = jax.random.split(key, 3)
            logits = jax.numpy.where(states.legal_action_mask, 0.0, -jax.numpy.inf)
            action = jax.random.categorical(draw, logits)
            states = advance(states, action, jax.random.split(reset, action.shape[0]))
            return states, key, total + states.rewards.sum()

        return jax.lax.fori_loop(0, steps, one, (states, key, 0.0))

    best = {"decisions_per_s": 0, "per_cores": 0}
    for n in (4096, 65536) if name == "leduc_holdem" else (1024,):
        states = jax.vmap(env.init)(jax.random.split(jax.random.key(1), n))
        key = jax.random.key(2)
        states, key, _ = ready(play(states, key))
        for _ in range(ROUNDS):
            start, cpu = perf_counter(), process_time()
            states, key, _ = ready(play(states, key))
            rates = n * steps / (perf_counter() - start), n * steps / (process_time() - cpu)
            found = {"decisions_per_s": round(rates[0]), "per_cores": round(CORES * rates[1])}
            best = max(best, found, key=lambda rate: rate["per_cores"])
    return {"what": f"Pgx {name}", **best}


def open_spiel_speed(name: str) -> dict[str, Any]:
    """Time OpenSpiel's random rollouts, wholly in C++: those of a search that looks one move far.

    One process uses one core; `per_cores` counts all cores, as many processes would.
    """
    import pyspiel

    from bench.peers import play

    game = pyspiel.load_game(name)
    if game.get_type().dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS:
        game = pyspiel.convert_to_turn_based(game)
    rng, sample = Random(1), 50 if name != "yacht" else 5
    decisions = sum(play(game, rng)[0] for _ in range(sample)) / sample
    games = max(1, int(1_000_000 / decisions)) if name != "yacht" else 100
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.chance_outcomes()[0][0])
    best = {"decisions_per_s": 0, "per_cores": 0}
    for seed in range(ROUNDS):
        evaluator = pyspiel.RandomRolloutEvaluator(n_rollouts=games, seed=seed)
        bot = pyspiel.MCTSBot(game, evaluator, 1.0, 1, 100, False, seed, False)
        start, cpu = perf_counter(), process_time()
        bot.step(state)
        rates = [games * decisions / t for t in (perf_counter() - start, process_time() - cpu)]
        found = {"decisions_per_s": round(rates[0]), "per_cores": round(CORES * rates[1])}
        best = max(best, found, key=lambda rate: rate["per_cores"])
    return {"what": f"OpenSpiel C++ {name}", **best}


PEERS: Final[dict[str, tuple[Callable[[str], dict[str, Any]], str]]] = {
    "pgx-leduc": (pgx_speed, "leduc_holdem"),
    "pgx-backgammon": (pgx_speed, "backgammon"),
    "goofspiel": (open_spiel_speed, "goofspiel(players=4)"),
    "yacht": (open_spiel_speed, "yacht"),
}


def in_a_process(arguments: list[str], flags: str) -> list[dict[str, Any]]:
    """Measure in a process of its own, with flags of its own; print and give what it found."""
    command = [sys.executable, "-m", "bench.batch", *arguments]
    environment = os.environ | {"XLA_FLAGS": flags}
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=True)
    print(done.stdout, end="", flush=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def tell(found: dict[str, Any]) -> dict[str, Any]:
    """Print one result."""
    print(json.dumps(found), flush=True)
    return found


def sweep(seconds: float) -> list[dict[str, Any]]:
    """Measure all ways to play that fit this machine and the time."""
    import jax

    start, found = perf_counter(), []
    backend, device = jax.default_backend(), str(jax.devices()[0].device_kind)
    on_gpu = backend == "gpu"
    tell(
        {
            "backend": backend,
            "device": device,
            "jax": jax.__version__,
            "python": platform.python_version(),
        }
    )
    for game in ("sushizock", "buffet", "kakerlaken"):
        tell(cost(game))
    for game, plan in GPU_PLAN if on_gpu else CPU_PLAN:
        if perf_counter() - start > seconds:
            tell({"left_out": game, **plan})
            continue
        try:
            found.append(tell(measure(game, plan, 1 if on_gpu else ROUNDS) | {"device": device}))
        except Exception as problem:  # one way that fails must not cost the others
            tell({"failed": game, **plan, "why": repr(problem)[:300]})
    return found


def table(ours: list[dict[str, Any]], theirs: list[dict[str, Any]]) -> list[str]:
    """Write the best of each as a table, with ratios."""
    rate = {one["what"]: one["per_cores"] for one in theirs}
    leduc, goofspiel = rate["Pgx leduc_holdem"], rate["OpenSpiel C++ goofspiel(players=4)"]
    best = {
        what: max((one for one in ours if one["what"] == what), key=lambda one: one["per_cores"])
        for what in dict.fromkeys(one["what"] for one in ours)
    }
    rows = ["| random play | decisions/s | × Pgx leduc | × C++ goofspiel | compile s |"]
    rows.append("|---|--:|--:|--:|--:|")
    for one in [*best.values(), *theirs]:
        speed = one["per_cores"]
        compile_s = one.get("compile_cpu_s", "")
        ratios = f"{speed / leduc:.2f} | {speed / goofspiel:.2f}"
        rows.append(f"| {one['what']} | {speed:,} | {ratios} | {compile_s} |")
    note = "since other work shared the cores; OpenSpiel as if a process ran on each of them."
    rows += ["", f"Decisions per {CORES} CPU seconds, {note}"]
    return rows


def main() -> None:
    """Measure, print, and keep if asked."""
    options = argparse.ArgumentParser()
    options.add_argument("--seconds", type=float, default=600.0)
    options.add_argument("--ours", action="store_true", help="leave out the peers")
    options.add_argument("--peer", choices=PEERS)
    options.add_argument("--keep", action="store_true")
    given = options.parse_args()
    if given.peer:
        measure_peer, name = PEERS[given.peer]
        tell(measure_peer(name))
        return
    if given.ours:
        sweep(given.seconds)
        return
    ours = in_a_process(["--ours", "--seconds", str(given.seconds)], SHARE_WORK)
    measured = [one for one in ours if "decisions_per_s" in one]
    if ours[0]["backend"] != "cpu":
        return
    theirs = [one for peer in PEERS for one in in_a_process(["--peer", peer], "")]
    keep("Batch: random play over arrays", table(measured, theirs), given.keep)


if __name__ == "__main__":
    main()
