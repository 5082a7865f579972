"""Set before JAX starts: what `tischlein simulate --batch` sets, too; compiles in half the time."""

import os

from tischlein.lab.batch import SHARE_WORK

if SHARE_WORK not in os.environ.get("XLA_FLAGS", ""):
    os.environ["XLA_FLAGS"] = f"{os.environ.get('XLA_FLAGS', '')} {SHARE_WORK}".strip()
