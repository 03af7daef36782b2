"""Which operations belong to which layer, in what a folded program became: the propagated one, or that of one device.

Locations say where each operation comes from (``folded``). An operation, and what it reads and who reads it, is told as
its layer sees it, with numbers that are the same for layers that are alike: that is the one meaning of *alike* behind
``folded``. ``histories`` holds the layers against each other while shardings are propagated, ``splice`` afterwards.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

from pyshardy.folding.folded import Folded, NotAlike
from pyshardy.ir.attribute import Attribute
from pyshardy.ir.attributes import StringAttr, SymbolRefAttr
from pyshardy.ir.operation import BlockArgument, Operation, OpResult, Use, Value

Parts = Mapping[tuple[int, int], Sequence[Operation]]
"""The operations of a function that belong to a layer, in their order, by number of the series and layer."""

Ref = tuple[int, int, int, int] | Value
"""What is read, as a layer sees it: of which series, how many layers away, which operation, which result. For series -1
an argument of the function, by the number of the one below the splice point that is like it. A value that is in no
layer."""

UseRef = tuple[int, int, int, int, int]
"""Who reads, as a layer sees it: of which series, how many layers away, which operation, which of those in it, with
which operand. For series -1 the function returns it, as the result below the splice point that is like it."""


NAMING = frozenset({"func.call", "func.func", "sdy.named_computation"})
"""Operations that name functions."""


class LayerPosition(NamedTuple):
    """Where an operation stands: in which series and layer, counted without those that are left out, the number of the
    operation there that it is, or is in, and its number in that."""

    series: int
    layer: int
    number: int
    inner: int


def name_in(attribute: Attribute) -> str | None:
    """The name of a function that ``attribute`` says, if it says one."""
    if isinstance(attribute, StringAttr):
        return attribute.value
    return attribute.root if isinstance(attribute, SymbolRefAttr) else None


def own_functions_by_layer(folded: Folded, module: Operation) -> dict[tuple[int, int], list[Operation]]:
    """The functions of ``module`` that each layer has one of, in their order, by the series that calls them and layer:
    each such series has a number of its own, behind those of all others."""
    found: dict[tuple[int, int], list[Operation]] = {}
    numbers: dict[int, int] = {}
    for op in module.body:
        name = op.symbol_name if op.name == "func.func" else None
        home = None if name is None else folded.own_functions.home(name)
        if home is not None:
            layer, number = home
            series = numbers.setdefault(folded.layers.series_of(number), len(folded.layers.series) + len(numbers))
            found.setdefault((series, layer), []).append(op)
    return found


def operations_by_layer(folded: Folded, operations: Sequence[Operation]) -> dict[tuple[int, int], list[Operation]]:
    """Those of ``operations``, all of a block, that belong to layers, by series and layer. What passes have put between
    those of a series belongs to what stands behind it. What comes from a layer, and stands apart from the rest of it,
    belongs to none."""
    runs: list[_Run] = []
    end = 0
    for home, same in groupby(folded.homes(operations)):
        begin, end = end, end + len(list(same))
        runs.append(_Run(home, begin, end))
    joined: list[_Run] = []
    for run in runs:
        if run.home is None:
            continue
        last = joined[-1] if joined else None
        if last is not None and last.home is not None and last.home[0] == run.home[0]:
            # Only what comes from no layer can be between them.
            run.begin = last.end
            if last.home == run.home:
                last.end = run.end
                continue
        joined.append(run)
    longest: dict[tuple[int, int], _Run] = {}
    for run in joined:
        assert run.home is not None
        known = longest.get(run.home)
        if known is None or run.end - run.begin > known.end - known.begin:
            longest[run.home] = run
    return {home: list(operations[run.begin : run.end]) for home, run in longest.items()}


class _Run:
    """Operations one behind the other that come from one layer of one series, or from none."""

    __slots__ = ("begin", "end", "home")

    def __init__(self, home: tuple[int, int] | None, begin: int, end: int) -> None:
        self.home = home
        self.begin = begin
        self.end = end


class LayerParts:
    """The ``parts`` of ``function``, which the function of ``folded`` became, and how each layer sees what it reads and
    who reads it. ``shared`` is what all layers read, though one of them makes it. Operations that are alike may differ
    in properties that are ``free``."""

    def __init__(
        self, folded: Folded, function: Operation, parts: Parts, shared: Collection[Value], free: frozenset[str]
    ) -> None:
        self.folded = folded
        self.function = function
        self.block = function.body
        self.parts = parts
        self.shared = shared
        self._free = free
        self.places: dict[Operation, LayerPosition] = {}
        for (series, layer), operations in parts.items():
            joined = folded.joined(layer)
            for number, op in enumerate(operations):
                self.places[op] = LayerPosition(series, joined, number, 0)
                if op.regions:
                    for inner, nested in enumerate(op.operations()):
                        self.places[nested] = LayerPosition(series, joined, number, inner)

    def read_by_both(
        self, below: Sequence[Sequence[Operation]], above: Sequence[Sequence[Operation]], layer: int
    ) -> set[Value]:
        """What the operations of ``layer``, those ``below``, and of the one above it read in the same place, series by
        series, though another layer makes it: all layers read that."""
        found: set[Value] = set()
        for one, other in zip(below, above, strict=True):
            for mine, its in zip(one, other, strict=False):
                for value in set(_read_by(mine)).intersection(_read_by(its)):
                    place = self.places.get(value.owner) if isinstance(value, OpResult) else None
                    if place is not None and not layer <= place.layer <= layer + 1:
                        found.add(value)
        return found

    # --- arguments and results ----------------------------------------------------------------------------------------

    def family(self, index: int) -> tuple[int, int] | None:
        """The number of the argument below the splice point that is like argument ``index``, and the layer of that,
        counted without those that are left out; None if it belongs to none.

        Raises:
            NotAlike: it belongs to a layer, but nothing below the splice point is like it.
        """
        found = self.folded.arguments[index]
        if found is not None:
            return found[0], self.folded.joined(found[1])
        if self.folded.layers_of_arguments[index] is not None:
            raise NotAlike
        return None

    def argument(self, family: int, layer: int) -> BlockArgument:
        """The argument that is to ``layer`` what argument ``family`` is to the layer below the splice point."""
        number = self.folded.argument_numbers.get((family, layer))
        if number is None:
            raise NotAlike
        return self.block.arguments[number]

    # --- as a layer sees it -------------------------------------------------------------------------------------------

    def ref(self, value: Value, layer: int) -> Ref:
        """``value``, which is read, as ``layer`` (counted without those that are left out) sees it."""
        if isinstance(value, OpResult):
            place = self.places.get(value.owner)
            if place is None or value in self.shared:
                return value
            if place.inner:
                raise NotAlike
            return place.series, place.layer - layer, place.number, value.index
        assert isinstance(value, BlockArgument)
        family = self.family(value.index) if value.owner is self.block else None
        return value if family is None else (-1, family[1] - layer, family[0], 0)

    def use_ref(self, use: Use, layer: int) -> UseRef:
        """Who reads, as ``layer`` sees it.

        Raises:
            NotAlike: that cannot be said.
        """
        user, index = use
        place = self.places.get(user)
        if place is not None:
            return place.series, place.layer - layer, place.number, place.inner, index
        family = self.folded.results[self.folded.returned[index]] if user is self.block.last else None
        if family is None:
            raise NotAlike
        return -1, self.folded.joined(family[1]) - layer, family[0], 0, 0

    def key(self, op: Operation, layer: int, reads: dict[Operation, list[tuple[int, Ref]]] | None = None) -> Hashable:
        """What ``op`` is, and what it reads, as its layer sees it: the same for operations that are alike. In ``reads``
        is noted what it, and those in it, read from outside, by number of the operand."""
        refs = [self.ref(value, layer) for value in op.operands]
        if reads is not None:
            reads[op] = list(enumerate(refs))
        types = tuple([result.type for result in op.results])
        inside = self._inside(op, layer, reads) if op.regions else ()
        return op.name, *self._compared(op), types, tuple(refs), inside

    def _compared(self, op: Operation) -> tuple[Hashable, Hashable]:
        """The properties and attributes of ``op``, without those that are free; functions that each layer has one of
        are called like the lowest."""
        properties, attributes = op.properties, op.attributes
        if self._free and not self._free.isdisjoint(properties.entries):
            properties = properties.without(*self._free)
        if op.name in NAMING and self.folded.own_functions:
            return tuple([(key, self._name(one)) for key, one in properties.entries.items()]), tuple(
                [(key, self._name(one)) for key, one in attributes.entries.items()]
            )
        return properties, attributes

    def _name(self, attribute: Attribute) -> Hashable:
        name = name_in(attribute)
        family = None if name is None else self.folded.own_functions.family(name)
        return attribute if family is None else ("like", family)

    def _inside(self, op: Operation, layer: int, reads: dict[Operation, list[tuple[int, Ref]]] | None) -> Hashable:
        """What is in the regions of ``op``."""
        numbers: dict[Value, int] = {}
        found: list[Hashable] = []
        for nested in op.operations():
            if nested is not op:
                refs = [numbers[one] if one in numbers else self.ref(one, layer) for one in nested.operands]
                if reads is not None:
                    reads[nested] = [(at, ref) for at, ref in enumerate(refs) if not isinstance(ref, int)]
                types = tuple([result.type for result in nested.results])
                found.append((nested.name, *self._compared(nested), types, tuple(refs)))
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
        found.append((value.type, tuple([(self.places[user].inner, index) for user, index in value._uses])))

    def farthest_read(self, operations: Iterable[Operation], layer: int) -> int:
        """How many layers away is at most what ``operations`` of ``layer`` read."""
        farthest = 0
        for op in operations:
            for nested in op.operations() if op.regions else (op,):
                for value in nested.operands:
                    if value in self.shared:
                        continue
                    place = self.places.get(value.owner) if isinstance(value, OpResult) else None
                    family = None
                    if isinstance(value, BlockArgument) and value.owner is self.block:
                        family = self.family(value.index)
                    other = place.layer if place is not None else family[1] if family is not None else layer
                    farthest = max(farthest, abs(other - layer))
        return farthest


def _read_by(op: Operation) -> list[Value]:
    """What ``op`` reads, and what is in it."""
    return [value for one in op.operations() for value in one.operands] if op.regions else op.operands
