"""Rules of branches, loops, asynchronous operations and barriers."""

from __future__ import annotations

from collections.abc import Sequence

from pyshardy.dialects.stablehlo.future_type import FutureType
from pyshardy.dialects.stablehlo.verification import type_constraints as kinds
from pyshardy.dialects.stablehlo.verification.compatibility import all_compatible, least_specific
from pyshardy.dialects.stablehlo.verification.rules import (
    Many,
    Rules,
    ends,
    inferred,
    one_block,
    operand_types,
    result_types,
    returned,
    same_count,
    tensor,
    typed,
)
from pyshardy.dialects.stablehlo.verification.wrong import Wrong
from pyshardy.ir.opdef import COLLECTIVE
from pyshardy.ir.operation import Operation
from pyshardy.ir.types import I1, TensorType, Type


def _list_text(types: Sequence[Type]) -> str:
    return ", ".join(f"'{type}'" for type in types)


# --- branches ---------------------------------------------------------------------------------------------------------


def _branch_results(op: Operation) -> Sequence[Type]:
    rank = tensor(op.operands[0]).rank
    if rank:
        raise Wrong(f"operand should be rank 0 tensor but got rank {rank}")
    if not op.regions:
        raise Wrong("expect at least one branch")
    blocks = [region.blocks[0] for region in op.regions]
    if not all(map(ends, blocks)):
        return result_types(op)
    first = returned(blocks[0])
    for index, block in enumerate(blocks):
        if block.arguments:
            raise Wrong(f"branch {index} must have 0 arguments, but found {len(block.arguments)}")
        found = returned(block)
        if not all_compatible(first, found):
            raise Wrong(
                f"branch 0 and branch {index} have mismatched return types: {_list_text(first)} vs {_list_text(found)}"
            )
    return [least_specific(types) for types in zip(*map(returned, blocks), strict=True)]


def _branches_have_one_block(op: Operation) -> None:
    one_block(*["branches"] * len(op.regions))(op)


# --- while ------------------------------------------------------------------------------------------------------------


def _check_while(op: Operation) -> None:
    operands = operand_types(op)
    condition, body = (region.blocks[0] for region in op.regions)
    for block, words in ((condition, "condition block arguments"), (body, "body block arguments")):
        found = [argument.type for argument in block.arguments]
        if not all_compatible(operands, found):
            raise Wrong(
                f"expect operands to be compatible with {words} but got {_list_text(operands)} vs {_list_text(found)}"
            )
    if condition.last is None or body.last is None:
        raise Wrong("expects a non-empty block", named=True)
    found = returned(body)
    if not all_compatible(operands, found):
        raise Wrong(
            "expect operands to be compatible with body block return types but got "
            f"{_list_text(operands)} vs {_list_text(found)}"
        )
    decided = returned(condition)
    if len(decided) != 1:
        raise Wrong(f"expect condition body returns a single value but got {len(decided)}")
    if not isinstance(decided[0], TensorType) or decided[0].rank or decided[0].element is not I1:
        raise Wrong(f"expect condition block return a zero-ranked tensor of i1 but got '{decided[0]}'")


# --- asynchronous operations ------------------------------------------------------------------------------------------

_NOT_STARTABLE = frozenset(f"stablehlo.{name}" for name in ("cross-replica-sum", "recv", "send"))
_ALSO_STARTABLE = frozenset(f"stablehlo.{name}" for name in ("dynamic_slice", "dynamic_update_slice", "slice"))


def _is_startable(op: Operation) -> bool:
    return op.name in _ALSO_STARTABLE or (bool(op.traits & COLLECTIVE) and op.name not in _NOT_STARTABLE)


def _check_async_start(op: Operation) -> None:
    block = op.regions[0].blocks[0]
    if not ends(block):
        return
    if len(block) != 2:
        raise Wrong("region must contain exactly one operation and a return", named=True)
    if block.first is not None and not _is_startable(block.first):
        raise Wrong("region must contain a collective or slice operation", named=True)
    if len(op.operands) != len(block.arguments):
        raise Wrong(
            f"number of operands ({len(op.operands)}) must match number of region arguments ({len(block.arguments)})",
            named=True,
        )
    for index, (operand, argument) in enumerate(zip(op.operands, block.arguments, strict=True)):
        if operand.type is not argument.type:
            raise Wrong(
                f"operand type '{operand.type}' at index {index} must match region argument type '{argument.type}'",
                named=True,
            )
    results = returned(block)
    if len(results) != 1:
        raise Wrong(f"region must return exactly one value, but got {len(results)}", named=True)


def _future(op: Operation) -> Sequence[Type]:
    block = op.regions[0].blocks[0]
    return [FutureType(returned(block))] if ends(block) else result_types(op)


def _awaited(op: Operation) -> Sequence[Type]:
    future = op.operands[0].type
    assert isinstance(future, FutureType)
    return future.elements


# --- barriers ---------------------------------------------------------------------------------------------------------


def _same_types(op: Operation) -> None:
    for index, (operand, result) in enumerate(zip(op.operands, op.results, strict=True)):
        if operand.type is not result.type:
            raise Wrong(f"requires the same type for operand and result at index {index}", named=True)


_VALUES = Many(kinds.LOOP_VALUE)

RULES: Rules = {
    "after_all": (typed([Many(kinds.TOKEN)], [kinds.TOKEN]),),
    "async_done": (typed([kinds.FUTURE], [kinds.TENSOR]), inferred(_awaited)),
    "async_start": (
        typed([Many(kinds.TENSOR)], [kinds.FUTURE]),
        one_block("body"),
        _check_async_start,
        inferred(_future),
    ),
    "case": (
        typed([kinds.INT32_TENSOR], [Many(kinds.BRANCH_RESULT)]),
        _branches_have_one_block,
        inferred(_branch_results),
    ),
    "if": (
        typed([kinds.BOOLS], [Many(kinds.BRANCH_RESULT)]),
        one_block("true_branch", "false_branch"),
        inferred(_branch_results),
    ),
    "optimization_barrier": (
        typed([Many(kinds.TENSOR_OR_TOKEN)], [Many(kinds.TENSOR_OR_TOKEN)]),
        same_count,
        _same_types,
    ),
    "return": (typed([_VALUES], []),),
    "while": (
        typed([_VALUES], [_VALUES]),
        one_block("cond", "body"),
        _check_while,
        inferred(operand_types),
    ),
}
