"""Gives sizes to the dynamic dimensions of a program: ``bind={"b": 16}``, ``--bind b=16``.

``dimension_names`` has their names; ``refinement`` makes the rest of the program static.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pyshardy.dialects.func import callee, function_type, is_declaration
from pyshardy.dialects.main_function import find_main_function
from pyshardy.ir.collector import paused_collector
from pyshardy.ir.locations import UNKNOWN_LOCATION
from pyshardy.ir.operation import BlockArgument, Operation
from pyshardy.ir.types import DYNAMIC, TensorType, Type
from pyshardy.ir.verifying.verifier import verify
from pyshardy.module import Module
from pyshardy.reading.dynamic.dimension_names import (
    OpenDimension,
    UnknownExpression,
    evaluated,
    open_dimensions,
    symbol_arguments,
    symbols_of,
)
from pyshardy.reading.unreadable import UnreadableInput


def bind_sizes(module: Module, sizes: Mapping[str, int], shapes: Sequence[list[str]] = ()) -> None:
    """Makes ``module`` static, in place: ``sizes`` gives those of symbols (``b``) or dimensions (``arg0:1``).
    ``shapes`` are those of the arguments in terms of symbols, if the program does not contain them.

    Raises:
        PyshardyError: a size is missing, or names no dimension of the program; the program does not allow it, or some
            size cannot be computed from the given ones.
    """
    main = find_main_function(module.op)
    dims = open_dimensions(main, shapes) if main is not None else []
    symbols = symbol_arguments(main) if main is not None else {}
    if main is None or not (dims or symbols):
        raise UnreadableInput("the program has no dynamic dimensions: there is nothing to bind")
    for name, size in sizes.items():
        if size < 1:
            raise UnreadableInput(f"the size of {name} is {size}, and at least 1 is expected")
    _check_names(dims, symbols, sizes)
    found = {dim: _size(dim, sizes) for dim in dims}
    missing = [name for name in symbols.values() if name not in sizes]
    missing += [dim.expression or dim.own_name for dim, size in found.items() if size is None]
    if missing:
        listed = ", ".join(dict.fromkeys(missing))
        raise UnreadableInput(f"no size is given for {listed}: {describe(module)}")
    _take_names(main)
    types = list(function_type(main).inputs)
    for dim, found_size in found.items():
        types[dim.argument] = _with_size(types[dim.argument], dim.dim, found_size or 0)
    # Imported when used: it loads the interpreter.
    from pyshardy.reading.dynamic.refinement import Refinement

    with paused_collector():
        Refinement(module).refine_entry(main, types, {index: sizes[name] for index, name in symbols.items()})
        if not verify(module.op, module.context):
            raise module.context.failure()
    listed = ", ".join(f"{name}={size}" for name, size in sizes.items())
    module.notes.append(f"dynamic dimensions were bound: {listed}")


def _take_names(main: Operation) -> None:
    """Copies the locations of arguments, which are their names, from the called function: around a function with
    symbols JAX puts one without names that checks the sizes."""
    module = main.parent_op
    functions = {op.symbol_name: op for op in module.body} if module is not None else {}
    for op in main.body:
        target = functions.get(callee(op)) if op.name == "func.call" else None
        if target is None or is_declaration(target):
            continue
        for operand, inner in zip(op.operands, target.body.arguments, strict=True):
            if isinstance(operand, BlockArgument) and operand.location is UNKNOWN_LOCATION:
                operand.location = inner.location


def describe(module: Module) -> str | None:
    """A note with the names of the dynamic dimensions and how to bind them; None if there are none."""
    main = find_main_function(module.op)
    dims = open_dimensions(main) if main is not None else []
    if main is None or not (dims or symbol_arguments(main)):
        return None
    names = _names(dims, symbol_arguments(main))
    example = " ".join(f"--bind {name}=SIZE" for name in list(names)[:3])
    where = ", ".join(f"{name} ({place})" if place else name for name, place in names.items())
    return f"the program has dynamic dimensions, {where}; {example} makes it static"


def _names(dims: list[OpenDimension], symbols: Mapping[int, str]) -> dict[str, str]:
    """Each name that must be bound, and where the first dimension with it is."""
    names: dict[str, str] = {}
    for dim in dims:
        place = f"dimension {dim.dim} of %arg{dim.argument}"
        for name in _symbols(dim):
            names.setdefault(name, place if dim.expression == name else f"{place} is {dim.expression}")
        if not _symbols(dim):
            names.setdefault(dim.own_name, place)
    for name in symbols.values():
        names.setdefault(name, "")
    return names


def _symbols(dim: OpenDimension) -> list[str]:
    """The symbols in the expression of a dimension; none if it has no expression that can be read."""
    if dim.expression is None:
        return []
    try:
        return symbols_of(dim.expression)
    except UnknownExpression:
        return []


def _check_names(dims: list[OpenDimension], symbols: Mapping[int, str], sizes: Mapping[str, int]) -> None:
    known = [*_names(dims, symbols), *(dim.own_name for dim in dims)]
    for name in sizes:
        if name not in known:
            listed = ", ".join(dict.fromkeys(known))
            raise UnreadableInput(f"the program has no dynamic dimension {name}; it has {listed}")


def _size(dim: OpenDimension, sizes: Mapping[str, int]) -> int | None:
    """The size of ``dim``; None if it cannot be computed."""
    own = sizes.get(dim.own_name)
    names = _symbols(dim)
    if own is not None or dim.expression is None or not names or any(name not in sizes for name in names):
        return own
    try:
        return evaluated(dim.expression, sizes)
    except UnknownExpression:
        return None


def _with_size(type: Type, dim: int, size: int) -> Type:
    assert isinstance(type, TensorType) and type.shape[dim] == DYNAMIC
    return TensorType((*type.shape[:dim], size, *type.shape[dim + 1 :]), type.element)
