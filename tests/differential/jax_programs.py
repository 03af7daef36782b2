"""Real JAX programs with shardings on inputs, outputs and intermediates; `PROGRAMS` maps a name to its lowering."""

from __future__ import annotations

from tests.differential import jax_array_operations, jax_control_flow, jax_manual_computations, jax_models, jax_packages
from tests.differential.jax_lowering import PROGRAMS

__all__ = [
    "PROGRAMS",
    "jax_array_operations",
    "jax_control_flow",
    "jax_manual_computations",
    "jax_models",
    "jax_packages",
]
