"""Set before JAX starts: what `tischlein simulate --batch` sets, too, and to compile quickly."""

import os

from tischlein.lab.arrays import SHARE_WORK

QUICKLY = "--xla_backend_optimization_level=0 --xla_llvm_disable_expensive_passes=true"

if SHARE_WORK not in os.environ.get("XLA_FLAGS", ""):
    os.environ["XLA_FLAGS"] = f"{os.environ.get('XLA_FLAGS', '')} {SHARE_WORK} {QUICKLY}".strip()
