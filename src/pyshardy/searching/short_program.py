"""The short program: a copy with few of the layers, on which strategies are evaluated, and how often each operation of
it counts.

``folding`` finds layers that are alike and makes a legal copy with few of them. Costs add up over layers, so a layer
that is kept counts as often as there are layers like it. That is exact if all layers are treated alike, which is not
certified here: the costs only rank strategies, and the best of them are evaluated on the whole program.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from pyshardy.dialects.func import arguments_attributes, function_type, with_entry_attributes
from pyshardy.folding.detecting.layers import Layers
from pyshardy.folding.fold import fold
from pyshardy.folding.folded import Folded
from pyshardy.folding.program import layers_of
from pyshardy.ir import rewriting, shortcuts
from pyshardy.ir.operation import BlockArgument, Operation, OpResult, Value
from pyshardy.ir.source_location import source_location
from pyshardy.ir.types import FunctionType, Type
from pyshardy.module import Module
from pyshardy.partitioning.account.donated import donated_arguments
from pyshardy.partitioning.account.work import CONTRACTIONS
from pyshardy.reading.tensors import main_of

_FEWEST_LEFT_OUT = 2
_KEPT = ((1, 0), (0, 1), (1, 1), (2, 1), (1, 2), (2, 2))
"""The numbers of layers that may be kept before and after those that are left out, the fewest first."""

Group = Hashable
"""The key of a group: operations that are counterparts of each other in layers that are alike."""


@dataclass(frozen=True)
class ShortProgram:
    """A copy of a program with few of its layers. Arguments and results go by their numbers in the program."""

    source: Module
    """The program."""
    module: Module
    """The copy. Its operation number ``n``, in the order of a walk, has the location ``-1 - n``."""
    times: tuple[int, ...]
    """For each operation of the copy, how many operations of the program it stands for."""
    groups: tuple[Group, ...]
    """For each operation of the copy, the group that it and those operations belong to."""
    arguments: tuple[int, ...]
    """The arguments of the program that the copy has."""
    results: tuple[int, ...]
    """The results of the program that the copy has."""
    left_out_arguments: Mapping[int, Type]
    """The types of the arguments that the copy lacks."""
    left_out_results: Mapping[int, Type]
    """The types of the results that the copy lacks."""
    donated: frozenset[int]
    """The donated arguments of the program."""
    layers: Layers | None
    """The layers of the program; None if all of them are in the copy."""
    argument_times: tuple[int, ...]
    """For each argument of the copy, how many arguments of the program it stands for."""
    kept_arguments: Mapping[int, int] = field(default_factory=dict)
    """For arguments that the copy lacks the counterpart that it has, where there is one."""

    def number(self, location: object) -> int | None:
        """The number of the operation of the copy that an operation with this ``location`` was made from; None if there
        is none."""
        return -1 - location if isinstance(location, int) and -len(self.times) <= location < 0 else None

    def counts(self, function: Operation) -> dict[Operation, int]:
        """How often each operation of ``function``, made from the main function, counts. An operation that converts
        results before the return counts as often as the operation that makes its operand."""
        found: dict[Operation, int] = {}
        arguments = function.body.arguments
        known: dict[Value, int] = {}
        if len(arguments) == len(self.argument_times):
            known.update(zip(arguments, self.argument_times, strict=True))
        names, every, least = self.names, self.times, -len(self.times)
        for op in function.body:
            location = op.location
            if isinstance(location, int) and least <= location < 0 and names[-1 - location] != "func.return":
                found[op] = every[-1 - location]
            elif op.operands:
                value = op.operands[0]
                found[op] = found.get(value.owner, 1) if isinstance(value, OpResult) else known.get(value, 1)
            else:
                found[op] = 1
        return found

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the operations of the copy, by number."""
        return tuple(op.name for op in self.module.op.operations())

    @cached_property
    def products(self) -> tuple[tuple[int, Operation], ...]:
        """The matrix products and convolutions of the copy, with their numbers."""
        operations = enumerate(self.module.op.operations())
        return tuple((number, op) for number, op in operations if op.name in CONTRACTIONS)

    @cached_property
    def members(self) -> Mapping[Group, tuple[int, ...]]:
        """The numbers of the operations of each group in the copy."""
        found: dict[Group, list[int]] = {}
        for number, group in enumerate(self.groups):
            found.setdefault(group, []).append(number)
        return {group: tuple(numbers) for group, numbers in found.items()}

    @cached_property
    def source_members(self) -> Mapping[Group, tuple[Operation, ...]]:
        """The operations of each group in the program."""
        found: dict[Group, list[Operation]] = {}
        for op, group in _groups_of_source(self.source, self.layers):
            found.setdefault(group, []).append(op)
        return {group: tuple(operations) for group, operations in found.items()}


def short_program(source: Module) -> ShortProgram:
    """``source`` with few of its layers, or with all of them if they do not repeat."""
    try:
        found = _folded(source)
        if found is not None:
            return _short(source, found)
    except Exception as error:
        shortcuts.raise_if_strict(error)
    return whole_program(source)


