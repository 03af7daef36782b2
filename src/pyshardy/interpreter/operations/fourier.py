"""Fourier transforms over the last dimensions."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from pyshardy.interpreter.element_types import Array, narrow
from pyshardy.interpreter.frame import Frame
from pyshardy.interpreter.operations.comparison import case_of
from pyshardy.interpreter.operations.elementwise import double
from pyshardy.interpreter.operations.properties import integers
from pyshardy.interpreter.registry import evaluates
from pyshardy.ir.operation import Operation

_TRANSFORMS: dict[str, Callable[..., Array]] = {
    "FFT": np.fft.fftn,
    "IFFT": np.fft.ifftn,
    "RFFT": np.fft.rfftn,
    "IRFFT": np.fft.irfftn,
}


@evaluates("stablehlo.fft")
def fft(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    lengths = integers(op, "fft_length")
    axes = range(-len(lengths), 0)
    dtype = frame.array_type(op.results[0].type)
    if 0 in lengths or not operands[0].size:
        shape = (*operands[0].shape[: -len(lengths)], *getattr(op.results[0].type, "shape", ())[-len(lengths) :])
        return [np.zeros(shape, dtype)]
    return [narrow(_TRANSFORMS[case_of(op, "fft_type")](double(operands[0]), lengths, axes), dtype)]
