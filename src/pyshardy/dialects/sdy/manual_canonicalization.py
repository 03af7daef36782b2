"""Simplifies ``sdy.manual_computation``: drops inputs that are not used, and inlines bodies that need no manual axes.

The patterns have no label, so only a plain ``canonicalize`` applies them.
"""

from __future__ import annotations

from math import prod

from pyshardy.dialects.sdy.dataflow import manual_axes
from pyshardy.dialects.sdy.placement import common_mesh_ref, meshes
from pyshardy.ir import rewriting
from pyshardy.ir.operation import Operation
from pyshardy.ir.rewriter import Rewriter
from pyshardy.sharding.tensor import TensorSharding, TensorShardingPerValue


def drop_unused_inputs(op: Operation, rewriter: Rewriter) -> bool:
    """Drops block arguments without uses, with their operands and shardings."""
    arguments = op.body.arguments
    kept = [argument.index for argument in arguments if argument.num_uses]
    if len(kept) == len(arguments):
        return False
    for index in reversed(range(len(arguments))):
        if not arguments[index].num_uses:
            rewriting.erase_block_argument(op.body, index)
    producers = [operand.defining_op for operand in op.operands]
    shardings = _shardings(op, "in_shardings")
    rewriting.set_properties(
        op, op.properties.with_("in_shardings", TensorShardingPerValue(shardings[index] for index in kept))
    )
    rewriting.set_operands(op, [op.operands[index] for index in kept])
    for producer in producers:
        if producer is not None:
            rewriter.revisit(producer)
    rewriter.revisit(op)
    return True


def inline_redundant(op: Operation, rewriter: Rewriter) -> bool:
    """Puts the body in the place of a computation that splits nothing: without shardings, or on axes of size 1."""
    shardings = (*_shardings(op, "in_shardings"), *_shardings(op, "out_shardings"))
    if shardings and _manual_size(op, shardings) != 1:
        return False
    rewriter.replace_with_block(op, op.body, op.operands)
    return True


def _shardings(op: Operation, name: str) -> tuple[TensorSharding, ...]:
    found = op.properties.get(name)
    assert isinstance(found, TensorShardingPerValue)
    return found.shardings


def _manual_size(op: Operation, shardings: tuple[TensorSharding, ...]) -> int:
    names = manual_axes(op)
    if not names:
        return 1
    *_, module = op.ancestors()
    known = meshes(module)
    reference = common_mesh_ref(shardings, known)
    mesh = known[reference] if isinstance(reference, str) else reference
    assert mesh is not None
    return prod(mesh.sizes[name] for name in names)
