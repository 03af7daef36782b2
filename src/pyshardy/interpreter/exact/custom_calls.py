"""Custom calls with exact numbers: markers, helpers of XLA, and routines of linear algebra.

Routines of linear algebra are functions of all matrices of one batch element.
"""

from __future__ import annotations

from pyshardy.dialects.stablehlo.custom_call_targets import TargetKind, num_batch_dims, targets
from pyshardy.interpreter.element_types import Array, numpy_type
from pyshardy.interpreter.exact.conversion import constants
from pyshardy.interpreter.exact.matrices import solution
from pyshardy.interpreter.exact.numbers import approximation, is_exact
from pyshardy.interpreter.exact.opaque import on_doubles, whole_images
from pyshardy.interpreter.exact.registry import exactly_on_natural
from pyshardy.interpreter.frame import Evaluator, Frame
from pyshardy.interpreter.number_systems import AS_WRITTEN
from pyshardy.interpreter.operations.callbacks import CALLBACKS
from pyshardy.interpreter.operations.custom_calls import ELEMENTWISE_TARGETS, MOVING_TARGETS
from pyshardy.interpreter.operations.lapack_calls import integer_option, triangular_system
from pyshardy.interpreter.operations.properties import string
from pyshardy.ir.operation import Operation

_ON_MATRICES = frozenset(targets(TargetKind.ON_MATRICES))


@exactly_on_natural("stablehlo.custom_call")
def custom_call(native: Evaluator, frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    target = string(op, "call_target_name")
    if target in MOVING_TARGETS:
        return list(native(frame, op, operands))
    if target in ELEMENTWISE_TARGETS:
        function = frame.machine.evaluator(f"chlo.{target.removeprefix('mhlo.')}")
        return list(function(frame, op, operands))
    if target.startswith("lapack_") and target.endswith("trsm_ffi"):
        return [solution(operands[0], operands[1], **triangular_system(op))]
    if not any(is_exact(value.dtype) for value in operands):
        return constants(native, frame, op, operands)
    if target in CALLBACKS:
        # A function of the user's gets numbers of the types that the program says.
        given = [
            approximation(value).astype(numpy_type(one.type)) for value, one in zip(operands, op.operands, strict=True)
        ]
        return whole_images(target, operands, list(native(frame.counting_in(AS_WRITTEN), op, given)), batch=0)
    return whole_images(
        f"{target} {op.get('mhlo.backend_config')}",
        operands,
        on_doubles(frame, op, operands, native),
        _batch(op, operands),
    )


def _batch(op: Operation, operands: list[Array]) -> int:
    """How many first dimensions of the operands count batch elements."""
    said = integer_option(op, "num_batch_dims", -1)
    if said >= 0 or num_batch_dims(op):
        return max(said, num_batch_dims(op))
    target = string(op, "call_target_name")
    is_on_matrices = target.startswith("lapack_") or target in _ON_MATRICES
    return max(0, operands[0].ndim - 3) if is_on_matrices and operands else 0
