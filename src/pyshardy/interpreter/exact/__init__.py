"""Evaluation without rounding, for ``pyshardy check``: numbers that carry their residue modulo a prime.

Importing the package registers what operations do with them; ``number_systems`` is where a run chooses it.
"""
