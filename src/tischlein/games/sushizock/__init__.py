"""Sushizock: dice, and piles to remember."""
