"""Functions of exact numbers of which nothing else is known: equal numbers give equal numbers.

Their doubles come from the native evaluators; their residues are pseudo-random functions of the operands' residues,
element by element, or of all numbers that one result depends on: the matrix of a decomposition, the lane otherwise.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

from pyshardy.interpreter.element_types import Array, is_complex, is_float, wide
from pyshardy.interpreter.exact import residues
from pyshardy.interpreter.exact.numbers import ExactArray, approximation, is_exact, symbol_codes
from pyshardy.interpreter.frame import Evaluator, Frame
from pyshardy.interpreter.number_systems import DOUBLES
from pyshardy.ir.opdef import ELEMENTWISE

if TYPE_CHECKING:
    from pyshardy.ir.operation import Operation


def as_function(name: str, native: Evaluator) -> Evaluator:
    """The evaluator of operation ``name`` as a function of its operands, elementwise if the operation is."""

    def evaluate(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
        found = on_doubles(frame, op, operands, native)
        if not any(is_exact(value.dtype) for value in operands):
            return [frame.machine.numbers.constant(value) for value in found]
        if op.traits & ELEMENTWISE:
            codes = [code for value in operands for code in fingerprints(value)]
            return [with_images(value, f"{name}.{place}", codes) for place, value in enumerate(found)]
        return whole_images(name, operands, found, batch=0)

    return evaluate


def on_doubles(frame: Frame, op: Operation, operands: Sequence[Array], native: Evaluator) -> list[Array]:
    """The native results of ``op`` on the doubles of exact operands."""
    return list(native(frame.counting_in(DOUBLES), op, [approximation(value) for value in operands]))


def fingerprints(value: Array) -> list[Array]:
    """Residues that tell values apart: of exact numbers, symbols included, or of integers."""
    if not is_exact(value.dtype):
        return [residues.of_integers(wide(value))]
    exact: Any = value
    finite = np.isfinite(exact.value)
    if finite.all():
        return [exact.residue]
    return [np.where(finite, exact.residue, 0.0), symbol_codes(exact)]


def whole_images(name: str, operands: Sequence[Array], found: Sequence[Array], batch: int) -> list[Array]:
    """The results ``found`` as functions of all numbers of the operands behind their first ``batch`` dimensions. What
    is exactly zero is zero."""
    key: Array | None = None
    for number, value in enumerate(operands):
        own = max(0, value.ndim - 1 - batch)
        for code in fingerprints(value):
            row = residues.image_of_rows(f"operand {number}", code, own)
            key = row if key is None else residues.image("and", *np.broadcast_arrays(key, row))
    assert key is not None
    results = []
    for place, value in enumerate(found):
        if not (is_float(value.dtype) or is_complex(value.dtype)):
            results.append(value)
            continue
        inner = value.shape[key.ndim :]
        spread = key.reshape(*key.shape, *(1,) * len(inner))
        places = np.arange(prod(inner), dtype=np.float64).reshape(inner)
        results.append(with_images(value, f"{name}.{place}", list(np.broadcast_arrays(spread, places)), zeros=True))
    return results


def with_images(value: Array, name: str, codes: Sequence[Array], *, zeros: bool = False) -> Any:
    """The doubles ``value`` with a function of ``codes``, which is called ``name``, as residues; with ``zeros`` what is
    exactly zero is zero."""
    if not (is_float(value.dtype) or is_complex(value.dtype)):
        return value
    spread = np.broadcast_arrays(*codes)
    if value.dtype.kind != "c":
        doubles = value.astype(np.float64)
        image = residues.image(name, *spread)
        return ExactArray(doubles, np.where(doubles == 0, 0.0, image) if zeros else image)
    doubles = value.astype(np.complex128)
    image = residues.complex_image(name, *spread)
    if zeros:
        image.real[doubles.real == 0] = 0.0
        image.imag[doubles.imag == 0] = 0.0
    return ExactArray(doubles, image)
