"""Labels: the global value that a local value holds, and its layout.

They come from the partitioner (``labels_of``), or are found for a local program that somebody else made
(``alignment``). ``claims`` cuts and compares the two programs at labelled values.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import NamedTuple

from pyshardy.checking.definitions import Definitions
from pyshardy.checking.programs import Programs
from pyshardy.dialects.func import callee
from pyshardy.dialects.main_function import functions_by_name
from pyshardy.emitting.layout import Layout, local_shape
from pyshardy.ir.operation import Block, BlockArgument, Operation, OpResult, Value
from pyshardy.ir.types import TensorType


class Label(NamedTuple):
    """A local value with this label holds ``value``, a definition of the global program, in ``layout``."""

    value: Value
    layout: Layout


class Labels:
    """The labels of local values. If a local value holds several global ones, those that are known to be equal share
    one ``root``."""

    def __init__(self, definitions: Definitions, found: Iterable[tuple[Value, Label]]) -> None:
        self.definitions = definitions
        self._of: dict[Value, list[Label]] = {}
        self._above: dict[Value, Value] = {}
        self._removed: set[Value] = set()
        for local, label in found:
            if not _fits(local, label):
                continue
            if definitions.is_constant(label.value):
                # It may be read as that constant.
                self._removed.add(local)
                continue
            labels = self._of.setdefault(local, [])
            if label not in labels:
                labels.append(label)
                if len(labels) > 1 and self._are_same(labels[0].value, label.value):
                    self._join(labels[0].value, label.value)

    def of(self, local: Value) -> list[Label]:
        """The labels of ``local``."""
        return [] if local in self._removed else self._of.get(local, [])

    def first(self, local: Value) -> Label | None:
        """The first label of ``local``, that of the value that was made first."""
        found = self.of(local)
        return found[0] if found else None

    def __len__(self) -> int:
        return len(self._of)

    def items(self) -> Iterator[tuple[Value, Label]]:
        """Each local value with its first label."""
        for local in self._of:
            first = self.first(local)
            if first is not None:
                yield local, first

    def remove(self, local: Value) -> None:
        """Removes the labels of ``local``."""
        self._removed.add(local)

    def root(self, value: Value) -> Value:
        """The representative of ``value`` and all values equal to it."""
        while value in self._above:
            value = self._above[value]
        return value

    def _are_same(self, first: Value, second: Value) -> bool:
        """Whether two values are results of equal operations on equal operands."""
        if not isinstance(first, OpResult) or not isinstance(second, OpResult) or first.type != second.type:
            return False
        one, other = first.owner, second.owner
        if (one.name, first.index, one.properties) != (other.name, second.index, other.properties):
            return False
        if one.regions or other.regions:
            return False
        operands = ([self.root(self.definitions.definition(value)) for value in op.operands] for op in (one, other))
        return next(operands) == next(operands)

    def _join(self, first: Value, second: Value) -> None:
        one, other = self.root(first), self.root(second)
        if one is not other:
            self._above[other] = one


def _fits(local: Value, label: Label) -> bool:
    given, made = label.value.type, local.type
    if not isinstance(given, TensorType) or not isinstance(made, TensorType) or not given.has_static_shape:
        return False
    if isinstance(local, OpResult) and local.owner.parent is None:
        return False
    if given.element != made.element or given.rank != label.layout.rank:
        return False
    return made.shape == local_shape(given.shape, label.layout)


def labels_of(programs: Programs) -> Labels:
    """The labels that the partitioner gives: all local versions of each value.

    Raises:
        ValueError: the partitioner recorded no correspondence.
    """
    correspondence, copies = programs.correspondence, programs.copies
    if correspondence is None:
        raise ValueError("nothing is known of the values of the local program")
    module, values = correspondence.module.op, correspondence.values
    definitions = Definitions(module, correspondence.origins)
    manual = _manual_blocks(module)
    blocks = {block for op in module.walk() for region in op.regions for block in region.blocks} - manual

    def found() -> Iterable[tuple[Value, Label]]:
        yield from _arguments(programs, module)
        for value, sharded in chain(values.items(), *(one.items() for one in correspondence.inside)):
            block = value.owner if isinstance(value, BlockArgument) else value.parent_block
            if block not in blocks or not isinstance(value.type, TensorType):
                # Operations that an operation was expanded to are not in the global program.
                continue
            definition = definitions.definition(value)
            forms = sharded.versions if sharded in sharded.versions else [sharded, *sharded.versions]
            for form in forms:
                local = form.value if copies is None else copies.get(form.value)
                if local is not None:
                    yield local, Label(definition, form.layout)

    return Labels(definitions, found())


def _arguments(programs: Programs, module: Operation) -> Iterable[tuple[Value, Label]]:
    given, made = (_body(one, programs.entry).arguments for one in (module, programs.local.op))
    for value, local, boundary in zip(given, made, programs.arguments, strict=True):
        yield local, Label(value, boundary.layout)


def _body(module: Operation, name: str) -> Block:
    functions = [op for op in module.body if op.name == "func.func" and not op.regions[0].empty]
    return next((op.body for op in functions if op.symbol_name == name), functions[0].body)


def _manual_blocks(module: Operation) -> set[Block]:
    """The blocks inside of manual computations, and of functions that are called there: their values have the shape of
    a shard."""
    functions = functions_by_name(module)
    waiting = [op for op in module.walk() if op.name == "sdy.manual_computation"]
    found: set[Block] = set()
    seen = set(waiting)
    while waiting:
        for inner in waiting.pop().walk():
            found.update(block for region in inner.regions for block in region.blocks)
            called = functions.get(callee(inner)) if inner.name == "func.call" else None
            if called is not None and called not in seen:
                seen.add(called)
                waiting.append(called)
    return found
