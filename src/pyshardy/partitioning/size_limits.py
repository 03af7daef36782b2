"""Sizes that can be partitioned: programs with larger tensors are refused."""

from __future__ import annotations

from collections.abc import Sequence

from pyshardy.dialects.func import function_type
from pyshardy.ir.operation import Operation
from pyshardy.ir.operation_kinds import OperationKinds
from pyshardy.ir.types import TensorType, Type, size_in_bytes
from pyshardy.module import Module

_MOST_BYTES = (1 << 63) - 1


def check_sizes(module: Module, kinds: OperationKinds) -> None:
    """Raises PyshardyError if a tensor of ``module``, whose operations have these ``kinds``, has more bytes than 64
    bits can count."""
    functions = [op for op in module.op.body if op.name == "func.func"]
    if any(_is_too_large(value.type) for op in kinds.examples for value in op.results):
        for op in kinds.operations:
            _refuse(module, op, [value.type for value in op.results if _is_too_large(value.type)])
    for function in functions:
        _refuse(module, function, [one for one in dict.fromkeys(function_type(function).inputs) if _is_too_large(one)])


def _is_too_large(type: Type) -> bool:
    return isinstance(type, TensorType) and size_in_bytes(type) > _MOST_BYTES


def _refuse(module: Module, op: Operation, types: Sequence[Type]) -> None:
    """Raises PyshardyError if ``op`` has types that are too large."""
    if types:
        module.context.emit("error", op.location, f"{types[0]} has more bytes than 64 bits can count")
        raise module.context.failure()
