"""The tensors of a module, one row for each: name, sharding, shape and bytes on a device, source location.

``Module.tensors`` and related methods return these rows. A row is a snapshot of the program; ``set_sharding`` changes
the program.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING

from pyshardy.dialects.func import function_type
from pyshardy.dialects.main_function import find_main_function, functions
from pyshardy.dialects.sdy import placement
from pyshardy.ir import rewriting
from pyshardy.ir.attributes import DictionaryAttr, StringAttr
from pyshardy.ir.locations import Location
from pyshardy.ir.operation import BlockArgument, Operation, OpResult, Value
from pyshardy.ir.printing.naming import Names
from pyshardy.ir.source_location import SourceLocation, source_location
from pyshardy.ir.types import TensorType, Type, size_in_bytes
from pyshardy.reading.names import argument_symbol, boundary_names, result_symbol
from pyshardy.sharding.mesh import LARGEST_INTEGER, Mesh
from pyshardy.sharding.plain import ShardingProblem, Spec, did_you_mean, tensor_sharding
from pyshardy.sharding.tensor import TensorSharding

if TYPE_CHECKING:
    from pyshardy.module import Module


ShardingSlot = Value | placement.FunctionResult
"""The owner of a sharding: a value, or a result of a function."""


@dataclass(frozen=True)
class Tensor:
    """A tensor of a program. ``slot`` is the value, or the result of a function, that it is; ``name`` its author's
    name, or the same as ``symbol``, the name in MLIR's text (``%arg3``, ``%12``, ``result 0``); ``function`` is the
    function that contains it. Shapes and bytes are those of the whole tensor and on one device (rounded up);
    ``sharding`` is None without one."""

    slot: ShardingSlot
    name: str
    symbol: str
    function: str
    type: TensorType
    sharding: TensorSharding | None
    local_shape: tuple[int, ...]
    location: SourceLocation

    @property
    def holder(self) -> ShardingSlot:
        """The old name of ``slot``."""
        warnings.warn("Tensor.holder is called Tensor.slot", DeprecationWarning, stacklevel=2)
        return self.slot

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the whole tensor."""
        return self.type.shape

    @property
    def bytes(self) -> int:
        """Bytes of the whole tensor, elements packed."""
        return size_in_bytes(self.type)

    @property
    def local_bytes(self) -> int:
        """Bytes on one device."""
        return size_in_bytes(self.type.with_shape(self.local_shape))

    def __repr__(self) -> str:
        sharding = self.sharding.body_text if self.sharding is not None else "no sharding"
        return f"<Tensor {self.name}: {self.type}, {sharding}, {self.local_bytes} bytes on a device>"


def shape_on_device(type: TensorType, sharding: TensorSharding | None, meshes: Mapping[str, Mesh]) -> tuple[int, ...]:
    """The local shape of a tensor of ``type``, rounded up; the whole shape without a usable sharding."""
    mesh = placement.resolve_mesh(sharding, meshes) if sharding is not None else None
    if sharding is None or mesh is None or sharding.rank != len(type.shape):
        return type.shape
    return sharding.local_shape(type.shape, mesh)


class TensorTable:
    """The tensors of ``module`` in its present state."""

    def __init__(self, module: Module) -> None:
        self._module = module
        self._meshes = placement.meshes(module.op)
        self._symbols: dict[Value, str] | None = None
        self._locations: dict[int | Location | None, SourceLocation] = {}

    def arguments(self, function: Operation) -> Iterator[Tensor]:
        """The arguments of ``function``, which has a body."""
        names = boundary_names(function).arguments
        for argument, name in zip(function.body.arguments, names, strict=True):
            yield from self._row(argument, name, argument_symbol(argument.index), function)

    def results(self, function: Operation) -> Iterator[Tensor]:
        """The results of ``function``: they have shardings of their own."""
        for index, name in enumerate(boundary_names(function).results):
            yield from self._row(placement.FunctionResult(function, index), name, result_symbol(index), function)

    def inner(self, function: Operation) -> Iterator[Tensor]:
        """The results of operations of ``function``, in the order of the program, and arguments of loops and
        computations that can have shardings."""
        for op in function.walk():
            if op is not function:
                for region in op.regions:
                    for block in region.blocks:
                        for argument in block.arguments:
                            if placement.shardable_value(argument) is argument:
                                yield from self._of_value(argument, function)
            for result in op.results:
                yield from self._of_value(result, function)

    def _of_value(self, value: Value, function: Operation) -> Iterator[Tensor]:
        if self._symbols is None:
            self._symbols = Names(self._module.op).values
        symbol = self._symbols.get(value, "")
        yield from self._row(value, symbol, symbol, function)

    def _row(self, slot: ShardingSlot, name: str, symbol: str, function: Operation) -> Iterator[Tensor]:
        """The row of ``slot``; none if it is no tensor."""
        type, sharding = _type_of(slot), placement.held_sharding(slot)
        if not isinstance(type, TensorType):
            return
        local = shape_on_device(type, sharding, self._meshes)
        location = _location(slot)
        where = self._locations.get(location)
        if where is None:
            where = self._locations[location] = source_location(location, self._module.context)
        yield Tensor(slot, name, symbol, function.symbol_name or "", type, sharding, local, where)


def _type_of(slot: ShardingSlot) -> Type:
    return slot.type if isinstance(slot, Value) else function_type(slot.func).results[slot.number]


def location_of(module: Module, what: Operation | ShardingSlot) -> SourceLocation:
    """The source location of ``what``: an operation, a value, a result of a function.

    Raises:
        TypeError: it is something else.
    """
    return source_location(_location(what), module.context)


