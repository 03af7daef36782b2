"""Which dimensions of a program's tensors belong together, by the sharding rules of its operations.

Dimensions that one factor of a rule maps to are one *class*: if one of them is sharded, propagation shards all. Classes
pass through loops, branches and calls as values do. Of a dimension with several factors the most significant one
counts, since axes split it first. Two classes *conflict* if one tensor has both, because an axis can shard only one
dimension of a tensor.
"""

from __future__ import annotations

from collections.abc import Sequence

from pyshardy.dialects.func import callee, is_declaration
from pyshardy.dialects.main_function import functions_by_name
from pyshardy.dialects.sdy.dataflow import flow_of
from pyshardy.dialects.stablehlo.trip_count import is_loop
from pyshardy.ir.disjoint_sets import DisjointSets
from pyshardy.ir.opdef import TERMINATOR
from pyshardy.ir.operation import Block, Operation, Value
from pyshardy.ir.registry import foreign_row
from pyshardy.ir.types import TensorType, tensor_shape
from pyshardy.rules.registry import RuleTable
from pyshardy.sharding.rule import OpShardingRule

_SLICES = frozenset({"stablehlo.dynamic_slice", "stablehlo.dynamic_update_slice"})
_DEEPEST_CALL = 24

Classes = list[int]
"""The class of each dimension of a tensor."""


