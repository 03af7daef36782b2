"""Partitions JAX functions: from a function to its plan, and from the plan back to a function that runs on the devices.

``partition`` plans a function for a mesh, ``jit`` takes the place of ``jax.jit``, ``search`` finds how to shard it,
``load`` reads what a plan saved. Importing pyshardy does not import JAX: that is up to ``import pyshardy.jax``, which
needs jax 0.7 or newer (``pip install 'pyshardy[jax]'``).
"""

from __future__ import annotations

from pyshardy.jax.requirement import require_jax

require_jax()

from pyshardy.jax.hosts import check_processes  # noqa: E402
from pyshardy.jax.jax_plan import JaxPlan, partition  # noqa: E402
from pyshardy.jax.jitted import Jitted, jit  # noqa: E402
from pyshardy.jax.partitioned import Partitioned  # noqa: E402
from pyshardy.jax.problems import JaxProblem  # noqa: E402
from pyshardy.jax.saved import SavedPlan, load  # noqa: E402
from pyshardy.jax.searched import search  # noqa: E402

__all__ = [
    "JaxPlan",
    "JaxProblem",
    "Jitted",
    "Partitioned",
    "SavedPlan",
    "check_processes",
    "jit",
    "load",
    "partition",
    "search",
]
