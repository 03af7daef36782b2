"""The pass ``sdy-per-instruction-partitioning``: partitions selected operations one by one, each into a manual
computation.

The rest of the program stays global, so that a wrong result can be traced to one operation by bisection (``filter``).
Each operation goes through the passes of the partitioner alone, in a module of its own. An option of the export
pipeline runs this pass.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from pyshardy.dialects.func import set_argument_attributes, set_result_attributes
from pyshardy.dialects.sdy.dataflow import SHARDING
from pyshardy.dialects.sdy.names import COLLECTIVES
from pyshardy.dialects.sdy.placement import common_mesh_ref, meshes, set_sharding, sharding_of
from pyshardy.emitting.builder import tensor_type
from pyshardy.ir import rewriting
from pyshardy.ir.attributes import DictionaryAttr, StringAttr
from pyshardy.ir.captured_values import captured_values
from pyshardy.ir.context import Context
from pyshardy.ir.diagnostics import PyshardyError
from pyshardy.ir.opdef import TERMINATOR
from pyshardy.ir.operation import Block, Operation, Region, Value
from pyshardy.ir.passes import Pass, PassFailure, option, register_pass
from pyshardy.ir.pipeline_run import run_pipeline
from pyshardy.ir.pipeline_text import parse_pipeline
from pyshardy.ir.types import FunctionType, TensorType
from pyshardy.ir.verifying.operation_diagnostics import emit_at
from pyshardy.passes.call_graph import SymbolTable
from pyshardy.passes.partitioning.emitter import Emitter
from pyshardy.passes.partitioning.options import DeviceOptions, HaloOptions
from pyshardy.passes.partitioning.partitioner_pipeline import EXPLICIT_RESHARDS
from pyshardy.passes.partitioning.shard_sizes import padded_type
from pyshardy.rules.properties import string
from pyshardy.sharding.lists import ManualAxes
from pyshardy.sharding.mesh import Mesh
from pyshardy.sharding.tensor import DimSharding, TensorSharding, TensorShardingPerValue, fully_closed

_NOT_CANDIDATES = COLLECTIVES | {
    "func.call",
    "sdy.data_flow_edge",
    "sdy.manual_computation",
    "sdy.mesh",
    "sdy.propagation_barrier",
    "sdy.return",
    "sdy.sharding_constraint",
    "sdy.sharding_group",
}
_MARKERS = ("Sharding", "mhlo.sharding")


@dataclass
class Selection:
    """Which of the numbered operations are selected: numbers from ``low`` to ``high``, and names that contain one of
    ``names``."""

    low: int | None = None
    high: int | None = None
    names: list[str] = field(default_factory=list)

    @classmethod
    def of(cls, text: str) -> Selection:
        """Reads ``selectLow=N``, ``selectHigh=N`` and parts of names, separated by commas; a bound that is no number is
        ignored."""
        text = text.strip()
        if len(text) > 1 and text[0] == text[-1] and text[0] in "\"'":
            text = text[1:-1]
        found = cls()
        for part in filter(None, map(str.strip, text.split(","))):
            key, equals, number = part.partition("=")
            if equals and key in ("selectLow", "selectHigh"):
                if number.strip().isdecimal():
                    setattr(found, "low" if key == "selectLow" else "high", int(number))
            else:
                found.names.append(part)
        return found

    def holds(self, number: int, op: Operation) -> bool:
        """Whether operation ``number`` is selected."""
        if (self.low is not None and number < self.low) or (self.high is not None and number > self.high):
            return False
        return not self.names or any(name in op.name for name in self.names)


@register_pass("sdy-per-instruction-partitioning", on="builtin.module")
class PerInstructionPartitioning(DeviceOptions, HaloOptions, Pass):
    """Partitions chosen operations one by one, each in a manual computation."""

    filter: str = option("", "which: selectLow=N, selectHigh=N, parts of names, separated by commas; all if empty")

    def apply(self, op: Operation, context: Context) -> None:
        self.devices_are_replicas(op, context, "per_instruction_partitioning")
        selection = Selection.of(self.filter)
        chosen = [one for number, one in enumerate(_candidates(op)) if selection.holds(number, one)]
        for one in chosen:
            _Outlined(one, op, context).partition(self._passes())

    def _passes(self) -> str:
        halo = "true" if self.enable_halo_exchange else "false"
        return ",".join(
            (
                # Explicit reshards come first, because they would undo reshards between meshes.
                f"func.func({EXPLICIT_RESHARDS})",
                f"sdy-resolve-permutation-factors{{enable-halo-exchange={halo} compat=r2 {self.devices_text}}}",
                "func.func(sdy-reshard-to-collectives)",
                "func.func(sdy-pad-for-divisibility)",
                f"sdy-convert-global-to-local{{{self.devices_text}}}",
                "sdy-drop-sharding-and-mesh",
            )
        )


def _candidates(module: Operation) -> Iterator[Operation]:
    for func in module.body:
        if func.name == "func.func":
            for block in func.regions[0].blocks:
                yield from [op for op in block if _is_candidate(op)]


def _is_candidate(op: Operation) -> bool:
    if op.traits & TERMINATOR or op.name in _NOT_CANDIDATES:
        return False
    if op.name == "stablehlo.custom_call" and string(op, "call_target_name") in _MARKERS:
        return False
    values = (*op.operands, *op.results)
    if not all(isinstance(value.type, TensorType) and -1 not in value.type.shape for value in values):
        return False
    shardings = [sharding_of(value) for value in values]
    return any(one is not None and not one.is_fully_replicated for one in shardings)


class _Outlined:
    """One operation that is outlined into a module of its own, partitioned there, and put back as a manual
    computation."""

    def __init__(self, op: Operation, module: Operation, context: Context) -> None:
        self.op = op
        self.module = module
        self.context = context
        self.meshes = meshes(module)
        self.inputs = [*op.operands, *[value for value in captured_values(op) if isinstance(value.type, TensorType)]]
        self.mesh_name, self.mesh = self._common_mesh()
        self.inside = [self._sharding(value) for value in self.inputs]
        self.outside = [self._sharding(value) for value in op.results]

    def partition(self, passes: str) -> None:
        """Replaces the operation by a manual computation.

        Raises:
            PassFailure: the operation cannot be partitioned; errors have been emitted.
        """
        outlined, func = self._outline()
        try:
            run_pipeline(parse_pipeline(f"builtin.module({passes})"), outlined, self.context)
        except PyshardyError:
            raise PassFailure from None
        self._replace(func)

    def _common_mesh(self) -> tuple[str, Mesh]:
        found = common_mesh_ref([sharding_of(value) for value in (*self.inputs, *self.op.results)], self.meshes)
        mesh = self.meshes.get(found) if isinstance(found, str) else found
        if found is None or mesh is None or mesh.is_maximal:
            emit_at(self.context, "error", self.op, "operands and results have no mesh in common")
            raise PassFailure
        if isinstance(found, str):
            return found, mesh
        for name, known in self.meshes.items():
            if known is mesh:
                return name, mesh
        properties = DictionaryAttr({"sym_name": StringAttr("mesh"), "mesh": mesh})
        made = rewriting.create("sdy.mesh", properties=properties, location=self.module.location)
        rewriting.prepend(self.module.body, made)
        return SymbolTable(self.module).insert(made), mesh

    def _sharding(self, value: Value) -> TensorSharding:
        """The sharding of ``value``, closed, on the common mesh."""
        found = sharding_of(value)
        if found is None:
            return fully_closed(tensor_type(value).rank, self.mesh_name)
        return TensorSharding(self.mesh_name, [DimSharding(dim.axes) for dim in found.dims])

    def _padded(self, value: Value, sharding: TensorSharding) -> TensorType:
        found = padded_type(value.type, sharding, self.mesh)
        assert isinstance(found, TensorType)
        return found

    # --- outlining --------------------------------------------------------------------------------------------------

    def _outline(self) -> tuple[Operation, Operation]:
        """A module with a function that slices off padding, runs the operation, and pads the results."""
        op = self.op
        inputs = [self._padded(*pair) for pair in zip(self.inputs, self.inside, strict=True)]
        results = [self._padded(*pair) for pair in zip(op.results, self.outside, strict=True)]
        body = Block()
        for type in inputs:
            body.add_argument(type, op.location)
        signature = FunctionType(inputs, results)
        names = {"sym_name": "outlined_op", "sym_visibility": "private"}
        properties = {name: StringAttr(text) for name, text in names.items()} | {"function_type": signature}
        func = rewriting.create(
            "func.func", properties=DictionaryAttr(properties), regions=(Region([body]),), location=op.location
        )
        returned = rewriting.create("func.return", location=op.location)
        rewriting.append(body, returned)
        module = rewriting.create("builtin.module", regions=(Region([Block()]),), location=op.location)
        for one in self.module.body:
            if one.name == "sdy.mesh":
                rewriting.append(module.body, rewriting.clone(one))
        rewriting.append(module.body, func)
        set_argument_attributes(func, SHARDING, dict(enumerate(self.inside)))
        set_result_attributes(func, SHARDING, dict(enumerate(self.outside)))
        emit = Emitter(1)
        emit.at(returned)
        emit.location = op.location
        values = [
            _resized(emit, argument, tensor_type(value), sharding)
            for argument, value, sharding in zip(body.arguments, self.inputs, self.inside, strict=True)
        ]
        copy = rewriting.clone(op, dict(zip(self.inputs, values, strict=True)))
        for index, value in enumerate(values[: len(op.operands)]):
            rewriting.set_operand(copy, index, value)
        rewriting.insert_before(returned, copy)
        for result, sharding in zip(copy.results, self.outside, strict=True):
            set_sharding(result, sharding)
        parts = zip(copy.results, results, self.outside, strict=True)
        rewriting.set_operands(returned, [_resized(emit, *part) for part in parts])
        return module, func

    # --- putting back -----------------------------------------------------------------------------------------------

    def _replace(self, func: Operation) -> None:
        op = self.op
        region = Region()
        rewriting.take_region(region, func.regions[0])
        body = region.blocks[0]
        returned = body.terminator
        rewriting.append(body, rewriting.create("sdy.return", returned.operands, location=op.location))
        rewriting.erase(returned)
        emit = Emitter(1)
        emit.at(op)
        inputs = [
            _resized(emit, value, self._padded(value, sharding), sharding)
            for value, sharding in zip(self.inputs, self.inside, strict=True)
        ]
        used = [axis.name for sharding in (*self.inside, *self.outside) for axis in sharding.axes()]
        properties = DictionaryAttr(
            {
                "in_shardings": TensorShardingPerValue(self.inside),
                "manual_axes": ManualAxes(dict.fromkeys(used)),
                "out_shardings": TensorShardingPerValue(self.outside),
            }
        )
        types = [self._padded(*pair) for pair in zip(op.results, self.outside, strict=True)]
        manual = emit.create("sdy.manual_computation", inputs, types, properties, regions=(region,))
        cut = zip(manual.results, op.results, self.outside, strict=True)
        rewriting.replace_op(op, [_resized(emit, new, tensor_type(old), sharding) for new, old, sharding in cut])


def _resized(emit: Emitter, value: Value, type: TensorType, sharding: TensorSharding) -> Value:
    """``value`` padded with zeros, or sliced, at the end of each dimension to ``type``; with ``sharding``."""
    old = tensor_type(value)
    if old.shape == type.shape:
        return value
    if all(new <= size for new, size in zip(type.shape, old.shape, strict=True)):
        return emit.with_sharding(sharding).cut(value, type.shape)
    return emit.with_sharding(sharding).padded_behind(value, emit.scalar(0, type.element), type.shape)
