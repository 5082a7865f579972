"""The timers of a table, each with a name: what is planned anew takes the place of the old plan."""

import asyncio

from tischlein.table.needs import Do, House


class Timers:
    """Does things later."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._planned: dict[str, asyncio.TimerHandle] = {}

    def __contains__(self, name: str) -> bool:
        return name in self._planned

    @property
    def names(self) -> set[str]:
        """Name what is planned."""
        return set(self._planned)

    def set(self, name: str, seconds: float, do: Do) -> None:
        """Do something later, in place of what was planned under this name."""
        self.cancel(name)

        async def run() -> None:
            await do()

        def ring() -> None:
            self._planned.pop(name, None)
            self._house.spawn(run())

        self._planned[name] = asyncio.get_running_loop().call_later(max(0.0, seconds), ring)

    def cancel(self, *names: str) -> None:
        """Forget what was planned under these names."""
        for name in names:
            timer = self._planned.pop(name, None)
            if timer is not None:
                timer.cancel()
