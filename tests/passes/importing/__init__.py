"""Passes on small programs, and what must come of them."""
