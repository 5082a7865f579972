"""The games as standard environments for learning: PettingZoo and OpenSpiel.

`docs/research.md` describes them. They need the extra: `pip install 'tischlein[envs]'`.
"""

from importlib import import_module
from typing import Any


def needed(package: str) -> Any:
    """Import a package of the extra `envs`, or say in a sentence how to get it."""
    try:
        return import_module(package)
    except ModuleNotFoundError as missing:
        if missing.name != package.partition(".")[0]:
            raise
        sentence = f"this environment needs {missing.name}: run `pip install 'tischlein[envs]'`"
        raise ModuleNotFoundError(sentence, name=missing.name) from None
