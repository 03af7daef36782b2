"""Rules of decompositions, triangular solves and Fourier transforms: batch dimensions pass through, the matrix (or the
transformed dimensions) is needed whole.

Decompositions that are custom calls are here, too.
"""

from __future__ import annotations

from pyshardy.ir.operation import Operation
from pyshardy.rules.builder import NEED_REPLICATION, NULL, RuleBuilder, operand_shape, result_shape, shape_of
from pyshardy.rules.properties import enum_case, integer, integers
from pyshardy.rules.registry import custom_call_rule, sharding_rule
from pyshardy.sharding.rule import OpShardingRule


@sharding_rule("stablehlo.cholesky")
def _cholesky(op: Operation, conservative: bool) -> OpShardingRule:
    shape = operand_shape(op)
    matrix = (len(shape) - 2, len(shape) - 1)
    return RuleBuilder(op).add_each(shape, NEED_REPLICATION, where=matrix).build()


@sharding_rule("stablehlo.triangular_solve")
def _triangular_solve(op: Operation, conservative: bool) -> OpShardingRule:
    """Solves a x = b, or x a = b: one dimension of the matrix a contracts with x, the other one is that of b."""
    a, b = operand_shape(op, 0), operand_shape(op, 1)
    row, column = len(a) - 2, len(a) - 1
    left_side = bool(integer(op, "left_side", 0))
    transposed = enum_case(op, "transpose_a") in ("TRANSPOSE", "ADJOINT")
    own, contracting = (column, row) if left_side == transposed else (row, column)
    builder = RuleBuilder(op).add_each(a[:-2])
    if left_side:
        builder.add([own, row], [NULL], a[own], NEED_REPLICATION)
        builder.add([NULL, column], [column], b[column], NEED_REPLICATION)
        builder.add([contracting, NULL], [row], a[contracting], NEED_REPLICATION)
    else:
        builder.add([NULL, row], [row], b[row], NEED_REPLICATION)
        builder.add([own, column], [NULL], a[own], NEED_REPLICATION)
        builder.add([contracting, NULL], [column], a[contracting], NEED_REPLICATION)
    return builder.build()


@sharding_rule("stablehlo.fft")
def _fft(op: Operation, conservative: bool) -> OpShardingRule:
    """A last dimension whose size changes (real transforms) cannot propagate."""
    source, target = operand_shape(op), result_shape(op)
    last = len(source) - 1
    first_transformed = len(source) - len(integers(op, "fft_length"))
    builder = RuleBuilder(op).add_each(source[:last], NEED_REPLICATION, where=range(first_transformed, last))
    builder.add_same(last, source[last], NEED_REPLICATION, blocked=source[last] != target[last])
    return builder.build()


@custom_call_rule("Eigh")
def _eigh(op: Operation, conservative: bool) -> OpShardingRule | None:
    """Of a batch of matrices: the eigenvectors as matrices, the eigenvalues as vectors."""
    if not _has_signature(op, 1, 2):
        return None
    shape = operand_shape(op)
    row, column = len(shape) - 2, len(shape) - 1
    builder = RuleBuilder(op).add_each(shape[:-2])
    builder.add([row], [row, NULL], shape[row])
    builder.add([column], [column, row], shape[column])
    return builder.build()


@custom_call_rule("Qr", "QrDecompositionBlock")
def _qr(op: Operation, conservative: bool) -> OpShardingRule | None:
    """Of a batch of matrices: the packed decomposition as matrices, the reflectors' scales as vectors."""
    if not _has_signature(op, 1, 2):
        return None
    shape, scales = operand_shape(op), result_shape(op, 1)
    row, column = len(shape) - 2, len(shape) - 1
    builder = RuleBuilder(op).add_each(shape[:-2])
    builder.add([row], [row, NULL], shape[row], NEED_REPLICATION)
    builder.add([column], [column, NULL], shape[column], NEED_REPLICATION)
    builder.add([NULL], [NULL, row], scales[row], NEED_REPLICATION)
    return builder.build()


@custom_call_rule("ProductOfElementaryHouseholderReflectors")
def _householder_product(op: Operation, conservative: bool) -> OpShardingRule | None:
    """From what ``Qr`` gives, the orthogonal matrices."""
    if not _has_signature(op, 2, 1):
        return None
    shape, scales = operand_shape(op), operand_shape(op, 1)
    row, column = len(shape) - 2, len(shape) - 1
    builder = RuleBuilder(op).add_each(shape[:-2])
    builder.add([row, NULL], [row], shape[row], NEED_REPLICATION)
    builder.add([column, NULL], [column], shape[column], NEED_REPLICATION)
    builder.add([NULL, row], [NULL], scales[row], NEED_REPLICATION)
    return builder.build()


def _has_signature(op: Operation, num_operands: int, num_results: int) -> bool:
    """Whether the custom call takes and gives that many tensors: batches of matrices, but vectors where it has two."""
    if (len(op.operands), len(op.results)) != (num_operands, num_results):
        return False
    rank = len(operand_shape(op))
    expected = [rank, rank - 1][:num_operands] + [rank, rank - 1][:num_results]
    shapes = [shape_of(value.type) for value in (*op.operands, *op.results)]
    return rank >= 2 and [None if shape is None else len(shape) for shape in shapes] == expected
