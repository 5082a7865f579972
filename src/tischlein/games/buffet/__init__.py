"""Buffet: secret cards, all at once."""
