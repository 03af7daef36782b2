"""The residues of elementary functions of real numbers: pseudo-random, but for the points where a function is exact."""

from __future__ import annotations

import numpy as np

from pyshardy.interpreter.element_types import Array
from pyshardy.interpreter.exact import residues

EXACT_POINTS: dict[str, tuple[int, ...]] = {
    "cbrt": (0, 1),
    "cosine": (0,),
    "erf": (0,),
    "exponential": (0,),
    "log": (1,),
    "sine": (0,),
    "sqrt": (0, 1),
    "tanh": (0,),
}
"""Integers at which a function has the integer that its double says. At infinities every function has what its double
says: 0, 1, an infinity."""


NEAR = 1e-6
"""How far from a point a double with the residue of that point may be."""


def image_of(name: str, residue: Array, arguments: Array, results: Array) -> Array:
    """The residues of function ``name`` of real numbers with this ``residue``; ``arguments`` and ``results`` are the
    doubles."""
    image = residues.image(name, residue)
    finite = np.isfinite(arguments)
    if not finite.all():
        image = np.where(finite, image, residues.of_floats(results))
    for point in EXACT_POINTS.get(name, ()):
        known = residue == point
        if known.any():
            known &= np.abs(arguments - point) < NEAR
            image = np.where(known, residues.of_floats(np.rint(results)), image)
    return image
