"""Timings beside the C++ implementation, in one run: ``python -m benchmarks``."""
