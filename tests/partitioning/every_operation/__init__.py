"""For each StableHLO and CHLO operation a family of small random programs, in layouts that do not divide.

``@program("stablehlo.name", …)`` registers a function that adds the operation to a ``Case``. ``test_every_operation``
runs a few of each, and holds the table against the dialects. Gathers, scatters, sorts, decompositions and what
exchanges data between neighbours have richer families in test files of their own.
"""

from tests.partitioning.every_operation import (
    batch_norms,
    contractions,
    control_flow,
    elementwise,
    indexing,
    reductions,
    shapes,
    sources,
    structure,
)
from tests.partitioning.every_operation.table import PROGRAMS

__all__ = [
    "PROGRAMS",
    "batch_norms",
    "contractions",
    "control_flow",
    "elementwise",
    "indexing",
    "reductions",
    "shapes",
    "sources",
    "structure",
]