def _location(what: Operation | ShardingSlot) -> int | Location | None:
    if isinstance(what, placement.FunctionResult):
        returned = what.func.regions[0].blocks[:1]
        return returned[0].terminator.location if returned else None
    if isinstance(what, BlockArgument | Operation):
        return what.location
    if not isinstance(what, OpResult):
        kind = type(what).__name__
        raise TypeError(f"location_of takes an operation, a value or a row of tensors(), not a {kind}")
    return what.owner.location


def all_tensors(module: Module) -> list[Tensor]:
    """Every tensor of every function: arguments, results of operations, results of functions."""
    table = TensorTable(module)
    found: list[Tensor] = []
    for function in functions(module.op):
        if not function.regions[0].empty:
            found += [*table.arguments(function), *table.inner(function), *table.results(function)]
    return found


def main_arguments(module: Module) -> list[Tensor]:
    """The arguments of the main function (the only one, or ``main``)."""
    return list(TensorTable(module).arguments(main_of(module)))


def main_results(module: Module) -> list[Tensor]:
    """The results of the main function."""
    return list(TensorTable(module).results(main_of(module)))


def find_tensor(module: Module, name: str) -> Tensor:
    """The argument, result or inner value of the main function with this name or symbol: the first one, since separate
    regions may use the same symbols.

    Raises:
        ShardingProblem: there is none; the message names the nearest.
    """
    table, main = TensorTable(module), main_of(module)
    boundary = [*table.arguments(main), *table.results(main)]
    for one in boundary:
        if name in (one.name, one.symbol):
            return one
    inner = next((one for one in table.inner(main) if one.symbol == name), None) if name.startswith("%") else None
    if inner is not None:
        return inner
    known = [text for one in boundary for text in (one.name, one.symbol)]
    raise ShardingProblem(f"the program has no argument or result {name!r}{did_you_mean(name, known)}")


def main_of(module: Module) -> Operation:
    """The main function of ``module``.

    Raises:
        ShardingProblem: it has none with a body.
    """
    main = find_main_function(module.op)
    if main is None or main.regions[0].empty:
        raise ShardingProblem("the program has no main function: none is called main, and there is not just one")
    return main


# --- changing shardings -----------------------------------------------------------------------------------------------


def sharding_now(module: Module, tensor: Tensor | Value | str) -> TensorSharding | None:
    """The sharding that ``tensor`` has in the program now.

    Raises:
        ShardingProblem: there is no such tensor.
    """
    if isinstance(tensor, str):
        tensor = find_tensor(module, tensor)
    return placement.held_sharding(tensor.slot if isinstance(tensor, Tensor) else tensor)


def set_sharding(module: Module, tensor: Tensor | Value | str, spec: Spec, mesh: str | None, even: bool) -> None:
    """Gives ``tensor`` the sharding ``spec`` on the mesh called ``mesh``.

    Raises:
        ShardingProblem: no such tensor or mesh, or ``spec`` does not fit.
    """
    if isinstance(tensor, str):
        tensor = find_tensor(module, tensor)
    slot = tensor.slot if isinstance(tensor, Tensor) else tensor
    name = tensor.name if isinstance(tensor, Tensor) else repr(tensor)
    type = _type_of(slot)
    if not isinstance(type, TensorType):
        raise ShardingProblem(f"{name} is of type {type}: only ranked tensors are sharded")
    mesh_name, found = _mesh(module, mesh, spec)
    is_boundary = not isinstance(slot, OpResult)
    try:
        sharding = tensor_sharding(found, spec, name=mesh_name, shape=type.shape, even=even and is_boundary)
    except ShardingProblem as problem:
        raise ShardingProblem(f"{name}: {problem}") from None
    if isinstance(slot, Value) and placement.shardable_value(slot) is None:
        raise ShardingProblem(f"{name} has no sharding of its own")
    placement.set_held_sharding(slot, sharding)


def _mesh(module: Module, name: str | None, spec: Spec) -> tuple[str, Mesh]:
    meshes = placement.meshes(module.op)
    if name is None and isinstance(spec, TensorSharding) and isinstance(spec.mesh_or_ref, str):
        name = spec.mesh_or_ref
    if name is None and len(meshes) == 1:
        name = next(iter(meshes))
    if name is None:
        what = "no mesh: add one with module.add_mesh" if not meshes else "several meshes: say which one with mesh="
        listed = f" ({', '.join(meshes)})" if meshes else ""
        raise ShardingProblem(f"the program has {what}{listed}")
    if name not in meshes:
        known = f"only {', '.join(meshes)}" if meshes else "none at all"
        raise ShardingProblem(f"the program has no mesh {name!r}, {known}{did_you_mean(name, meshes)}")
    return name, meshes[name]


def check_mesh(mesh: Mesh) -> None:
    """Tests that a program with ``mesh`` can be written and read.

    Raises:
        ShardingProblem: it cannot.
    """
    devices = prod(axis.size for axis in mesh.axes)
    if devices > LARGEST_INTEGER:
        raise ShardingProblem(f"the mesh {mesh.body_text} has more than {LARGEST_INTEGER} devices")


def add_mesh(module: Module, mesh: Mesh, name: str) -> None:
    """Defines ``mesh`` in ``module`` under ``name``.

    Raises:
        ShardingProblem: the name is taken or empty, or the mesh has more devices than a program can be written with.
    """
    check_mesh(mesh)
    if not name:
        raise ShardingProblem("the name of a mesh is empty: give it one, as mesh")
    if any(op.symbol_name == name for op in module.op.body):
        raise ShardingProblem(f"the program has a symbol {name!r} already: give the mesh another name")
    properties = DictionaryAttr({"sym_name": StringAttr(name), "mesh": mesh})
    rewriting.prepend(module.op.body, rewriting.create("sdy.mesh", properties=properties))
