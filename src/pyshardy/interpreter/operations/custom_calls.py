"""Custom calls whose meaning is known: markers that change nothing, and the LAPACK calls that JAX emits for CPUs.

``@evaluates_custom_call("target")`` adds one. A call of an unknown target is an error, since nobody can say what it
computes.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from pyshardy.interpreter.element_types import Array, numpy_type
from pyshardy.interpreter.frame import Frame, aligned
from pyshardy.interpreter.operations.elementwise import double
from pyshardy.interpreter.operations.linear_algebra import cholesky_factor, triangular_solution
from pyshardy.interpreter.operations.properties import string
from pyshardy.interpreter.operations.sorting import largest, merge_sorted
from pyshardy.interpreter.registry import Evaluator, evaluates, evaluator
from pyshardy.ir.attributes import ArrayAttr, Attribute, DictionaryAttr, IntegerAttr, SymbolRefAttr
from pyshardy.ir.operation import Operation

_targets: dict[str, Evaluator] = {}


def evaluates_custom_call(*targets: str) -> Callable[[Evaluator], Evaluator]:
    """Registers a function as the evaluator of custom calls of ``targets``."""

    def register(function: Evaluator) -> Evaluator:
        for target in targets:
            _targets[target] = function
        return function

    return register


@evaluates("stablehlo.custom_call")
def custom_call(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    target = string(op, "call_target_name")
    function = _targets.get(target)
    if function is None:
        frame.fail(op, f"cannot be interpreted: it is not known what the target @{target} computes")
    return list(function(frame, op, operands))


@evaluates_custom_call(
    "InspectSharding",
    "LayoutConstraint",
    "MoveToDevice",
    "MoveToHost",
    "Sharding",
    "SPMDFullToShardShape",
    "SPMDShardToFullShape",
    "annotate_device_placement",
    "xla.sdy.FuncResultSharding",
    "xla.sdy.PropagationBarrier",
    "xla.sdy.ShardingGroup",
)
def marker(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    """Says something to the compiler and changes no value."""
    for operand, result in zip(operands, op.results, strict=False):
        if operand.shape[1:] != getattr(result.type, "shape", None):
            frame.fail(op, "cannot be interpreted: it changes shapes by a sharding that only XLA's partitioner knows")
    return operands[: len(op.results)]


@evaluates_custom_call("shape_assertion")
def shape_assertion(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    if not operands[0].all():
        frame.fail(op, f"fails: {string(op, 'error_message')}")
    return []


@evaluates_custom_call("mhlo.topk", "TopK")
def top_k(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    count = getattr(op.results[0].type, "shape", (0,))[-1]
    return largest(operands[0], count)


@evaluates_custom_call("ApproxTopK")
def approx_top_k(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    """The first values in the order of the comparator, and their indices: an exact answer is a good approximation."""
    callees = op.get("called_computations")
    found, wanted = (getattr(value.type, "shape", ()) for value in (op.operands[0], op.results[0]))
    axis = next((1 + dimension for dimension, size in enumerate(found) if size != wanted[dimension]), len(found))
    comparator = frame.machine.function(next(iter(_symbols(callees)), ""), op).regions[0]
    rows = [np.moveaxis(value, axis, -1) for value in aligned(operands[:2])]
    order = merge_sorted(frame, comparator, rows)[..., : wanted[axis - 1]]
    return [np.moveaxis(np.take_along_axis(value, order, axis=-1), -1, axis) for value in rows]


def _symbols(value: Attribute | None) -> list[str]:
    return [one.root for one in value if isinstance(one, SymbolRefAttr)] if isinstance(value, ArrayAttr) else []


@evaluates_custom_call("X64SplitLow", "X64SplitHigh")
def split_words(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    """One half of the bits of 64-bit integers."""
    bits = np.ascontiguousarray(operands[0]).view(np.uint64)
    if string(op, "call_target_name") == "X64SplitHigh":
        bits = bits >> np.uint64(32)
    return [(bits & np.uint64(0xFFFFFFFF)).astype(np.uint32).view(numpy_type(op.results[0].type))]


@evaluates_custom_call("X64Combine")
def combine_words(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    """64-bit integers of their low and their high half."""
    low, high = (np.ascontiguousarray(value).view(np.uint32).astype(np.uint64) for value in operands)
    return [(low | high << np.uint64(32)).view(numpy_type(op.results[0].type))]


def _function(name: str) -> Evaluator:
    def evaluate(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
        function = evaluator(f"chlo.{name}")
        assert function is not None
        return list(function(frame, op, operands))

    return evaluate


for _name in ["acos", "acosh", "asin", "asinh", "atan", "atanh", "cosh", "erf", "erf_inv", "sinh", "tan"]:
    evaluates_custom_call(f"mhlo.{_name}")(_function(_name))


# --- LAPACK -----------------------------------------------------------------------------------------------------------


def _lapack(routine: str) -> list[str]:
    return [f"lapack_{kind}{routine}_ffi" for kind in "sdcz"]


def _option(op: Operation, name: str) -> str:
    """An option of a LAPACK call, a letter that is written as a character or as its code."""
    config = op.get("mhlo.backend_config") or op.get("backend_config")
    value: Attribute | None = config.get(name) if isinstance(config, DictionaryAttr) else None
    if isinstance(value, IntegerAttr):
        return chr(value.value)
    return str(getattr(value, "value", ""))


def _success(op: Operation, operands: list[Array]) -> Array:
    """The status 0 for each matrix; it is the last result."""
    return np.zeros((len(operands[0]), *getattr(op.results[-1].type, "shape", ())), numpy_type(op.results[-1].type))


@evaluates_custom_call(*_lapack("potrf"))
def potrf(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    factor = cholesky_factor(operands[0], lower=_option(op, "uplo") != "U")
    failed = np.isnan(factor).any(axis=(-1, -2))
    return [factor, np.where(failed, 1, _success(op, operands)).astype(np.int32)]


@evaluates_custom_call(*_lapack("getrf"))
def getrf(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    """L and U in one matrix by Gaussian elimination, the row that came to each place (from 1), and the status."""
    matrices = double(operands[0]).copy()
    rows, columns = matrices.shape[-2:]
    flat = matrices.reshape(-1, rows, columns)
    each = np.arange(len(flat))
    pivots = np.zeros((len(flat), min(rows, columns)), np.int32)
    for step in range(min(rows, columns)):
        chosen = step + np.argmax(_magnitude(flat[:, step:, step]), axis=1)
        pivots[:, step] = chosen + 1
        flat[each, step], flat[each, chosen] = flat[each, chosen], flat[each, step].copy()
        pivot = flat[:, step, step, None]
        flat[:, step + 1 :, step] /= np.where(pivot == 0, 1, pivot)
        flat[:, step + 1 :, step + 1 :] -= flat[:, step + 1 :, step, None] * flat[:, step, None, step + 1 :]
    factors = flat.reshape(matrices.shape).astype(operands[0].dtype)
    return [factors, pivots.reshape(*matrices.shape[:-2], -1), _success(op, operands)]


def _magnitude(values: Array) -> Array:
    """LAPACK compares complex numbers by the sum of the magnitudes of their parts."""
    size: Array = np.abs(values.real) + np.abs(values.imag)
    return size


@evaluates_custom_call(*_lapack("geqrf"))
def geqrf(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    """R and the reflectors below it in one matrix, and the reflectors' factors."""
    exact = double(operands[0])
    reflectors, factors = np.linalg.qr(exact, mode="raw")
    dtype = operands[0].dtype
    results = [reflectors.swapaxes(-1, -2).astype(dtype), factors.astype(dtype)]
    return [*results, _success(op, operands)] if len(op.results) > 2 else results


