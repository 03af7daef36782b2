"""Finds a strategy: which dimensions of a program's tensors are sharded along which axes, for the least time of a step.

The space of strategies and the order of the search come from a study of public systems and of a prototype;
docs/search.md has its results.
"""
