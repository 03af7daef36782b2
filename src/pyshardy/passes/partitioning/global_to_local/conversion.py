"""From global types to those of one device: the walk, and what a rule sees of the operation that it rewrites.

Every operation is rewritten once, in the order of the text, from operands that are local already. The types of values
change in place; what they were, and how the values are sharded, is noted before (``Conversion``). A rule is a function
registered for the name of an operation; it gets a ``Site`` and rewrites the operation or says what is wrong. Without a
rule an operation keeps all but its types. Manual computations are taken apart in the end. The pass stands right of
this file, the families of rules beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from pyshardy.dialects.func import function_type, is_declaration
from pyshardy.dialects.sdy.placement import (
    function_argument_sharding,
    function_result_sharding,
    meshes,
    resolve_mesh,
    sharding_of,
)
from pyshardy.dialects.stablehlo.attributes import ChannelHandle
from pyshardy.emitting.layout import Axes, Dims
from pyshardy.ir import rewriting
from pyshardy.ir.attributes import EMPTY_DICTIONARY, Attribute
from pyshardy.ir.context import Context
from pyshardy.ir.operation import Operation, Value
from pyshardy.ir.operation_diagnostics import emit_at
from pyshardy.ir.passes import PassFailure
from pyshardy.ir.types import FunctionType, TensorType, Type
from pyshardy.passes.partitioning.global_to_local.emitter import Emitter
from pyshardy.passes.partitioning.legalization import NotConvertible, report
from pyshardy.sharding.axes import AxisRef, append_or_merge, axes_text, shard_count
from pyshardy.sharding.mesh import Mesh
from pyshardy.sharding.tensor import TensorSharding


@dataclass(frozen=True)
class Choices:
    """What the user may choose: one all-gather for each dimension; one reduce-scatter for several dimensions; replica
    groups as axes of the mesh, spelled as by the newer reference (``new_spelling``); whether devices are replicas."""

    per_dim_all_gather: bool = False
    combine_reduce_scatter: bool = False
    axes_as_groups: bool = False
    new_spelling: bool = False
    devices_are_replicas: bool = False


Rule = Callable[["Site"], None]
_RULES: dict[str, Rule] = {}
_DIALECT_RULES: dict[str, Rule] = {}

WHOLE = "whole"
"""In ``Conversion.partial``: no terms, each device has computed the whole already."""

_ILLEGAL = frozenset(
    f"sdy.{name}" for name in ("sharding_constraint", "propagation_barrier", "data_flow_edge", "sharding_group")
)
_DIALECTS = ("stablehlo", "func", "sdy", "chlo", "check", "interpreter")
"""The dialects whose operations the pass knows how to treat; operations that nobody has registered are kept, and those
that run the program's functions on devices and check what comes of it."""


def converts(*names: str) -> Callable[[Rule], Rule]:
    """Registers a rule for the operations called ``names``."""

    def register(rule: Rule) -> Rule:
        for name in names:
            _RULES[name] = rule
        return rule

    return register


def converts_dialect(name: str) -> Callable[[Rule], Rule]:
    """Registers the rule of all operations of a dialect that have no rule of their own."""

    def register(rule: Rule) -> Rule:
        _DIALECT_RULES[name] = rule
        return rule

    return register


def local_type(type: Type, sharding: TensorSharding | None, mesh: Mesh | None) -> Type:
    """The type that a value of ``type`` has on one device.

    Raises:
        NotConvertible: a dimension does not divide by the number of its shards.
    """
    if sharding is None or mesh is None or not isinstance(type, TensorType):
        return type
    shape = list(type.shape)
    for dim, (size, axes) in enumerate(zip(type.shape, sharding.dims, strict=False)):
        count = axes.sharded_size(mesh) if axes.axes else 1
        if size >= 0 and size % count:
            raise NotConvertible("Failed to compute local type due to non-divisible sharding")
        shape[dim] = size // count if size >= 0 else size
    return type.with_shape(shape)


