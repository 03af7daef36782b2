"""Reads a local program that somebody else made, and finds the layouts of its arguments and results.

``@main`` has per-device shapes; the ``sdy.sharding`` of an argument or result says which part of the global tensor it
is, without one it is the whole. If no argument or result has one (Shardy's own passes drop them), the shardings that
propagation gives the global program are taken. ``pyshardy check --local`` calls it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from pyshardy.checking.alignment import Alignment
from pyshardy.checking.programs import Programs
from pyshardy.dialects.func import function_type
from pyshardy.dialects.sdy import placement
from pyshardy.emitting.layout import layout_of
from pyshardy.interpreter.run import WrongInputs, entry_function
from pyshardy.ir import rewriting
from pyshardy.ir.context import Context
from pyshardy.ir.operation import Operation
from pyshardy.ir.types import TensorType, Type
from pyshardy.module import Module, run_passes
from pyshardy.partitioning.boundary import Boundary, boundaries
from pyshardy.partitioning.plan import Plan
from pyshardy.sharding.mesh import Mesh
from pyshardy.sharding.tensor import TensorSharding


class WrongLocalProgram(ValueError):
    """The local program does not fit the global one; the message says where."""


def programs_from(source: Module, local: Module, plan: Plan | None = None) -> Programs:
    """``source`` and ``local``, a program of one device that may have been made from it. If there is a ``plan`` of our
    own for the source, the values of ``local`` are matched with those of the plan.

    Raises:
        PyshardyError: propagation refuses the global program.
        WrongLocalProgram: the functions do not fit, or no mesh says how many devices there are.
    """
    try:
        given, made = entry_function(source), entry_function(local)
    except WrongInputs as error:
        raise WrongLocalProgram(str(error)) from None
    says, saying = local, made
    if not _has_shardings(made):
        says = _propagated(source)
        saying = entry_function(says)
    known = placement.meshes(says.op)
    global_type, local_type = function_type(given), function_type(made)
    of_argument = partial(placement.function_argument_sharding, saying)
    of_result = partial(placement.function_result_sharding, saying)
    arguments = _boundaries("argument", global_type.inputs, local_type.inputs, of_argument, known)
    results = _boundaries("result", global_type.results, local_type.results, of_result, known)
    programs = Programs(source, local, given.symbol_name or "main", _devices(known), arguments, results)
    return programs if plan is None else _with_correspondence(programs, plan)


def _with_correspondence(programs: Programs, plan: Plan) -> Programs:
    """``programs`` with the global values of local ones, as far as they can be matched with values of our own local
    program."""
    if plan.devices != programs.devices:
        return programs
    found = Alignment(plan.local.op, programs.local.op, plan.entry)
    if not found.is_sure:
        found.add_by_location(plan.correspondence)
    return replace(programs, correspondence=plan.correspondence, copies=found.copies, is_guessed=not found.is_sure)


def _has_shardings(function: Operation) -> bool:
    type = function_type(function)
    return any(
        placement.function_argument_sharding(function, index) is not None for index in range(len(type.inputs))
    ) or any(placement.function_result_sharding(function, index) is not None for index in range(len(type.results)))


def _propagated(source: Module) -> Module:
    """A copy of the global program with the shardings that propagation gives it."""
    context = Context(source.context.source, allow_unregistered=source.context.allow_unregistered)
    return run_passes(source.with_op(rewriting.clone(source.op), context), "sdy-propagation-pipeline")


def _boundaries(
    what: str,
    global_types: tuple[Type, ...],
    local_types: tuple[Type, ...],
    sharding_of: Callable[[int], TensorSharding | None],
    known: dict[str, Mesh],
) -> tuple[Boundary, ...]:
    if len(global_types) != len(local_types):
        raise WrongLocalProgram(
            f"the local program has {len(local_types)} {what}s, the global program has {len(global_types)}"
        )
    shardings = list(map(sharding_of, range(len(global_types))))
    layouts = tuple(layout_of(one, type, known) for one, type in zip(shardings, global_types, strict=True))
    found = boundaries(global_types, layouts)
    for index, (one, type, sharding) in enumerate(zip(found, local_types, shardings, strict=True)):
        if isinstance(one.type, TensorType):
            expected: Type = one.type.with_shape(one.local_shape)
            if type != expected:
                raise WrongLocalProgram(
                    f"{what} {index} of the local program is {type}, but {one.type} with sharding "
                    f"{sharding or 'none (the whole on every device)'} is {expected} on a device"
                )
    return found


def _devices(known: dict[str, Mesh]) -> int:
    counts = {name: mesh.total_size for name, mesh in known.items() if mesh.axes}
    if len(set(counts.values())) > 1:
        sizes = ", ".join(f"@{name} has {count}" for name, count in counts.items())
        raise WrongLocalProgram(f"its meshes have different numbers of devices: {sizes}")
    if not counts:
        raise WrongLocalProgram(
            "neither program has a mesh, so that nobody knows for how many devices the local program is; write the "
            'mesh of its shardings into it, as in sdy.mesh @mesh = <["data"=8]>'
        )
    return next(iter(counts.values()))