def _folded(source: Module) -> Folded | None:
    layers = layers_of(source.op)
    if layers is None or layers.function is not main_of(source):
        return None
    for below, above in _KEPT:
        first, end = layers.first + below, layers.end - above
        if end - first < _FEWEST_LEFT_OUT:
            return None
        found = fold(source.op, layers, first, end)
        if found is not None:
            return found
    return None


def whole_program(source: Module) -> ShortProgram:
    """``source`` with all of its layers."""
    copy = source.with_op(rewriting.clone(source.op), source.context.fork())
    main = main_of(copy)
    type = function_type(main)
    numbers = range(len(copy.op.operations()))
    _locate(copy)
    donated = frozenset(_donated(main))
    arguments, results = tuple(range(len(type.inputs))), tuple(range(len(type.results)))
    groups = tuple(group for _, group in _groups_of_source(source, None))
    once = (1,) * len(numbers)
    return ShortProgram(source, copy, once, groups, arguments, results, {}, {}, donated, None, (1,) * len(arguments))


def _short(source: Module, folded: Folded) -> ShortProgram:
    copy = source.with_op(folded.module, source.context.fork())
    layers, main = folded.layers, folded.function
    groups_of_source = dict(_groups_of_source(source, layers))
    times: list[int] = []
    groups: list[Group] = []
    for place, op in enumerate(copy.op.operations()):
        number = folded.number_of_origin(op.location)
        times.append(folded.times(None if number is None else layers.layer(number)))
        origin = folded.source(op.location)
        groups.append(place if origin is None else groups_of_source[origin])
    type, donated = function_type(layers.function), frozenset(_donated(main))
    gone = {
        argument.index: argument.type
        for argument in main.body.arguments
        if not argument._uses and folded.layers_of_arguments[argument.index] is not None
    }
    _erase_arguments(main, gone)
    _locate(copy)
    returned = set(folded.returned)
    return ShortProgram(
        source,
        copy,
        tuple(times),
        tuple(groups),
        tuple(index for index in range(len(type.inputs)) if index not in gone),
        tuple(folded.returned),
        gone,
        {index: one for index, one in enumerate(type.results) if index not in returned},
        donated,
        layers,
        tuple(
            folded.times(folded.layers_of_arguments[index]) for index in range(len(type.inputs)) if index not in gone
        ),
        dict(_kept_arguments(folded, gone)),
    )


def _kept_arguments(folded: Folded, gone: Mapping[int, Type]) -> Iterable[tuple[int, int]]:
    """The arguments that are left out, each with its counterpart in the layer that is kept."""
    layers = folded.layers
    arguments = layers.function.body.arguments
    for index in gone:
        layer = folded.layers_of_arguments[index]
        like = None if layer is None else layers.counterpart_of_value(arguments[index], folded.representative - layer)
        if isinstance(like, BlockArgument) and like.index not in gone and like.type == arguments[index].type:
            yield index, like.index


def _groups_of_source(source: Module, layers: Layers | None) -> Iterable[tuple[Operation, Group]]:
    """Each operation of the program with its group."""
    if layers is None:
        # Layers that are too few for ``folding`` to find have equal source lines.
        for number, op in enumerate(source.op.operations()):
            where = source_location(op.location, source.context)
            types = tuple(value.type for value in (*op.operands, *op.results))
            key = op.name, where.file, where.line, where.column, where.scope, tuple(map(str, types))
            yield op, key if where.line and not op.regions else number
        return
    own = layers.layer_functions
    for number, op in enumerate(layers.operations):
        which = layers.series_at[number]
        one = layers.series[which] if which >= 0 else None
        place = number if one is None else (number - one.begin) % one.period
        for inner, nested in enumerate(op.operations() if op.regions else (op,)):
            yield nested, (which, place, inner)
    for function in source.op.body:
        if function is not layers.function:
            name = function.symbol_name or ""
            family = own.family(name) or name
            for inner, nested in enumerate(function.operations()):
                yield nested, (family, inner)
    yield layers.function, "main"
    yield source.op, "module"


def _locate(copy: Module) -> None:
    for number, op in enumerate(copy.op.operations()):
        op.location = -1 - number


def _donated(main: Operation) -> list[int]:
    return [value.index for value in donated_arguments(main) if isinstance(value, BlockArgument)]


def _erase_arguments(main: Operation, gone: Mapping[int, Type]) -> None:
    """Erases the arguments of layers that are left out, which have no uses, from the function."""
    if not gone:
        return
    type = function_type(main)
    kept = [index for index in range(len(type.inputs)) if index not in gone]
    attributes = [arguments_attributes(main, index) for index in kept]
    for index in sorted(gone, reverse=True):
        rewriting.erase_block_argument(main.body, index)
    left = FunctionType([type.inputs[index] for index in kept], type.results)
    properties = main.properties.with_("function_type", left)
    rewriting.set_properties(main, with_entry_attributes(properties, "arg_attrs", attributes))
