"""Programs that are objects of a running JAX or of bindings of MLIR: a ``jax.stages.Lowered``, a
``jax.export.Exported``, an MLIR module, or its operation.

They are recognised by the names and methods of their types, so JAX is never imported. The text has their locations,
which carry the names of arguments.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, NamedTuple

from pyshardy.ir.registry import foreign_rows
from pyshardy.reading.jaxlib_process import operation_text
from pyshardy.reading.unreadable import UnreadableInput


class _Kind(NamedTuple):
    """One kind of object: the name of its type, the methods that it must have, and its text."""

    type: str
    methods: tuple[str, ...]
    text: Callable[[Any], str]


_KINDS = (
    _Kind("Lowered", ("as_text", "compiler_ir"), lambda lowered: lowered.as_text(debug_info=True)),
    _Kind("Exported", ("mlir_module", "mlir_module_serialized"), lambda exported: exported.mlir_module()),
    _Kind("Module", ("operation", "body"), lambda module: _text_of_operation(module.operation)),
    _Kind("Operation", ("get_asm", "regions"), lambda operation: _text_of_operation(operation)),
    _Kind("OpView", ("operation", "regions"), lambda view: _text_of_operation(view.operation)),
)


def _text_of_operation(operation: Any) -> str:
    """The text, in generic form if other dialects are registered: bindings may have pretty forms of these, which
    pyshardy could not parse."""
    return operation_text(operation, generic=bool(foreign_rows()))


_ADVICE = {
    "Traced": "a traced function: give pyshardy traced.lower(lowering_platforms=(…,))",
    "Compiled": "a compiled function, which is partitioned already: give pyshardy what it was compiled from, "
    "jax.jit(f).lower(…)",
    "PjitFunction": "a function: lower it for the shapes that it is to run on, pyshardy.parse(jax.jit(f).lower(…))",
    "function": "a function: lower it for the shapes that it is to run on, pyshardy.parse(jax.jit(f).lower(…))",
    "ClosedJaxpr": "a jaxpr: lower the function instead, pyshardy.parse(jax.jit(f).lower(…))",
    "PosixPath": "a path: pyshardy.load(path) reads files",
    "WindowsPath": "a path: pyshardy.load(path) reads files",
}


def text_of(program: object) -> str:
    """The text of ``program``, with locations.

    Raises:
        UnreadableInput: it is no program of JAX.
    """
    names = [one.__name__ for one in type(program).__mro__]
    for kind in _KINDS:
        if kind.type in names and all(hasattr(program, method) for method in kind.methods):
            return kind.text(program)
    advice = next((_ADVICE[name] for name in names if name in _ADVICE), f"a {names[0]}")
    raise UnreadableInput(
        f"pyshardy.parse was given {advice}. It takes text, bytes, a jax.stages.Lowered, a jax.export.Exported, or an "
        "MLIR module or operation of jaxlib"
    )


def symbolic_shapes(program: object) -> list[list[str]]:
    """The shapes of the arguments of a ``Lowered`` that have symbols, dimension by dimension; its text has no names for
    them. None of any other object."""
    jax = sys.modules.get("jax")
    if jax is None or not hasattr(program, "args_info"):
        return []
    shapes = [getattr(leaf, "shape", ()) for leaf in jax.tree.leaves(program.args_info)]
    return [list(map(str, shape)) for shape in shapes if not all(isinstance(size, int) for size in shape)]


def name_of(program: object) -> str:
    """The name of the object in diagnostics."""
    return f"<{type(program).__name__}>"
