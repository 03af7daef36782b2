"""Families of arguments and results: those of one name in all layers, which every strategy shards alike.

``params/layers/0/wq`` and its counterparts in other layers are one family, ``params/layers/*/wq``, if they have one
type and their dimensions have the same classes. A result that replaces an argument (of a donated buffer, or the new
value of a parameter) has the sharding of the argument. The families of a weight and of its optimizer moments are one
*parameter*.
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from pyshardy.dialects.func import arguments_attributes, function_type
from pyshardy.ir.attributes import IntegerAttr
from pyshardy.ir.opdef import ELEMENTWISE
from pyshardy.ir.operation import BlockArgument, Operation, Value
from pyshardy.ir.types import IntegerType, TensorType, Type, size_in_bytes
from pyshardy.partitioning.account.donated import donated_arguments
from pyshardy.reading.names import boundary_names
from pyshardy.reading.sharding_files.paths import Path, path_of_name
from pyshardy.reading.tensors import main_of
from pyshardy.searching.dimension_classes import DimensionClasses
from pyshardy.searching.layouts import Key
from pyshardy.searching.short_program import ShortProgram

WEIGHT, MOMENT, INPUT, RESULT = "weight", "moment", "input", "result"
"""The roles of families: parameters of the model, optimizer state, other inputs, and results without an argument."""

_CHANGES_FORM = frozenset(
    f"stablehlo.{name}" for name in ("broadcast_in_dim", "convert", "optimization_barrier", "reshape", "transpose")
)


@dataclass(frozen=True)
class Family:
    """Number ``number`` of the families: the numbers of its ``arguments`` and of the ``results`` that replace them,
    their ``type``, the ``classes`` of their dimensions, their path with stars, and their role (parameter, moment,
    input, …)."""

    number: int
    path: Path
    type: TensorType
    classes: tuple[int, ...]
    arguments: tuple[int, ...]
    results: tuple[int, ...]
    role: str

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of each of them."""
        return self.type.shape

    @cached_property
    def bytes(self) -> int:
        """The bytes of all its arguments together; of its results, if it has no arguments."""
        return size_in_bytes(self.type) * len(self.arguments or self.results)

    @property
    def keys(self) -> tuple[Key, ...]:
        """All of its arguments and results."""
        return (*(("argument", one) for one in self.arguments), *(("result", one) for one in self.results))

    @property
    def name(self) -> str:
        """The path as text."""
        return "/".join(self.path)


@dataclass(frozen=True)
class Parameter:
    """A weight with its moments, by numbers of families."""

    path: Path
    weight: int
    moments: tuple[int, ...]
    bytes: int


