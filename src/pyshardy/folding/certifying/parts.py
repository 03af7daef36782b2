"""Certificate: which operations of a result belong to which layer, and how layers are compared.

The result is what a stage has made of a folded program: the propagated program, or the program of one device. Locations
say which layer each of its operations comes from (``folded``).

Two layers of a result are alike if their operations are equal once everything is expressed relative to the layer: an
operand is "result 0 of operation 5, one layer below" (``ValueRef``), a reader "operation 3, two layers above, by
operand 1" (``UseRef``). ``RelativeEncoder`` encodes operations in this way. ``histories`` compares layers during
propagation with it, ``splice`` afterwards.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Sequence
from itertools import groupby
from typing import NamedTuple

from pyshardy.folding.detecting.carried import Carried, CarriedValues
from pyshardy.folding.detecting.series import Home, OperationsByLayer
from pyshardy.folding.folded import Folded, NoCertificate
from pyshardy.ir.attribute import Attribute
from pyshardy.ir.attributes import StringAttr, SymbolRefAttr
from pyshardy.ir.operation import BlockArgument, Operation, OpResult, Use, Value

BOUNDARY = -1
"""Stands for a series where a value is an argument of the function, or where the function returns it."""


class ValueRef(NamedTuple):
    """A value relative to the layer that reads it: result ``result`` of operation number ``operation`` of the layer of
    ``series`` that is ``distance`` layers above. An argument that belongs to a layer is of series ``BOUNDARY``;
    ``operation`` is its family then, and ``result`` 0."""

    series: int
    distance: int
    operation: int
    result: int


Ref = ValueRef | Carried | Value
"""A value that a layer reads. One that the layer before in the text hands on is ``Carried``; one that belongs to no
layer is itself."""


class UseRef(NamedTuple):
    """A reader relative to the layer of the value that it reads: operation number ``operation`` of the layer of
    ``series`` that is ``distance`` layers above, or in regions of this the operation number ``nested`` (0 is the
    operation itself), reads the value as its operand ``operand``. If the function returns the value, the series is
    ``BOUNDARY`` and ``operation`` the family of the result. A reader in the next layer in the text is given as one in
    the layer itself."""

    series: int
    distance: int
    operation: int
    nested: int
    operand: int


NAMING = frozenset({"func.call", "func.func", "sdy.named_computation"})
"""Operations that have the name of a function in their properties or attributes."""


class LayerPosition(NamedTuple):
    """The position of an operation: its series, the folded number of its layer, the number of the ``operation`` of this
    layer that it is or is nested in, and its number in that (0 for the operation of the layer itself)."""

    series: int
    layer: int
    operation: int
    nested: int


def name_in(attribute: Attribute) -> str | None:
    """The name in ``attribute``, if it is a string or a reference to a symbol."""
    if isinstance(attribute, StringAttr):
        return attribute.value
    return attribute.root if isinstance(attribute, SymbolRefAttr) else None


def layer_functions_by_layer(folded: Folded, module: Operation) -> dict[tuple[int, int], list[Operation]]:
    """The functions of ``module`` that belong to layers, in their order, by series and layer. The functions that one
    series calls are like a series of their own: these get the numbers behind those of the series of layers."""
    found: dict[tuple[int, int], list[Operation]] = {}
    numbers: dict[int, int] = {}
    for op in module.body:
        name = op.symbol_name if op.name == "func.func" else None
        site = None if name is None else folded.layer_functions.call_site(name)
        if site is not None:
            series = numbers.setdefault(folded.layers.series_at[site.caller], len(folded.series) + len(numbers))
            found.setdefault(Home(series, site.layer), []).append(op)
    return found


def operations_by_layer(folded: Folded, operations: Sequence[Operation]) -> dict[tuple[int, int], list[Operation]]:
    """Those of ``operations``, which are all of a block, that belong to layers, by series and layer.

    The operations of a layer are the longest range of operations that come from it and read something from outside.
    Constants that the partitioner makes once, for the first layer that needs them, and what it computes from these,
    stand at the start of the function. Operations that come from no layer and stand within a series, as a reshard that
    a pass has inserted, belong to the layer of the next operation of the series. Operations that come from a layer but
    stand apart from its range belong to no layer."""
    ranges: list[_Range] = []
    end = 0
    for home, same in groupby(folded.home(op.location) for op in operations):
        begin, end = end, end + len(list(same))
        if home is None:
            continue
        last = ranges[-1] if ranges else None
        if last is not None and last.home == home:
            last.end = end
        else:
            ranges.append(
                _Range(home, last.end if last is not None and last.home.series == home.series else begin, end)
            )
    found: dict[tuple[int, int], list[Operation]] = {}
    for one in ranges:
        own = list(operations[one.begin : one.end])
        known = found.setdefault(one.home, own)
        if known is not own and (_reads_from_outside(own), len(own)) > (_reads_from_outside(known), len(known)):
            found[one.home] = own
    return found


def _reads_from_outside(operations: Sequence[Operation]) -> bool:
    """Whether some of ``operations`` reads a value that none of them makes."""
    own = set(operations)
    return any(value.defining_op not in own for op in operations for value in op.operands)


class _Range:
    """Operations ``begin`` up to ``end`` that belong to one layer of one series."""

    __slots__ = ("begin", "end", "home")

    def __init__(self, home: Home, begin: int, end: int) -> None:
        self.home = home
        self.begin = begin
        self.end = end


class RelativeEncoder:
    """Encodes the operations of layers relative to their layer. ``parts`` are the operations by layer of what the
    function of ``folded`` has become, and ``carried`` the values that are carried through these. ``ignored`` properties
    do not count: layers may differ in them."""

    def __init__(
        self, folded: Folded, parts: OperationsByLayer, ignored: frozenset[str], carried: CarriedValues
    ) -> None:
        self.folded = folded
        self._block = folded.function.body
        self.parts = parts
        self.shared: Collection[Value] = ()
        """Values that one layer makes and all read; they are treated like values of no layer."""
        self._ignored = ignored
        self._carried = carried
        self.positions: dict[Operation, LayerPosition] = {}
        for (series, layer), operations in parts.items():
            kept = folded.folded_number(layer)
            for number, op in enumerate(operations):
                self.positions[op] = LayerPosition(series, kept, number, 0)
                if op.regions:
                    for inner, nested in enumerate(op.operations()):
                        self.positions[nested] = LayerPosition(series, kept, number, inner)

    def read_by_both(
        self, below: Sequence[Sequence[Operation]], above: Sequence[Sequence[Operation]], layer: int
    ) -> set[Value]:
        """The shared values: those that an operation of ``layer`` and its counterpart in the layer above both read in
        the same place, though a third layer makes them. ``below`` are the operations of ``layer``, ``above`` those of
        the layer above it, by series. An example is a mask that the first layer computes."""
        found: set[Value] = set()
        for one, other in zip(below, above, strict=True):
            for mine, its in zip(one, other, strict=False):
                # Only the same operand counts: elsewhere one layer may read the layer below, the other the one two
                # layers below, which is the same value.
                for value, same in zip(_read_by(mine), _read_by(its), strict=False):
                    position = (
                        self.positions.get(value.owner) if value is same and isinstance(value, OpResult) else None
                    )
                    if position is not None and not layer <= position.layer <= layer + 1:
                        found.add(value)
        return found

    # --- relative to a layer (by its folded number) -------------------------------------------------------------------

    def ref(self, value: Value, layer: int) -> Ref:
        """``value`` relative to ``layer``, which reads it.

        Raises:
            NoCertificate: it is defined in a region, or is an argument of a layer without a family.
        """
        if isinstance(value, OpResult):
            carried = self._carried.refs.get(value)
            if carried is not None:
                return carried
            position = self.positions.get(value.owner)
            if position is None or value in self.shared:
                return value
            if position.nested:
                raise NoCertificate("what a region defines is read from outside of it")
            return ValueRef(position.series, position.layer - layer, position.operation, value.index)
        assert isinstance(value, BlockArgument)
        family = self.folded.family(value.index) if value.owner is self._block else None
        return value if family is None else ValueRef(BOUNDARY, family[1] - layer, family[0], 0)

    def _operand_key(self, ref: Ref, value: Value, layer: int, near: range | None) -> Hashable:
        """What counts of ``ref``, that of ``value`` for ``layer``: if a layer outside of ``near`` makes the value, not
        which of its operations does."""
        if (
            near is not None
            and isinstance(ref, ValueRef)
            and ref.series != BOUNDARY
            and layer + ref.distance not in near
        ):
            return ref.series, ref.distance, value.type, ref.result
        return ref

    def use_ref(self, use: Use, layer: int) -> UseRef:
        """The reader of ``use`` relative to ``layer``, to which the value belongs.

        Raises:
            NoCertificate: the reader belongs to no layer, and is no result with a family either.
        """
        user, index = use
        carried = self._carried.uses.get(use)
        if carried is not None:
            return UseRef(carried.value.series, 0, carried.operation, 0, carried.operand)
        position = self.positions.get(user)
        if position is not None:
            return UseRef(position.series, position.layer - layer, position.operation, position.nested, index)
        family = self.folded.family_returned(use)
        if family is None:
            raise NoCertificate("a value of a layer is read by an operation of no layer")
        return UseRef(BOUNDARY, family[1] - layer, family[0], 0, 0)

    def use_ref_within(self, use: Use, layer: int, near: range) -> Hashable:
        """Like ``use_ref``. Of a reader in a layer outside of ``near`` only the layer and the name count."""
        found = self.use_ref(use, layer)
        if found.series != BOUNDARY and layer + found.distance not in near:
            return found.series, found.distance, use[0].name, found.operand
        return found

    def key(
        self,
        op: Operation,
        layer: int,
        reads: dict[Operation, list[tuple[int, Ref]]] | None = None,
        near: range | None = None,
    ) -> Hashable:
        """``op`` relative to ``layer``, its own: equal for operations that are alike. The operands of ``op``, and those
        of operations in it that are not defined in it, are entered in ``reads`` with their numbers. Of operands that
        layers outside of ``near`` make only the layer and the type count."""
        refs = [self.ref(value, layer) for value in op.operands]
        if reads is not None:
            reads[op] = list(enumerate(refs))
        operands: Sequence[Hashable] = refs
        if near is not None:
            operands = [
                self._operand_key(ref, value, layer, near) for ref, value in zip(refs, op.operands, strict=True)
            ]
        types = tuple([result.type for result in op.results])
        inside = self._inside(op, layer, reads, near) if op.regions else ()
        return op.name, *self.compared(op), types, tuple(operands), inside

    def compared(self, op: Operation) -> tuple[Hashable, Hashable]:
        """The properties and attributes of ``op`` that have to be equal: without ignored ones and those in which free
        operations differ, and with the family in the place of the name of a function that belongs to a layer."""
        properties, attributes = op.properties, op.attributes
        source = self.folded.free_source(op)
        if source is not None:
            return self.folded.layers.free.common(op, source), attributes
        if self._ignored and not self._ignored.isdisjoint(properties.entries):
            properties = properties.without(*self._ignored)
        if op.name in NAMING and self.folded.layer_functions:
            return tuple([(key, self._name(one)) for key, one in properties.entries.items()]), tuple(
                [(key, self._name(one)) for key, one in attributes.entries.items()]
            )
        return properties, attributes

    def _name(self, attribute: Attribute) -> Hashable:
        name = name_in(attribute)
        family = None if name is None else self.folded.layer_functions.family(name)
        return attribute if family is None else ("like", family)

    def _inside(
        self,
        op: Operation,
        layer: int,
        reads: dict[Operation, list[tuple[int, Ref]]] | None,
        near: range | None,
    ) -> Hashable:
        """The regions of ``op`` relative to ``layer``. Values that are defined in them are given by number."""
        numbers: dict[Value, int] = {}
        found: list[Hashable] = []
        for nested in op.operations():
            if nested is not op:
                refs = [numbers[one] if one in numbers else self.ref(one, layer) for one in nested.operands]
                if reads is not None:
                    reads[nested] = [(at, ref) for at, ref in enumerate(refs) if not isinstance(ref, int)]
                types = tuple([result.type for result in nested.results])
                operands = [
                    ref if isinstance(ref, int) else self._operand_key(ref, value, layer, near)
                    for ref, value in zip(refs, nested.operands, strict=True)
                ]
                found.append((nested.name, *self.compared(nested), types, tuple(operands)))
                for result in nested.results:
                    self._enter_inner(result, numbers, found)
            for region in nested.regions:
                for block in region.blocks:
                    found.append(len(block.arguments))
                    for argument in block.arguments:
                        self._enter_inner(argument, numbers, found)
        return tuple(found)

    def _enter_inner(self, value: Value, numbers: dict[Value, int], found: list[Hashable]) -> None:
        numbers[value] = len(numbers)
        found.append((value.type, tuple([(self.positions[user].nested, index) for user, index in value._uses])))

    def farthest_read(self, operations: Iterable[Operation], layer: int) -> int:
        """How many layers away the values are at most that ``operations`` of ``layer`` read, shared values aside."""
        farthest = 0
        for op in operations:
            for nested in op.operations() if op.regions else (op,):
                for value in nested.operands:
                    if value in self.shared or value in self._carried.refs:
                        continue
                    position = self.positions.get(value.owner) if isinstance(value, OpResult) else None
                    family = None
                    if isinstance(value, BlockArgument) and value.owner is self._block:
                        family = self.folded.family(value.index)
                    other = position.layer if position is not None else family[1] if family is not None else layer
                    farthest = max(farthest, abs(other - layer))
        return farthest


def _read_by(op: Operation) -> list[Value]:
    """The operands of ``op`` and of all operations in it."""
    return [value for one in op.operations() for value in one.operands] if op.regions else op.operands
