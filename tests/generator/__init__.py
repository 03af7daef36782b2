"""Random programs: valid modules in MLIR text, the same for the same seed. Knows neither pyshardy nor JAX."""

from tests.generator.features import Features
from tests.generator.program import random_program

__all__ = ["Features", "random_program"]