@evaluates_custom_call(*(f"lapack_{kind}_ffi" for kind in ("sorgqr", "dorgqr", "cungqr", "zungqr")))
def orgqr(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    """The product of reflectors as a matrix."""
    reflectors, factors = (double(value) for value in operands)
    rows, columns = reflectors.shape[-2:]
    product = np.broadcast_to(np.eye(rows, columns, dtype=reflectors.dtype), reflectors.shape).copy()
    for step in reversed(range(factors.shape[-1])):
        vector = reflectors[..., :, step].copy()
        vector[..., :step] = 0
        vector[..., step] = 1
        projection = np.matmul(np.conj(vector)[..., None, :], product)
        product -= factors[..., step, None, None] * vector[..., :, None] * projection
    results = [product.astype(operands[0].dtype)]
    return [*results, _success(op, operands)] if len(op.results) > 1 else results


@evaluates_custom_call(*(f"lapack_{kind}_ffi" for kind in ("ssyevd", "dsyevd", "cheevd", "zheevd")))
def syevd(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    """Eigenvectors and eigenvalues, in ascending order."""
    values, vectors = np.linalg.eigh(double(operands[0]), UPLO="U" if _option(op, "uplo") == "U" else "L")
    results = [vectors, values]
    typed = [value.astype(numpy_type(result.type)) for value, result in zip(results, op.results, strict=False)]
    return [*typed, _success(op, operands)]


@evaluates_custom_call(*_lapack("gesdd"))
def gesdd(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    """The matrix, singular values, both sets of singular vectors, and the status."""
    mode = _option(op, "mode")
    exact = double(operands[0])
    if mode == "N":
        values = np.linalg.svd(exact, compute_uv=False)
        shapes = [getattr(result.type, "shape", ()) for result in op.results]
        left, right = (np.zeros((len(exact), *shape)) for shape in shapes[2:4])
    else:
        left, values, right = np.linalg.svd(exact, full_matrices=mode == "A")
    results = [exact, values, left, right]
    typed = [value.astype(numpy_type(result.type)) for value, result in zip(results, op.results, strict=False)]
    return [*typed, _success(op, operands)]


@evaluates_custom_call(*_lapack("trsm"))
def trsm(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    transpose = {"N": "NO_TRANSPOSE", "T": "TRANSPOSE", "C": "ADJOINT"}[_option(op, "trans_x") or "N"]
    solution = triangular_solution(
        operands[0],
        operands[1],
        left=_option(op, "side") != "R",
        lower=_option(op, "uplo") != "U",
        unit_diagonal=_option(op, "diag") == "U",
        transpose=transpose,
    )
    return [solution]


@evaluates_custom_call("LuPivotsToPermutation", "lu_pivots_to_permutation")
def lu_pivots_to_permutation(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
    """The order of the rows after the swaps of ``pivots`` (from 0)."""
    (pivots,) = operands
    size = getattr(op.results[0].type, "shape", (0,))[-1]
    order = np.broadcast_to(np.arange(size, dtype=np.int32), (*pivots.shape[:-1], size)).copy()
    flat, swaps = order.reshape(-1, size), pivots.reshape(-1, pivots.shape[-1])
    each = np.arange(len(flat))
    for step in range(swaps.shape[1]):
        other = swaps[:, step]
        flat[each, step], flat[each, other] = flat[each, other], flat[each, step].copy()
    return [order]