class Site:
    """One operation that is being rewritten. ``emit`` inserts before it."""

    __slots__ = ("conversion", "emit", "op")

    def __init__(self, conversion: Conversion, op: Operation) -> None:
        self.conversion = conversion
        self.op = op
        self.emit = conversion.emitter
        self.emit.at(op)

    @property
    def choices(self) -> Choices:
        return self.conversion.choices

    def sharding(self, value: Value) -> TensorSharding | None:
        """The sharding that ``value`` has in the global program."""
        return self.conversion.shardings.get(value)

    def mesh(self, value: Value) -> Mesh | None:
        """The mesh on which ``value`` is sharded."""
        return self.conversion.mesh_of(self.sharding(value))

    def global_type(self, value: Value) -> TensorType:
        """The type that ``value`` has in the global program."""
        found = self.conversion.global_types[value]
        assert isinstance(found, TensorType)
        return found

    def local_result(self, index: int = 0) -> TensorType:
        """The type that result ``index`` has on one device."""
        found = self.conversion.local_type_of(self.op.results[index])
        assert isinstance(found, TensorType)
        return found

    def axes(self, value: Value) -> Dims:
        """The axes of each dimension of ``value``."""
        sharding = self.sharding(value)
        if sharding is None or not sharding.dims:
            type = self.conversion.global_types[value]
            return ((),) * (type.rank if isinstance(type, TensorType) else 0)
        return tuple(dim.axes for dim in sharding.dims)

    def counts(self, value: Value) -> tuple[int, ...]:
        """The number of shards of each dimension of ``value``."""
        mesh = self.mesh(value)
        return tuple(shard_count(axes, mesh) for axes in self.axes(value))

    def is_replicated(self, value: Value) -> bool:
        """Whether no dimension of ``value`` has an axis."""
        return not any(self.axes(value))

    def replace(self, *values: Value) -> None:
        """Puts ``values`` in the place of the results, and erases the operation."""
        for old, new in zip(self.op.results, values, strict=True):
            self.conversion.inherit(old, new)
        rewriting.replace_op(self.op, values)

    def rebuild(
        self, operands: Sequence[Value], properties: Mapping[str, Attribute], *, keep_attributes: bool = True
    ) -> Operation:
        """The operation with other operands and properties and local results; its regions move to the new one. The
        old one is still to be replaced."""
        op = self.op
        types = [self.conversion.local_type_of(result) for result in op.results]
        entries = {**op.properties.entries, **properties}
        attributes = op.attributes if keep_attributes else EMPTY_DICTIONARY
        regions = op.regions
        op.regions = ()
        return self.emit.create(op.name, operands, types, entries, attributes, regions)

    def warn(self, message: str) -> None:
        """Warns at the operation."""
        emit_at(self.conversion.context, "warning", self.op, message)


class Conversion:
    """The conversion of one module."""

    def __init__(self, module: Operation, choices: Choices, context: Context) -> None:
        self.module = module
        self.choices = choices
        self.context = context
        self.meshes = meshes(module)
        self.shardings: dict[Value, TensorSharding] = {}
        self.global_types: dict[Value, Type] = {}
        self.partial: dict[Value, str] = {}
        """Value of which each device has a term → how the terms are combined."""
        self._operations = module.operations()
        for op in self._operations:
            self._note(op)
        self.emitter = Emitter(next_channel(self._operations), by_replica=choices.devices_are_replicas)

    def run(self) -> None:
        """Converts the module.

        Raises:
            PassFailure: an operation cannot be converted; errors have been emitted.
        """
        computations = []
        for op in self._operations:
            if op.name in ("builtin.module", "sdy.mesh"):
                continue
            self._convert(op)
            if op.name == "sdy.manual_computation":
                computations.append(op)
        for op in reversed(computations):
            self._check(op, _inline)

    # --- what is known of values ------------------------------------------------------------------------------------

    def _note(self, op: Operation) -> None:
        values = [
            *op.results,
            *(value for region in op.regions for block in region.blocks for value in block.arguments),
        ]
        for value in values:
            self.global_types[value] = value.type
            sharding = sharding_of(value)
            if sharding is not None:
                self.shardings[value] = sharding

    def inherit(self, old: Value, new: Value) -> None:
        """``new`` stands for ``old`` from now on."""
        self.global_types[new] = self.global_types[old]
        if old in self.partial:
            self.partial[new] = self.partial[old]
        sharding = self.shardings.get(old)
        if sharding is None:
            self.shardings.pop(new, None)
        else:
            self.shardings[new] = sharding

    def mesh_of(self, sharding: TensorSharding | None) -> Mesh | None:
        """The mesh of ``sharding``, None if there is none."""
        return resolve_mesh(sharding, self.meshes) if sharding is not None else None

    def localized(self, type: Type, sharding: TensorSharding | None) -> Type:
        """The type that a value of ``type`` with ``sharding`` has on one device."""
        return local_type(type, sharding, self.mesh_of(sharding))

    def local_type_of(self, value: Value) -> Type:
        """The type that ``value`` has on one device."""
        return self.localized(self.global_types[value], self.shardings.get(value))

    # --- operations -------------------------------------------------------------------------------------------------

    def _convert(self, op: Operation) -> None:
        self._check(op, _RULES.get(op.name) or _DIALECT_RULES.get(op.name.partition(".")[0], keep))

    def _check(self, op: Operation, rule: Rule) -> None:
        try:
            dialect = op.name.partition(".")[0]
            if op.name in _ILLEGAL or (op.definition is not None and dialect not in _DIALECTS):
                raise NotConvertible
            rule(Site(self, op))
        except NotConvertible as error:
            self._restore_types(op)
            report(self.context, op, error)
            raise PassFailure from None

    def _restore_types(self, op: Operation) -> None:
        """Gives back their global types to the values that an error message shows."""
        for value in (*op.operands, *op.results):
            value.type = self.global_types.get(value, value.type)


