"""Localizes ``triangular_solve``: sharded along batch dimensions and right-hand sides; every device needs the whole
matrix.

(Decompositions and Fourier transforms are localized by their sharding rules, see ``rule_based``.)
"""

from __future__ import annotations

from pyshardy.emitting.sharded import Sharded
from pyshardy.partitioning.localizing.registry import localizes
from pyshardy.partitioning.localizing.site import Site
from pyshardy.rules.builder import NEED_REPLICATION, NULL, RuleBuilder, operand_shape
from pyshardy.rules.properties import integer


@localizes("stablehlo.triangular_solve")
def _triangular_solve(site: Site) -> list[Sharded]:
    """Columns of the right-hand side (rows, if the matrix is on the right) are independent systems."""
    op = site.op
    matrix, sides = operand_shape(op, 0), operand_shape(op, 1)
    row, column = len(matrix) - 2, len(matrix) - 1
    solved, free = (row, column) if integer(op, "left_side", 0) else (column, row)
    builder = RuleBuilder(op).add_each(matrix[:-2])
    builder.add([NULL, free], [free], sides[free])
    builder.add([row, NULL], [NULL], matrix[row], NEED_REPLICATION)
    builder.add([column, NULL], [NULL], matrix[column], NEED_REPLICATION)
    builder.add([NULL, solved], [solved], sides[solved], NEED_REPLICATION)
    strategy = site.strategy(builder.build())
    if strategy is None:
        return site.fall_back()
    return site.emit(list(map(site.reshard, site.operands, strategy.operands)), strategy.results)