class DimensionClasses:
    """The classes of the dimensions of the tensors in ``entry``, a function of ``module``: two classes are the same if
    ``find`` gives the same representative."""

    def __init__(self, module: Operation, entry: Operation, rules: RuleTable | None = None) -> None:
        self._functions = functions_by_name(module)
        self._rules = RuleTable(chlo_rules=True) if rules is None else rules
        self._sets = DisjointSets()
        self._smallest: list[int] = []
        self.sliced: set[int] = set()
        """Classes that a loop takes slices of."""
        self._tensors: dict[tuple[int, ...], int] = {}
        self._loops = 0
        self._calls: list[str] = []
        self.values: dict[Value, Classes] = {}
        """The classes of values of the entry, and of regions in it."""
        self._visit(entry.body, self.values, [])
        self.arguments = [self._of(argument, self.values) for argument in entry.body.arguments]
        self.returned = [self._of(value, self.values) for value in entry.body.terminator.operands]

    # --- union-find ---------------------------------------------------------------------------------------------------

    def find(self, one: int) -> int:
        """The representative of class ``one``."""
        return self._sets.find(one)

    def join(self, one: int, other: int) -> None:
        """Makes two classes one."""
        first, second = self._sets.join(one, other)
        self._smallest[first] = min(self._smallest[first], self._smallest[second])

    def new(self, size: int) -> int:
        """A class of its own for a dimension of ``size``."""
        self._smallest.append(size)
        return self._sets.new()

    def size(self, one: int) -> int:
        """The size of the smallest dimension of the class that is larger than 1."""
        return self._smallest[self.find(one)]

    def of(self, value: Value) -> list[int]:
        """The representatives of the dimensions of ``value``; none if it is in a called function."""
        return [self.find(one) for one in self.values.get(value, ())]

    @property
    def roots(self) -> list[int]:
        """The representatives, in order."""
        return self._sets.roots

    def is_sliced(self, one: int) -> bool:
        """Whether a loop takes slices of its dimensions."""
        wanted = self.find(one)
        return any(self.find(other) == wanted for other in self.sliced)

    def tensors(self) -> dict[tuple[int, ...], int]:
        """The tensors by the classes of their dimensions, with the approximate bytes of all that have these classes."""
        found: dict[tuple[int, ...], int] = {}
        for classes, size in self._tensors.items():
            key = tuple(map(self.find, classes))
            found[key] = found.get(key, 0) + size
        return found

    def conflicts(self) -> set[tuple[int, int]]:
        """The pairs of different classes that one tensor has, the lower first."""
        found: set[tuple[int, int]] = set()
        for classes in self._tensors:
            roots = sorted({self.find(one) for one in classes})
            for place, one in enumerate(roots):
                found.update((one, other) for other in roots[place + 1 :])
        return found

    # --- the program --------------------------------------------------------------------------------------------------

    def _of(self, value: Value, known: dict[Value, Classes]) -> Classes:
        found = known.get(value)
        if found is None:
            found = known[value] = [self.new(size) for size in tensor_shape(value.type)]
        return found

    def _join_all(self, some: Sequence[int], others: Sequence[int]) -> None:
        for one, other in zip(some, others, strict=False):
            self.join(one, other)

    def _visit(self, block: Block, known: dict[Value, Classes], given: Sequence[Classes]) -> None:
        """Joins the classes that operations of ``block`` relate; ``given`` are the classes of its arguments, as far as
        known."""
        for argument, classes in zip(block.arguments, given, strict=False):
            self._join_all(self._of(argument, known), classes)
        for op in block:
            operands = [self._of(value, known) for value in op.operands]
            results = [self._of(value, known) for value in op.results]
            if op.name == "func.call":
                self._call(op, operands, results)
            elif op.name == "stablehlo.while":
                self._loop(op, known, operands, results)
            elif op.name in (
                "stablehlo.case",
                "stablehlo.if",
                "sdy.named_computation",
                "stablehlo.optimization_barrier",
            ):
                self._flow(op, known, operands, results)
            elif foreign_row(op.name) is not None and flow_of(op.name) is not None:
                self._foreign_flow(op, known)
            elif not op.traits & TERMINATOR:
                rule = self._rules.rule(op)
                if rule is not None:
                    self._apply(rule, [*operands, *results])
                if op.name in _SLICES and self._loops:
                    self._note_sliced_dims(op, operands)
            for value, classes in zip(op.results, results, strict=True):
                self._note(value, classes)
        for argument in block.arguments:
            self._note(argument, self._of(argument, known))

    def _note(self, value: Value, classes: Classes) -> None:
        type = value.type
        if isinstance(type, TensorType) and classes:
            size = 1
            for one in type.shape:
                size *= max(one, 1)
            key = tuple(classes)
            self._tensors[key] = self._tensors.get(key, 0) + size

    def _call(self, op: Operation, operands: list[Classes], results: list[Classes]) -> None:
        name = callee(op)
        function = self._functions.get(name)
        if function is None or is_declaration(function) or name in self._calls or len(self._calls) > _DEEPEST_CALL:
            return
        self._calls.append(name)
        inside: dict[Value, Classes] = {}
        self._visit(function.body, inside, operands)
        for value, classes in zip(function.body.terminator.operands, results, strict=False):
            self._join_all(self._of(value, inside), classes)
        self._calls.pop()

    def _loop(
        self, op: Operation, known: dict[Value, Classes], operands: list[Classes], results: list[Classes]
    ) -> None:
        for one, other in zip(operands, results, strict=True):
            self._join_all(one, other)
        self._loops += 1
        for region in op.regions:
            block = region.blocks[0]
            self._visit(block, known, operands)
            if len(block.terminator.operands) == len(results):
                for value, classes in zip(block.terminator.operands, results, strict=True):
                    self._join_all(self._of(value, known), classes)
        self._loops -= 1

    def _foreign_flow(self, op: Operation, known: dict[Value, Classes]) -> None:
        """Joins the classes of values that the data flow of an operation of a registered dialect makes equal."""
        model = flow_of(op.name)
        assert model is not None
        self._loops += is_loop(op)
        owners = [*model.block_argument_owners(op), *op.results]
        for owner in owners:
            for target in model.non_owner_targets(owner):
                self._join_all(self._of(owner, known), self._of(target, known))
        for region in op.regions:
            for block in region.blocks:
                self._visit(block, known, ())
        for owner in owners:
            for source, index in model.source_uses(owner):
                self._join_all(self._of(owner, known), self._of(source.operands[index], known))
        self._loops -= is_loop(op)

    def _flow(
        self, op: Operation, known: dict[Value, Classes], operands: list[Classes], results: list[Classes]
    ) -> None:
        if op.name == "stablehlo.optimization_barrier":
            for one, other in zip(operands, results, strict=True):
                self._join_all(one, other)
        for region in op.regions:
            block = region.blocks[0]
            self._visit(block, known, operands if op.name == "sdy.named_computation" else ())
            for value, classes in zip(block.terminator.operands, results, strict=False):
                self._join_all(self._of(value, known), classes)

    def _apply(self, rule: OpShardingRule, tensors: Sequence[Classes]) -> None:
        by_factor: dict[int, int] = {}
        for mapping, classes in zip(rule.tensor_mappings, tensors, strict=False):
            if len(mapping) != len(classes):
                continue
            for factors, one in zip(mapping, classes, strict=True):
                if not factors:
                    continue
                factor = next((each for each in factors if rule.factor_sizes[each] > 1), factors[0])
                if rule.factor_sizes[factor] <= 1:
                    continue
                if factor in by_factor:
                    self.join(by_factor[factor], one)
                else:
                    by_factor[factor] = one

    def _note_sliced_dims(self, op: Operation, operands: list[Classes]) -> None:
        whole = op.operands[0].type
        part = op.results[0].type if op.name == "stablehlo.dynamic_slice" else op.operands[1].type
        if isinstance(whole, TensorType) and isinstance(part, TensorType):
            for one, size, other in zip(operands[0], whole.shape, part.shape, strict=False):
                if size != other:
                    self.sliced.add(one)
