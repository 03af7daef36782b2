"""Host callbacks, the custom calls that JAX makes of ``jax.debug.print``, ``pure_callback`` and ``io_callback``.

The text of a program says only the number of the Python function that it calls. Where the context holds the functions
(``pyshardy.use_callbacks``) they are called; else the call does nothing, its results are zeros, and a remark says so.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from pyshardy.interpreter.element_types import Array, numpy_type
from pyshardy.interpreter.frame import Frame, aligned
from pyshardy.interpreter.operations.custom_calls import evaluates_custom_call
from pyshardy.interpreter.operations.properties import result_shape, string
from pyshardy.interpreter.operations.sources import TOKEN
from pyshardy.ir.attributes import DictionaryAttr, IntegerAttr
from pyshardy.ir.operation import Operation
from pyshardy.ir.types import ShapedType

CALLBACKS = tuple(
    f"xla_{kind}python_{device}_callback"
    for kind in ("", "ffi_", "ffi_partitioned_", "buffer_")
    for device in ("cpu", "gpu")
)
"""The targets that call back."""


@evaluates_custom_call(*CALLBACKS)
def callback(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    """What the Python function returns; devices with the same operands share one call of it."""
    context = frame.machine.context
    if not context.callbacks:
        if context.first_time("host callbacks do nothing"):
            context.emit(
                "remark",
                op.location,
                "host callbacks do nothing here, and their results are zeros: the text of a program does not hold the "
                "functions that it calls; from Python, pyshardy.use_callbacks(module, lowered) has them called",
            )
        return [_zeros(op, number) for number in range(len(op.results))]
    function = _function(frame, op, context.callbacks)
    lanes = aligned(operands)
    given: dict[bytes, int] = {}
    called: list[list[Array]] = []
    each = []
    for lane in range(len(lanes[0]) if lanes else 1):
        values = [np.array(one[lane]) for one in lanes]
        place = given.setdefault(b"\0".join(one.tobytes() for one in values), len(called))
        if place == len(called):
            called.append(_call(frame, op, function, values))
        each.append(place)
    if len(called) == 1:
        return [one[None] for one in called[0]]
    return [np.stack([called[place][number] for place in each]) for number in range(len(op.results))]


def _function(
    frame: Frame, op: Operation, functions: Sequence[Callable[..., Sequence[object]]]
) -> Callable[..., Sequence[object]]:
    config = op.get("mhlo.backend_config") or op.get("backend_config")
    number = config.get("index") if isinstance(config, DictionaryAttr) else None
    if not isinstance(number, IntegerAttr) or not 0 <= number.value < len(functions):
        frame.fail(
            op,
            f"cannot be interpreted: its host callback @{string(op, 'call_target_name')} does not say by number "
            f"which of the {len(functions)} functions of the program it calls",
        )
    return functions[number.value]


def _call(
    frame: Frame, op: Operation, function: Callable[..., Sequence[object]], values: Sequence[Array]
) -> list[Array]:
    try:
        found = function(*values)
    except Exception as error:
        # Whatever a user's function raises is a finding about the program, with its place.
        frame.fail(op, f"fails: its host callback raised {type(error).__name__}: {error}")
    return [
        np.asarray(one).astype(numpy_type(result.type)) if isinstance(result.type, ShapedType) else TOKEN[0]
        for one, result in zip(found, op.results, strict=True)
    ]


def _zeros(op: Operation, number: int) -> Array:
    type = op.results[number].type
    if not isinstance(type, ShapedType):
        return TOKEN
    return np.zeros((1, *result_shape(op, number)), numpy_type(type))
