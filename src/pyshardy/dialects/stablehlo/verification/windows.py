"""Windows that slide over tensors: what their attributes may be and which shape comes out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from pyshardy.dialects.stablehlo.verification.rules import elements, integers
from pyshardy.dialects.stablehlo.verification.wrong import Wrong
from pyshardy.ir.operation import Operation
from pyshardy.ir.types import DYNAMIC


class WindowDimension(NamedTuple):
    """The window in one dimension: its size and how it moves; ``padding`` are the sizes before and after."""

    size: int
    stride: int
    padding: tuple[int, int]
    base_dilation: int
    window_dilation: int

    def output_size(self, size: int) -> int:
        """How many places the window has in a dimension of that size; dynamic if something unknown matters."""
        if DYNAMIC in (size, self.size):
            return DYNAMIC
        padded = _dilated(size, self.base_dilation) + sum(self.padding)
        window = _dilated(self.size, self.window_dilation)
        return 0 if not padded or window > padded else (padded - window) // self.stride + 1


def _dilated(size: int, dilation: int) -> int:
    return (size - 1) * dilation + 1 if size else 0


def read_padding(op: Operation) -> list[tuple[int, int]]:
    """The pairs of the property ``padding``, empty if it is absent."""
    found = elements(op, "padding")
    if found is None:
        return []
    shape = found.type.shape
    if len(shape) != 2 or shape[1] != 2:
        raise Wrong(f"expects the shape of padding-attribute to be {{N, 2}}, but got {{{', '.join(map(str, shape))}}}.")
    numbers = found.integers()
    return list(zip(numbers[::2], numbers[1::2], strict=True))


def window_of(
    op: Operation,
    sizes: Sequence[int],
    *,
    padding: Sequence[tuple[int, int]],
    base_dilation: str = "",
    window_dilation: str = "",
    reversal: str = "",
) -> list[WindowDimension]:
    """The window of these ``sizes``; the last arguments name the properties that hold its dilations and reversal.

    Raises:
        Wrong: lists of different lengths, or a number that is not positive.
    """
    rank = len(sizes)
    strides, base, dilations = (integers(op, name) for name in ("window_strides", base_dilation, window_dilation))
    for what, count in (
        ("window-strides", len(strides)),
        ("base-dilation factors", len(base)),
        ("window-dilation factors", len(dilations)),
        ("padding-entries", len(padding)),
        ("window-reversal", len(integers(op, reversal))),
    ):
        if count not in (0, rank):
            raise Wrong(
                f"expects {what} to have same dimension-size as size of window dimensions ({rank}), but got: {count}."
            )
    window = []
    for index, size in enumerate(sizes):
        one = WindowDimension(
            size,
            strides[index] if strides else 1,
            padding[index] if padding else (0, 0),
            base[index] if base else 1,
            dilations[index] if dilations else 1,
        )
        for what, number in (
            ("value", one.size),
            ("stride", one.stride),
            ("base dilation factor", one.base_dilation),
            ("window dilation factor", one.window_dilation),
        ):
            if number <= 0 and number != DYNAMIC:
                raise Wrong(
                    f"expects window to have positive {what} for {index}-th window dimension, but got {number}."
                )
        window.append(one)
    return window


def windowed(shape: Sequence[int], window: Sequence[WindowDimension]) -> list[int]:
    """The shape of the places that ``window`` has in a tensor of that shape."""
    return [one.output_size(size) for size, one in zip(shape, window, strict=True)]


def windowed_bounds(bounds: Sequence[int | None], window: Sequence[WindowDimension]) -> list[int | None]:
    """The bounds of that shape for a tensor with these ``bounds``."""
    return [None if bound is None else one.output_size(bound) for bound, one in zip(bounds, window, strict=False)]
