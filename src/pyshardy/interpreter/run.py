"""Runs programs on arrays: on one device, or on a grid of devices in step.

This is the entry point of the interpreter for Python and for ``pyshardy check``.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pyshardy.interpreter.element_types import Array, UnsupportedType
from pyshardy.interpreter.evaluation import Evaluation, Wrap
from pyshardy.interpreter.exact.numbers import ExactArray
from pyshardy.interpreter.frame import Frame, Machine
from pyshardy.interpreter.grid import Grid
from pyshardy.interpreter.number_systems import AS_WRITTEN, NumberSystem
from pyshardy.ir.call_depth import check_call_depth
from pyshardy.ir.limits import LimitExceeded, limit
from pyshardy.ir.operation import Operation
from pyshardy.ir.types import DYNAMIC, TensorType
from pyshardy.module import Module


class WrongInputs(ValueError):
    """The arrays given do not fit the function's arguments, or there is no such function."""


def run(
    module: Module,
    inputs: Sequence[Array] = (),
    function: str = "main",
    *,
    must_end: bool = False,
    wrap: Wrap | None = None,
    numbers: NumberSystem = AS_WRITTEN,
    end: float | None = None,
) -> list[Array]:
    """What ``function`` of ``module`` returns on one device for ``inputs``, one array an argument.

    ``sdy`` operations are read as those of a global program: reshards change nothing, manual computations run on all
    shards. Arrays have numpy's types, those of ``ml_dtypes`` where numpy has none; tokens are booleans. With
    ``must_end`` a loop that goes on and on (10,000 iterations and 20 seconds, or 1,000 and two minutes) ends the run
    with an error. ``wrap`` gets each operation's name and evaluator and gives what is to stand in for that one, to
    watch a run or to change it. ``numbers`` says what floats are, here and in inputs and results:
    ``number_systems.EXACT`` for no rounding. At ``end``, by ``time.monotonic()``, the run is given up.

    Raises:
        PyshardyError: an operation cannot be evaluated, or a check in the program fails.
        OutOfTime: it was given up.
        WrongInputs: the inputs do not fit.

    >>> from pyshardy import parse
    >>> module = parse('''func.func @main(%a: tensor<3xf32>) -> tensor<3xf32> {
    ...   %0 = stablehlo.multiply %a, %a : tensor<3xf32>
    ...   return %0 : tensor<3xf32>
    ... }''')
    >>> run(module, [np.array([1, 2, 3], np.float32)])
    [array([1., 4., 9.], dtype=float32)]
    """
    stacked = [_as_array(value)[None] for value in inputs]
    return [
        value[0]
        for value in run_devices(
            module, stacked, function=function, must_end=must_end, wrap=wrap, numbers=numbers, end=end
        )
    ]


def run_devices(
    module: Module,
    inputs: Sequence[Array] = (),
    *,
    partitions: int = 1,
    replicas: int = 1,
    function: str = "main",
    must_end: bool = False,
    wrap: Wrap | None = None,
    numbers: NumberSystem = AS_WRITTEN,
    end: float | None = None,
) -> list[Array]:
    """What ``function`` returns on each of ``replicas · partitions`` devices that run it together.

    Inputs and results have one more dimension in front, one entry a device (device = replica · partitions +
    partition); an input with a single entry is given to all. Results that are the same everywhere are views of one.

    Raises:
        PyshardyError: an operation cannot be evaluated, devices would wait for each other for ever, or a check fails.
        WrongInputs: the inputs do not fit.

    >>> from pyshardy import parse
    >>> module = parse('''func.func @main() -> tensor<ui32> {
    ...   %0 = stablehlo.partition_id : tensor<ui32>
    ...   return %0 : tensor<ui32>
    ... }''')
    >>> run_devices(module, partitions=3)
    [array([0, 1, 2], dtype=uint32)]
    """
    check_call_depth(module.op)
    grid = Grid(replicas, partitions)
    check_simulated_devices(grid.size)
    machine = Machine(module.op, module.context, grid, module.resources, Evaluation(wrap), numbers)
    machine.must_end, machine.end = must_end, end
    found = entry_function(module, function)
    arrays = checked_inputs(found, inputs, grid.size, numbers)
    return [np.broadcast_to(value, (grid.size, *value.shape[1:])) for value in run_function(machine, found, arrays)]


def check_simulated_devices(devices: int) -> None:
    """Raises LimitExceeded if so many ``devices`` are not simulated."""
    if devices > limit("checked-devices"):
        raise LimitExceeded(f"the program would run on {devices:,} simulated devices", "checked-devices")


def entry_function(module: Module, name: str = "main") -> Operation:
    """The function ``@name``; for ``main`` the only function of a module that has no ``@main``.

    Raises:
        WrongInputs: there is no such function with a body.
    """
    functions = [op for op in module.op.body if op.name == "func.func"]
    for op in functions:
        if op.symbol_name == name and not op.regions[0].empty:
            return op
    if name == "main" and len(functions) == 1 and not functions[0].regions[0].empty:
        return functions[0]
    raise WrongInputs(f"the program has no function @{name} with a body")


def run_function(machine: Machine, function: Operation, inputs: Sequence[Array]) -> list[Array]:
    """What ``function`` returns on all processes of the machine's grid; one entry stands for all that are the same.

    Raises:
        PyshardyError: an operation cannot be evaluated.
    """
    count = machine.grid.size
    frame = Frame(machine, count, np.arange(count), whole=True)
    with np.errstate(all="ignore"):
        return frame.run(function.body, inputs)


def checked_inputs(
    function: Operation, inputs: Sequence[Array], devices: int, numbers: NumberSystem = AS_WRITTEN
) -> list[Array]:
    """``inputs`` as arrays of the types that ``function`` takes.

    Raises:
        WrongInputs: their number, shapes or types do not fit.
    """
    arguments = function.body.arguments
    if len(arguments) != len(inputs):
        raise WrongInputs(f"{len(inputs)} inputs for {len(arguments)} arguments")
    arrays = []
    for number, (argument, given) in enumerate(zip(arguments, inputs, strict=True)):
        array, type = _as_array(given), argument.type
        if isinstance(type, TensorType):
            try:
                dtype = numbers.array_type(type)
            except UnsupportedType as error:
                raise WrongInputs(f"argument {number}: {error}") from None
            fits = array.ndim == type.rank + 1 and all(
                size in (DYNAMIC, have) for size, have in zip(type.shape, array.shape[1:], strict=True)
            )
            if array.dtype != dtype or not fits or array.shape[0] not in (1, devices):
                shape = ", ".join("?" if size == DYNAMIC else str(size) for size in type.shape)
                raise WrongInputs(
                    f"input {number} has type {array.dtype} and shape {array.shape}, but {dtype} and "
                    f"({devices}{', ' + shape if shape else ''}) is expected"
                )
        arrays.append(array)
    return arrays


def _as_array(given: Array) -> Array:
    return given if isinstance(given, ExactArray) else np.asarray(given)