class Families:
    """The families of the program that ``short`` is a copy of, and the classes of their dimensions. Making them joins
    the classes of corresponding dimensions within each family."""

    def __init__(self, short: ShortProgram, classes: DimensionClasses) -> None:
        self._short, self._classes = short, classes
        function = main_of(short.source)
        names = boundary_names(function)
        self._type = function_type(function)
        self._argument_paths = [path_of_name(name) for name in names.arguments]
        self._result_paths = [path_of_name(name) for name in names.results]
        self._of_argument = dict(zip(short.arguments, classes.arguments, strict=True))
        self._of_result = dict(zip(short.results, classes.returned, strict=True))
        replacing = self._replacing_results(function)
        groups = self._grouped(replacing)
        self._moments = self._only_updated()
        listed: list[Family] = []
        for path, members in groups:
            listed.append(self._family(len(listed), path, members, replacing))
        over = {number for numbers in replacing.values() for number in numbers}
        for path, type, roots, results in self._loose_results(over):
            path = path if len(results) > 1 else self._result_paths[results[0]]
            listed.append(Family(len(listed), path, type, roots, (), tuple(sorted(results)), RESULT))
        self.listed: Sequence[Family] = listed

    # --- grouping -----------------------------------------------------------------------------------------------------

    def _replacing_results(self, function: Operation) -> dict[int, tuple[int, ...]]:
        """The results that replace each argument."""
        found: dict[int, list[int]] = {}
        free = set(range(len(self._type.results)))
        for index in range(len(self._type.inputs)):
            alias = arguments_attributes(function, index).get("tf.aliasing_output")
            number = int(alias.value) if isinstance(alias, IntegerAttr) else -1
            if number in free and self._type.results[number] == self._type.inputs[index]:
                found.setdefault(index, []).append(number)
                free.discard(number)
        by_end: dict[tuple[Path, Type], list[int]] = {}
        for index, path in enumerate(self._argument_paths):
            if index not in found:
                by_end.setdefault((path[1:], self._type.inputs[index]), []).append(index)
        for number in sorted(free):
            path = self._result_paths[number]
            for begin in range(1, len(path)):
                waiting = by_end.get((path[begin:], self._type.results[number]))
                if waiting:
                    found.setdefault(waiting.pop(0), []).append(number)
                    break
        self._pair_donated(function, found)
        return {index: tuple(numbers) for index, numbers in found.items()}

    def _pair_donated(self, function: Operation, found: dict[int, list[int]]) -> None:
        """Pairs donated arguments without a result of their name with results of their type, in order."""
        taken = {number for numbers in found.values() for number in numbers}
        free: dict[Type, list[int]] = {}
        for number, type in enumerate(self._type.results):
            if number not in taken:
                free.setdefault(type, []).append(number)
        for argument in donated_arguments(function):
            waiting = free.get(argument.type)
            if isinstance(argument, BlockArgument) and argument.index not in found and waiting:
                found[argument.index] = [waiting.pop(0)]

    def _grouped(self, replacing: Mapping[int, tuple[int, ...]]) -> list[tuple[Path, list[int]]]:
        """The arguments, grouped by path with stars if the classes of their dimensions may be joined."""
        waiting: dict[tuple[Path, Type, bool], list[int]] = {}
        for index, type in enumerate(self._type.inputs):
            if isinstance(type, TensorType):
                # If names give no group, an argument of a layer that is left out joins the group of its counterpart.
                like = self._short.kept_arguments.get(index, index)
                key = _starred(self._argument_paths[like]), type, index in replacing
                waiting.setdefault(key, []).append(index)
        found: list[tuple[Path, list[int]]] = []
        for (path, _, _), members in waiting.items():
            known = [self._of_argument[index] for index in members if index in self._of_argument]
            if len(members) == 1 or self._may_join(known):
                for other in known[1:]:
                    for one, same in zip(known[0], other, strict=True):
                        self._classes.join(one, same)
                found.append((path if len(members) > 1 else self._argument_paths[members[0]], members))
            else:
                found += [(self._argument_paths[index], [index]) for index in members]
        return found

    def _may_join(self, known: Sequence[Sequence[int]]) -> bool:
        """Whether joining these classes gives no tensor two dimensions of one class, which no axis could shard both."""
        find = self._classes.find
        pairs = [
            (find(one), find(same))
            for other in known[1:]
            for one, same in zip(known[0], other, strict=True)
            if find(one) != find(same)
        ]
        if not pairs:
            return True
        conflicts = self._classes.conflicts()
        groups: dict[int, set[int]] = {}
        for one, other in pairs:
            merged = groups.get(one, {one}) | groups.get(other, {other})
            for each in merged:
                groups[each] = merged
        for merged in groups.values():
            ordered = sorted(merged)
            for place, one in enumerate(ordered):
                if any((one, other) in conflicts for other in ordered[place + 1 :]):
                    return False
        return True

    def _loose_results(self, over: Container[int]) -> list[tuple[Path, TensorType, tuple[int, ...], list[int]]]:
        """The results that are not ``over`` arguments, grouped by path with stars, type and classes of dimensions. One
        of a layer that is left out has no classes in the copy: it joins those with its path and type, or gets new
        ones."""
        found: dict[tuple[Path, Type, tuple[int, ...]], list[int]] = {}
        groups: dict[tuple[Path, Type], tuple[int, ...]] = {}
        free = [
            (index, type)
            for index, type in enumerate(self._type.results)
            if index not in over and isinstance(type, TensorType)
        ]
        for index, type in sorted(free, key=lambda one: one[0] not in self._of_result):
            path = _starred(self._result_paths[index])
            if index in self._of_result:
                roots = self._roots(self._of_result[index])
                groups.setdefault((path, type), roots)
            elif (path, type) in groups:
                roots = groups[path, type]
            else:
                roots = groups[path, type] = tuple(self._classes.new(size) for size in type.shape)
            found.setdefault((path, type, roots), []).append(index)
        return [
            (path, type, roots, results)
            for (path, type, roots), results in found.items()
            if isinstance(type, TensorType)
        ]

    # --- roles --------------------------------------------------------------------------------------------------------

    def _roots(self, classes: Sequence[int] | None) -> tuple[int, ...]:
        return () if classes is None else tuple(map(self._classes.find, classes))

    def _family(self, number: int, path: Path, members: list[int], replacing: Mapping[int, tuple[int, ...]]) -> Family:
        type = self._type.inputs[members[0]]
        assert isinstance(type, TensorType)
        known = next((self._of_argument[index] for index in members if index in self._of_argument), None)
        roots = self._roots(known) if known is not None else tuple(self._classes.new(size) for size in type.shape)
        results = tuple(one for index in members for one in replacing.get(index, ()))
        role = INPUT
        if any(index in self._moments for index in members):
            role = MOMENT
        elif isinstance(type.element, IntegerType):
            role = INPUT
        elif results or not self._has_updates(replacing):
            role = WEIGHT
        return Family(number, path, type, roots, tuple(members), results, role)

    def _has_updates(self, replacing: Mapping[int, tuple[int, ...]]) -> bool:
        return len(replacing) > len(self._type.inputs) // 3

    def _only_updated(self) -> set[int]:
        """The arguments that only elementwise operations read, as updates of optimizer state to a result of the same
        type do."""
        short, main = self._short, main_of(self._short.module)
        found = set()
        types = {type for type in self._type.results if isinstance(type, TensorType) and len(type.shape) > 0}
        for place, index in enumerate(short.arguments):
            argument = main.body.arguments[place]
            if argument.type in types and _is_only_updated(argument):
                found.add(index)
        return found

    # --- parameters ---------------------------------------------------------------------------------------------------

    @cached_property
    def parameters(self) -> list[Parameter]:
        """The weights with their moments, the largest first."""
        moments: dict[tuple[Path, tuple[int, ...], tuple[int, ...]], list[Family]] = {}
        for one in self.listed:
            if one.role == MOMENT:
                moments.setdefault((one.path[1:], one.shape, _long_classes(one)), []).append(one)
        found = []
        for one in self.listed:
            if one.role == WEIGHT:
                own = [
                    other
                    for (path, shape, classes), others in moments.items()
                    if shape == one.shape and classes == _long_classes(one) and _ends_alike(path, one.path[1:])
                    for other in others
                ]
                size = one.bytes + sum(other.bytes for other in own)
                found.append(Parameter(one.path, one.number, tuple(other.number for other in own), size))
        return sorted(found, key=lambda one: (-one.bytes, one.weight))


def _long_classes(one: Family) -> tuple[int, ...]:
    """The classes of the dimensions that can be split; dimensions of size 1 have none."""
    return tuple(found for found, size in zip(one.classes, one.shape, strict=True) if size > 1)


def _ends_alike(one: Path, other: Path) -> bool:
    shorter, longer = sorted((one, other), key=len)
    return longer[len(longer) - len(shorter) :] == shorter


def _starred(path: Path) -> Path:
    return tuple("*" if step.isdecimal() else step for step in path)


def _is_only_updated(argument: Value) -> bool:
    pending, seen, returns = [argument], {argument}, False
    for value in pending:
        for user, _ in value._uses:
            if user.name == "func.return":
                returns = True
                continue
            if not (user.traits & ELEMENTWISE or user.name in _CHANGES_FORM):
                return False
            for result in user.results:
                if result not in seen:
                    seen.add(result)
                    pending.append(result)
    return returns
