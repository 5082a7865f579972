"""Kakerlaken: quick eyes, quick hands."""
