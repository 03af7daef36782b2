"""The known targets of custom calls, one row each: what sharding rules, the partitioner and the interpreter ask.

A new target is a row here; what its row says is done wherever it matters. Rules, localizers and evaluators that are no
rows stand with those of operations (``rules``, ``partitioning.families``, ``interpreter.operations``), by target.
"""

from __future__ import annotations

from enum import Flag, auto


class Kind(Flag):
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


_MOVE = Kind.IDENTITY | Kind.ELEMENTWISE | Kind.POINTWISE_RULE
_FUNCTION = Kind.ELEMENTWISE | Kind.FUNCTION

TARGETS: dict[str, Kind] = {
    "ApproxTopK": Kind.APPROXIMATE_TOP_K,
    "Cholesky": Kind.ON_MATRICES | Kind.POINTWISE_RULE,
    "CompactWyHelper": Kind.ON_MATRICES | Kind.POINTWISE_RULE,
    "Eigh": Kind.ON_MATRICES,
    "InspectSharding": Kind.IDENTITY | Kind.POINTWISE_RULE,
    "InvertDiagBlocksLowerTriangular": Kind.ON_MATRICES | Kind.POINTWISE_RULE,
    "InvertDiagBlocksUpperTriangular": Kind.ON_MATRICES | Kind.POINTWISE_RULE,
    "LayoutConstraint": _MOVE,
    "MoveToDevice": _MOVE,
    "MoveToHost": _MOVE,
    "PartialReduce": Kind.APPROXIMATE_TOP_K,
    "ProductOfElementaryHouseholderReflectors": Kind.ON_MATRICES,
    "Qr": Kind.ON_MATRICES,
    "QrDecompositionBlock": Kind.ON_MATRICES,
    "SPMDFullToShardShape": Kind.IDENTITY,
    "SPMDShardToFullShape": Kind.IDENTITY,
    "Sharding": Kind.IDENTITY | Kind.PLACEMENT,
    "TopK": Kind.TOP_K,
    "X64Combine": Kind.ELEMENTWISE,
    "X64SplitHigh": Kind.ELEMENTWISE | Kind.POINTWISE_RULE,
    "X64SplitLow": Kind.ELEMENTWISE | Kind.POINTWISE_RULE,
    "_SPMDInternalOp_MultiPad": Kind.POINTWISE_RULE,
    "_SPMDInternalOp_MultiRotate": Kind.POINTWISE_RULE,
    "_SPMDInternalOp_MultiSlice": Kind.POINTWISE_RULE,
    "_SPMDInternalOp_RotateRight": Kind.POINTWISE_RULE,
    "_SPMDInternalOp_Wrap": Kind.POINTWISE_RULE,
    "annotate_device_placement": _MOVE,
    "mhlo.acos": _FUNCTION,
    "mhlo.acosh": _FUNCTION,
    "mhlo.asin": _FUNCTION,
    "mhlo.asinh": _FUNCTION,
    "mhlo.atan": _FUNCTION,
    "mhlo.atanh": _FUNCTION,
    "mhlo.cosh": _FUNCTION,
    "mhlo.erf": _FUNCTION | Kind.POINTWISE_RULE,
    "mhlo.erf_inv": _FUNCTION,
    "mhlo.sinh": _FUNCTION,
    "mhlo.tan": _FUNCTION,
    "mhlo.topk": Kind.TOP_K,
    "sdy_testonly": Kind.NO_RULE,
    "tpu_custom_call": Kind.NO_RULE,
    "xla.debug.Log": Kind.NO_RULE,
    "xla.megascale.provide_metadata": Kind.POINTWISE_RULE,
    "xla.sdy.FuncResultSharding": Kind.IDENTITY | Kind.PLACEMENT,
    "xla.sdy.PropagationBarrier": Kind.IDENTITY | Kind.PLACEMENT,
    "xla.sdy.ShardingGroup": Kind.IDENTITY,
    "xla_ffi_python_cpu_callback": Kind.NO_RULE,
    "xla_ffi_python_gpu_callback": Kind.NO_RULE,
    "xla_python_cpu_callback": Kind.NO_RULE,
    "xla_python_gpu_callback": Kind.NO_RULE,
}
"""All targets that are known."""


def targets(kind: Kind) -> tuple[str, ...]:
    """Those of which that is known."""
    return tuple(name for name, known in TARGETS.items() if kind in known)
