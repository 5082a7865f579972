"""Scripts that train and measure; what they find is kept in the package or in `results/`."""
