"""Verifies programs: the rules of operations, dominance, and changes since the last verification."""
