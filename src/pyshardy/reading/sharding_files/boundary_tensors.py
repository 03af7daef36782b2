"""The arguments and results of a program that a line of a sharding file can shard, by their names and paths.

A pattern means few of the thousands that a deep model has. So names are searched as one text (``name_index``), and only
what may be meant gets a path and an entry; patterns that most names may fit go down a tree of all paths.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

from pyshardy.dialects.func import function_type
from pyshardy.dialects.sdy import placement
from pyshardy.ir.operation import Operation, OpResult
from pyshardy.ir.types import TensorType, Type
from pyshardy.reading.names import argument_symbol, boundary_names, result_symbol
from pyshardy.reading.sharding_files.name_index import NameIndex
from pyshardy.reading.sharding_files.path_tree import PathTree
from pyshardy.reading.sharding_files.paths import Path, matches, path_of_name, path_of_pattern
from pyshardy.reading.tensors import ShardingSlot
from pyshardy.sharding.tensor import TensorSharding

_SYMBOL = re.compile(r"%arg(0|[1-9]\d*)|result (0|[1-9]\d*)", re.ASCII)
"""What MLIR's text calls an argument, and a result without a name."""
_ANY_PATH: Path = ("**",)
_MOST_LOOKED_AT = 4
"""If a part of a pattern is found in more than one of so many names, the tree of all paths is as quick."""
_MOST_SEARCHES = 32
"""After so many searches for patterns the tree of all paths is made, as more will follow."""


class ShardableTensor(NamedTuple):
    """A tensor that may be given a sharding: ``name`` is its name in messages, ``is_boundary`` says whether it is an
    argument or a result of the program."""

    slot: ShardingSlot
    name: str
    type: TensorType
    is_boundary: bool

    @property
    def result_number(self) -> int:
        """Which result of its operation it is; 0 for an argument."""
        return self.slot.index if isinstance(self.slot, OpResult) else 0

    @property
    def sharding(self) -> TensorSharding | None:
        """The present sharding."""
        return placement.held_sharding(self.slot)


class BoundaryTensor(NamedTuple):
    """An argument or a result, and its names, the framework's first."""

    names: tuple[str, ...]
    tensor: ShardableTensor

    @property
    def path(self) -> Path:
        """The path of its name."""
        return path_of_name(self.names[0])


class BoundaryTensors:
    """Arguments and results of the function ``main``, as it is now. They are numbered, arguments first, those included
    that are no tensors."""

    def __init__(self, main: Operation) -> None:
        self._main = main
        self._arguments = main.body.arguments
        self._numbered: dict[int, ShardableTensor | None] = {}
        """Arguments and results by number, as far as they are known; None for what is no tensor."""
        self._by_path: PathTree[int] | None = None
        """The numbers of all by their paths, if that was asked for."""
        self._searches = 0
        """How many patterns were searched without it."""

    def all(self) -> list[BoundaryTensor]:
        """All of them."""
        found = enumerate(map(self._at_number, range(len(self._names))))
        return [BoundaryTensor((one.name, self._symbol(number)), one) for number, one in found if one is not None]

    def _symbol(self, number: int) -> str:
        """What MLIR's text calls argument or result ``number``."""
        place = number - len(self._arguments)
        return argument_symbol(number) if place < 0 else result_symbol(place)

    @cached_property
    def _names(self) -> Sequence[str]:
        """The names of arguments and results, tensors or not; they are numbered in this order."""
        names = boundary_names(self._main)
        return *names.arguments, *names.results

    @cached_property
    def _index(self) -> NameIndex:
        return NameIndex(self._names)

    @cached_property
    def _types(self) -> Sequence[Type]:
        type = function_type(self._main)
        return *type.inputs, *type.results

    def _at_number(self, number: int) -> ShardableTensor | None:
        """Argument or result ``number``; None if it is no tensor."""
        if number in self._numbered:
            return self._numbered[number]
        type, arguments, found = self._types[number], self._arguments, None
        if isinstance(type, TensorType):
            slot: ShardingSlot
            if number < len(arguments):
                slot = arguments[number]
            else:
                slot = placement.FunctionResult(self._main, number - len(arguments))
            found = ShardableTensor(slot, self._names[number], type, True)
        self._numbered[number] = found
        return found

    def called(self, name: str) -> list[int]:
        """The numbers of the tensors one of whose names is ``name``."""
        found = self._index.equal(name)
        symbol = _SYMBOL.fullmatch(name)
        if symbol is not None:
            argument, result = symbol.groups()
            arguments = len(self._arguments)
            number = int(argument) if argument is not None else arguments + int(result)
            if number < (arguments if argument is not None else len(self._names)):
                found = sorted({*found, number})
        return [number for number in found if self._at_number(number) is not None]

    def _with_path(self, pattern: Path) -> list[int]:
        """The numbers of arguments and results, tensors or not, whose path ``pattern`` matches. A step is a part of the
        name, so the paths of most names need not be known."""
        if pattern == _ANY_PATH:
            return list(range(len(self._names)))
        if self._by_path is None and self._searches < _MOST_SEARCHES:
            self._searches += 1
            parts = [part for step in pattern for part in step.split("*") if part]
            few = self._index.containing(parts, len(self._names) // _MOST_LOOKED_AT)
            if few is not None:
                return [number for number in few if matches(pattern, path_of_name(self._names[number]))]
        if self._by_path is None:
            self._by_path = self._all_by_path()
        return sorted(self._by_path.find(pattern))

    def _all_by_path(self) -> PathTree[int]:
        found: PathTree[int] = PathTree()
        for number, name in enumerate(self._names):
            found.add(path_of_name(name), number)
        return found

    def find(self, pattern: str) -> list[ShardableTensor]:
        """Those that ``pattern`` matches, in their order: by a name, or by its path."""
        numbers = self.called(pattern)
        if "*" in pattern or not numbers:
            numbers = sorted({*numbers, *self._with_path(path_of_pattern(pattern))})
        return [one for one in map(self._at_number, numbers) if one is not None]
