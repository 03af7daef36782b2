"""Evaluation without rounding, for ``pyshardy check``: numbers that carry their residue modulo a prime.

Importing the package registers the evaluators on these numbers; ``number_systems`` chooses them for a run.
"""
