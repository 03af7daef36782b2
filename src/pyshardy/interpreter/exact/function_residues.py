"""The residues of elementary functions of real numbers: pseudo-random, except at points where a function is exact."""

from __future__ import annotations

import numpy as np

from pyshardy.interpreter.element_types import Array
from pyshardy.interpreter.exact import residues

EXACT_POINTS: dict[str, dict[int, int]] = {
    "cbrt": {0: 0, 1: 1},
    "cosine": {0: 1},
    "erf": {0: 0},
    "exponential": {0: 1},
    "log": {1: 0},
    "sine": {0: 0},
    "sqrt": {0: 0, 1: 1},
    "tanh": {0: 0},
}
"""Integers at which a function is one. At infinities every function has what its double says: 0, 1, an infinity."""


def image_of(name: str, residue: Array, arguments: Array, results: Array) -> Array:
    """The residues of function ``name`` of real numbers with this ``residue``; ``arguments`` and ``results`` are the
    doubles."""
    image = residues.image(name, residue)
    finite = np.isfinite(arguments)
    if not finite.all():
        image = np.where(finite, image, residues.of_floats(results))
    for point, result in EXACT_POINTS.get(name, {}).items():
        image[residue == point] = result
    return image
