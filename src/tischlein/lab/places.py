"""Where games are played: in this process, in several on this machine, or on a Dask cluster."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError, ProcessPoolExecutor
from importlib import metadata
from typing import Any, Final, Protocol, TypeVar

from tischlein import __version__
from tischlein.game import Refusal

T = TypeVar("T")
R = TypeVar("R")

CHUNKS_EACH: Final = 8
"""Into so many parts goes the work of each hand, so that all end at about the same time."""
PATIENCE: Final = 10.0
"""How long a cluster may take to answer, and to have a worker, in seconds."""


class NoPlace(Refusal):
    """Games cannot be played there."""


class Place(Protocol):
    """Where games are played."""

    @property
    def hands(self) -> int:
        """Say how many games can be played at once."""

    def play(self, work: Callable[[T], R], chunks: Sequence[T]) -> Iterator[R]:
        """Do the work for every chunk; give the results in the order of the chunks."""


class Processes:
    """This machine: so many processes, or this one alone where more are not worth it."""

    def __init__(self, hands: int) -> None:
        self.hands = hands

    def play(self, work: Callable[[T], R], chunks: Sequence[T]) -> Iterator[R]:
        """Do the work for every chunk."""
        hands = min(self.hands, len(chunks) // CHUNKS_EACH)
        if hands <= 1:
            yield from map(work, chunks)
        else:
            with ProcessPoolExecutor(hands) as pool:
                yield from pool.map(work, chunks)


HERE: Final = Processes(1)


class Dask:
    """An existing Dask cluster; what a worker that dies had to do, another does again."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._client = self._connect()
        try:
            self.hands = self._count_hands()
        except BaseException:
            self.close()
            raise

    def _connect(self) -> Any:
        try:
            from distributed import Client
        except ModuleNotFoundError as problem:
            if problem.name != "distributed":
                raise
            sentence = "--dask needs the Dask library: pip install 'tischlein[dask]'"
            raise NoPlace("dask", sentence) from None
        try:
            return Client(self._address, timeout=PATIENCE, set_as_default=False)  # type: ignore[no-untyped-call]
        except (OSError, ValueError, TypeError) as problem:
            raise self._no_cluster("no Dask cluster answers at {address}") from problem

    def _count_hands(self) -> int:
        try:
            self._client.wait_for_workers(1, timeout=PATIENCE)
        except TimeoutError:
            raise self._no_cluster("the Dask cluster at {address} has no workers") from None
        self._check_versions()
        return sum(self._client.nthreads().values())

    def _check_versions(self) -> None:
        """Refuse workers that would play by another program than this one."""
        ours = __version__
        found = self._client.run(metadata.version, "tischlein", on_error="return")
        for worker, theirs in found.items():
            if theirs != ours:
                has = "no tischlein" if isinstance(theirs, Exception) else f"tischlein {theirs}"
                sentence = "the Dask worker {worker} has {has}; here it is {ours}"
                raise NoPlace("dask", sentence, worker=worker, has=has, ours=ours)

    def play(self, work: Callable[[T], R], chunks: Sequence[T]) -> Iterator[R]:
        """Do the work for every chunk."""
        from distributed import KilledWorker

        futures = self._client.map(work, chunks, pure=False)
        try:
            while futures:
                yield futures[0].result()
                del futures[0]
        except KilledWorker:
            sentence = "the Dask workers at {address} die again and again: nothing is counted"
            raise self._no_cluster(sentence) from None
        except (CancelledError, OSError):
            sentence = "the Dask cluster at {address} went away: nothing is counted"
            raise self._no_cluster(sentence) from None

    def _no_cluster(self, sentence: str) -> NoPlace:
        return NoPlace("dask", sentence, address=self._address)

    def close(self) -> None:
        """Let go of the cluster; what is still to be played is forgotten."""
        self._client.close(timeout=PATIENCE)
