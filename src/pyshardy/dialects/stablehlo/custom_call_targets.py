"""The known targets of custom calls: a row has what sharding rules, the partitioner and the interpreter need.

A new target is a row here. Rules, localizers and evaluators that do not fit a row are with those of operations
(``rules``, ``partitioning.families``, ``interpreter.operations``), by target.
"""

from __future__ import annotations

from enum import Flag, auto

from pyshardy.ir.attributes import DictionaryAttr, StringAttr
from pyshardy.ir.operation import Operation


class TargetKind(Flag):
    """What is known of a target."""

    IDENTITY = auto()
    """Says something to the compiler, and changes no value."""
    PLACEMENT = auto()
    """Only tells a partitioner where a value should be."""
    ELEMENTWISE = auto()
    """Works on each element by itself."""
    FUNCTION = auto()
    """A function of the dialect ``chlo``, on each element."""
    ON_MATRICES = auto()
    """Works on the matrices of the last two dimensions."""
    TOP_K = auto()
    """Chooses along the last dimension."""
    APPROXIMATE_TOP_K = auto()
    """Chooses along a dimension, roughly."""
    POINTWISE_RULE = auto()
    """Shardings propagate through it as through what is elementwise, whatever it does."""
    NO_RULE = auto()
    """It is known that nothing propagates through it."""


_MOVE = TargetKind.IDENTITY | TargetKind.ELEMENTWISE | TargetKind.POINTWISE_RULE
_FUNCTION = TargetKind.ELEMENTWISE | TargetKind.FUNCTION

TARGETS: dict[str, TargetKind] = {
    "ApproxTopK": TargetKind.APPROXIMATE_TOP_K,
    "Cholesky": TargetKind.ON_MATRICES | TargetKind.POINTWISE_RULE,
    "CompactWyHelper": TargetKind.ON_MATRICES | TargetKind.POINTWISE_RULE,
    "Eigh": TargetKind.ON_MATRICES,
    "InspectSharding": TargetKind.IDENTITY | TargetKind.POINTWISE_RULE,
    "InvertDiagBlocksLowerTriangular": TargetKind.ON_MATRICES | TargetKind.POINTWISE_RULE,
    "InvertDiagBlocksUpperTriangular": TargetKind.ON_MATRICES | TargetKind.POINTWISE_RULE,
    "LayoutConstraint": _MOVE,
    "LuDecomposition": TargetKind.ON_MATRICES,
    "MoveToDevice": _MOVE,
    "MoveToHost": _MOVE,
    "PartialReduce": TargetKind.APPROXIMATE_TOP_K,
    "ProductOfElementaryHouseholderReflectors": TargetKind.ON_MATRICES,
    "Qr": TargetKind.ON_MATRICES,
    "QrDecompositionBlock": TargetKind.ON_MATRICES,
    "SPMDFullToShardShape": TargetKind.IDENTITY,
    "SPMDShardToFullShape": TargetKind.IDENTITY,
    "Sharding": TargetKind.IDENTITY | TargetKind.PLACEMENT,
    "TopK": TargetKind.TOP_K,
    "X64Combine": TargetKind.ELEMENTWISE,
    "X64SplitHigh": TargetKind.ELEMENTWISE | TargetKind.POINTWISE_RULE,
    "X64SplitLow": TargetKind.ELEMENTWISE | TargetKind.POINTWISE_RULE,
    "_SPMDInternalOp_MultiPad": TargetKind.POINTWISE_RULE,
    "_SPMDInternalOp_MultiRotate": TargetKind.POINTWISE_RULE,
    "_SPMDInternalOp_MultiSlice": TargetKind.POINTWISE_RULE,
    "_SPMDInternalOp_RotateRight": TargetKind.POINTWISE_RULE,
    "_SPMDInternalOp_Wrap": TargetKind.POINTWISE_RULE,
    "annotate_device_placement": _MOVE,
    "mhlo.acos": _FUNCTION,
    "mhlo.acosh": _FUNCTION,
    "mhlo.asin": _FUNCTION,
    "mhlo.asinh": _FUNCTION,
    "mhlo.atan": _FUNCTION,
    "mhlo.atanh": _FUNCTION,
    "mhlo.cosh": _FUNCTION,
    "mhlo.erf": _FUNCTION | TargetKind.POINTWISE_RULE,
    "mhlo.erf_inv": _FUNCTION,
    "mhlo.sinh": _FUNCTION,
    "mhlo.tan": _FUNCTION,
    "mhlo.topk": TargetKind.TOP_K,
    "sdy_testonly": TargetKind.NO_RULE,
    "tpu_custom_call": TargetKind.NO_RULE,
    "xla.debug.Log": TargetKind.NO_RULE,
    "xla.megascale.provide_metadata": TargetKind.POINTWISE_RULE,
    "xla.sdy.FuncResultSharding": TargetKind.IDENTITY | TargetKind.PLACEMENT,
    "xla.sdy.PropagationBarrier": TargetKind.IDENTITY | TargetKind.PLACEMENT,
    "xla.sdy.ShardingGroup": TargetKind.IDENTITY,
    "xla_ffi_python_cpu_callback": TargetKind.NO_RULE,
    "xla_ffi_python_gpu_callback": TargetKind.NO_RULE,
    "xla_python_cpu_callback": TargetKind.NO_RULE,
    "xla_python_gpu_callback": TargetKind.NO_RULE,
}
"""All targets that are known."""


def targets(kind: TargetKind) -> tuple[str, ...]:
    """Those of which that is known."""
    return tuple(name for name, known in TARGETS.items() if kind in known)


def num_batch_dims(op: Operation) -> int:
    """The number of leading dimensions of all operands and results that JAX declares as batch dimensions."""
    attributes = op.attributes.entries.get("mhlo.frontend_attributes")
    found = attributes.entries.get("num_batch_dims") if isinstance(attributes, DictionaryAttr) else None
    return int(found.value) if isinstance(found, StringAttr) and found.value.isdigit() else 0
