"""The number systems of a run: floats as the program has them, doubles throughout, or exact numbers.

``Machine.numbers`` holds the choice of one run. It gives the array type of an element type, and the values of
constants; ``evaluation`` finds the evaluators of exact numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from pyshardy.interpreter.element_types import Array, DType, is_complex, is_float, numpy_type
from pyshardy.interpreter.exact.numbers import COMPLEX, REAL, from_doubles
from pyshardy.ir.types import Type


@dataclass(frozen=True)
class NumberSystem:
    """One way to compute with floats; integers and booleans are the same in all.

    ``real`` and ``complex`` are the array types of all floats and all complex numbers (None: each has its own),
    ``numbers`` makes such arrays from native ones; ``only_decided`` says that doubles are left out where nothing
    depends on them (``exact.decisions``).
    """

    name: str
    real: DType | None
    complex: DType | None
    numbers: Callable[[Array], Array]
    only_decided: bool = False

    @property
    def is_exact(self) -> bool:
        """Whether floats are exact numbers, for which ``exact`` has evaluators."""
        return self.real is REAL

    def array_type(self, type: Type) -> DType:
        """The array type of an element type, or of the elements of a tensor type.

        Raises:
            UnsupportedType: there is none.
        """
        return _array_type(self, type)

    def constant(self, array: Array) -> Array:
        """A native array in this system."""
        return self.numbers(array) if is_float(array.dtype) or is_complex(array.dtype) else array

    def zeros(self, type: Type, shape: Sequence[int]) -> Array:
        """Zeros of an element type, or of the element type of a tensor type.

        Raises:
            UnsupportedType: there is no such array type.
        """
        return self.constant(np.zeros(shape, numpy_type(type)))


@cache
def _array_type(system: NumberSystem, type: Type) -> DType:
    native = numpy_type(type)
    if system.real is not None and is_float(native):
        return system.real
    if system.complex is not None and is_complex(native):
        return system.complex
    return native


def _doubles(array: Array) -> Array:
    return array.astype(np.complex128 if is_complex(array.dtype) else np.float64)


AS_WRITTEN = NumberSystem("as written", None, None, lambda array: array)
"""Each float type rounds as it does on a device."""

DOUBLES = NumberSystem("double precision", np.dtype(np.float64), np.dtype(np.complex128), _doubles)
"""All floats are doubles."""

EXACT = NumberSystem("exact", REAL, COMPLEX, from_doubles)
"""All floats are exact numbers (``exact.numbers``): sums, products and quotients are not rounded."""

RESIDUES = NumberSystem("exact", REAL, COMPLEX, from_doubles, only_decided=True)
"""As ``EXACT``, but faster: numbers that decide nothing may lack their doubles, and so infinities."""