def next_channel(operations: Sequence[Operation]) -> int:
    """The first channel that none of ``operations`` has, nor any before it."""
    handles = [op.get("channel_handle") for op in operations]
    return 1 + max([0, *(one.handle for one in handles if isinstance(one, ChannelHandle))])


def keep(site: Site) -> None:
    """The rule of everything else: results become local, the rest stays."""
    op = site.op
    for result in op.results:
        rewriting.set_type(result, site.conversion.local_type_of(result))
    op.checked = op.signature = None


# --- silent mismatches ------------------------------------------------------------------------------------------------


def canonical(axes: Axes, mesh: Mesh) -> list[AxisRef]:
    """``axes`` without those of size 1, neighbouring sub-axes merged."""
    merged: list[AxisRef] = []
    for axis in axes:
        if axis.size(mesh) > 1:
            append_or_merge(merged, axis, mesh)
    return merged


def mixed_up(site: Site, a: Value, a_name: str, other_sharding: TensorSharding | None, other_name: str) -> str | None:
    """What is wrong if ``a`` and something of the same local shape hold different parts of a dimension."""
    mesh, other_mesh = site.mesh(a), site.conversion.mesh_of(other_sharding)
    if mesh is None or other_mesh is None or other_sharding is None:
        return None
    b_name, b_axes = other_name, [dim.axes for dim in other_sharding.dims]
    for dim, (mine, other) in enumerate(zip(site.axes(a), b_axes, strict=False)):
        if shard_count(mine, mesh) != shard_count(other, other_mesh) or shard_count(mine, mesh) == 1:
            continue
        if mesh is not other_mesh:
            return f"{a_name} and {b_name} are sharded on different meshes; reshard one of them"
        if canonical(mine, mesh) != canonical(other, mesh):
            return (
                f"dimension {dim} of {a_name} is sharded along {axes_text(mine)} and that of {b_name} along "
                f"{axes_text(other)}: the devices hold different parts of it; reshard one of them"
            )
    return None


# --- functions and computations ---------------------------------------------------------------------------------------


@converts("func.func")
def _function(site: Site) -> None:
    func, conversion = site.op, site.conversion
    signature = function_type(func)
    inputs = [
        conversion.localized(type, function_argument_sharding(func, index))
        for index, type in enumerate(signature.inputs)
    ]
    results = [
        conversion.localized(type, function_result_sharding(func, index))
        for index, type in enumerate(signature.results)
    ]
    func.properties = func.properties.with_("function_type", FunctionType(inputs, results))
    if not is_declaration(func):
        for argument, type in zip(func.body.arguments, inputs, strict=True):
            rewriting.set_type(argument, type)
    func.checked = func.signature = None


@converts("func.return")
def _return(site: Site) -> None:
    func = site.op.parent_op
    assert func is not None
    for index, value in enumerate(site.op.operands):
        wanted = function_result_sharding(func, index)
        message = mixed_up(site, value, f"operand {index}", wanted, f"result {index} of the function")
        if message is not None:
            raise NotConvertible(message)
    keep(site)


@converts("func.call")
def _call(site: Site) -> None:
    """Results have the shardings that the call gives them, else those of the function's results. Attributes go."""
    from pyshardy.dialects.func import callee

    op, conversion = site.op, site.conversion
    name = callee(op)
    func = next((one for one in conversion.module.body if one.name == "func.func" and one.symbol_name == name), None)
    if func is not None and site.op.results and not any(result in conversion.shardings for result in op.results):
        for index, result in enumerate(op.results):
            sharding = function_result_sharding(func, index)
            if sharding is not None:
                conversion.shardings[result] = sharding
    op.attributes = EMPTY_DICTIONARY
    keep(site)


@converts("stablehlo.while")
def _while(site: Site) -> None:
    keep(site)
    for region in site.op.regions:
        _localize_arguments(site, region.blocks[0].arguments)


@converts("sdy.named_computation", "sdy.manual_computation")
def _computation(site: Site) -> None:
    keep(site)
    _localize_arguments(site, site.op.body.arguments)


def _localize_arguments(site: Site, arguments: Sequence[Value]) -> None:
    for argument in arguments:
        rewriting.set_type(argument, site.conversion.local_type_of(argument))


def _inline(site: Site) -> None:
    """A manual computation gives way to its body, which is local already."""
    op = site.op
    body = op.body
    returned = body.terminator
    for name, inside, outside in (
        ("in_shardings", body.arguments, op.operands),
        ("out_shardings", op.results, returned.operands),
    ):
        for index, (a, b) in enumerate(zip(inside, outside, strict=True)):
            if a.type is not b.type:
                raise NotConvertible(
                    f"entry {index} of {name} gives each device {a.type}, but the value there is {b.type}; "
                    "insert a reshard"
                )
    for argument, operand in zip(body.arguments, op.operands, strict=True):
        rewriting.replace_all_uses(argument, operand)
    values = list(returned.operands)
    rewriting.erase(returned)
    for one in body:
        rewriting.move_before(one, op)
    rewriting.replace_op(op, values)
