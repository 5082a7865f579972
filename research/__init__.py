"""Scripts that train and measure; what they find is kept in the package or in `results/`."""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # NumPy: threads would wait for one another
