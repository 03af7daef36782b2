"""Where a program wants its values: the layouts that shardings ask for, at the boundary, of results, by users.

A request is no order: what comes out elsewhere goes there only where that serves somebody. The partitioner and its
``clusters`` ask before they emit; ``layout`` says what a sharding means.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pyshardy.dialects.func import function_type
from pyshardy.dialects.sdy import placement
from pyshardy.dialects.sdy.dataflow import SHARDING
from pyshardy.dialects.sdy.region_flow import runs_tensors
from pyshardy.emitting.layout import Layout, layout_of, rank_of, replicated
from pyshardy.ir.attributes import DictionaryAttr
from pyshardy.ir.opdef import ELEMENTWISE
from pyshardy.ir.operation import Operation, Value
from pyshardy.ir.types import Type
from pyshardy.sharding.mesh import Mesh
from pyshardy.sharding.tensor import TensorSharding, TensorShardingPerValue


def is_bound(op: Operation) -> bool:
    """Whether the shardings of the results of ``op`` hold even where results are free: those of constraints and the
    like, and of control flow."""
    return op.name in _CONTROL_FLOW or op.name.startswith("sdy.") or runs_tensors(op)


_CONTROL_FLOW = frozenset({"stablehlo.case", "stablehlo.if", "stablehlo.while"})


class RequestedLayouts:
    """What the shardings of a program on ``meshes`` ask for. ``only_mesh`` and ``free_results`` are those of the
    ``Partitioner``; ``entry`` is the function at work that is called from outside, if any."""

    def __init__(self, meshes: Mapping[str, Mesh], *, only_mesh: str | None, free_results: bool) -> None:
        self.free_results = free_results
        self.entry: Operation | None = None
        self._meshes = meshes
        self._only_mesh = meshes.get(only_mesh) if only_mesh is not None else None
        self._wanted: dict[tuple[DictionaryAttr, Type], list[Layout | None]] = {}
        self._layouts: dict[tuple[TensorSharding, int], Layout] = {}

    def for_arguments(self, function: Operation) -> list[Layout | None]:
        """The layouts that ``function`` says its arguments have; None where it says nothing."""
        return [
            self._layout(placement.function_argument_sharding(function, index), type)
            for index, type in enumerate(function_type(function).inputs)
        ]

    def for_results(self, op: Operation) -> list[Layout | None]:
        """Where the results of ``op`` are wanted; None where nothing is said."""
        if self.free_results and not is_bound(op):
            return [self._returned_layout(result) for result in op.results]
        one_type = op.results[0].type if len(op.results) == 1 else None
        if one_type is not None and op.attributes.entries:
            known = self._wanted.get((op.attributes, one_type))
            if known is not None:
                return known
        found = op.attributes.entries.get(SHARDING)
        if not isinstance(found, TensorShardingPerValue) or len(found) != len(op.results):
            return [self._returned_layout(result) or _unsaid_layout(op, result) for result in op.results]
        wanted = [self._layout(one, result.type) for one, result in zip(found, op.results, strict=True)]
        if one_type is not None:
            self._wanted[op.attributes, one_type] = wanted
        return wanted

    def for_value(self, value: Value) -> tuple[Layout, ...]:
        """Where ``value`` is wanted by somebody, as far as that is known."""
        found = dict.fromkeys(self._returned_layouts(value))
        if not found and not self.free_results:
            layout = self._layout(placement.sharding_of(value), value.type)
            found = {layout: None} if layout is not None and self.has_user_in(value, layout) else {}
        return tuple(found)

    def has_user_in(self, value: Value, layout: Layout) -> bool:
        """Whether an elementwise operation has its result in ``layout`` too, or a function returns the value."""
        return any(
            user.name == "func.return" or (user.traits & ELEMENTWISE and self.for_results(user) == [layout])
            for user in value.users
        )

    def where_returned(self, value: Value) -> tuple[Layout, ...]:
        """The layouts in which the function at work returns ``value``, if it is called from outside."""
        return tuple(self._returned_layouts(value))

    def at_entry(self, layout: Layout) -> Layout:
        """``layout`` as callers from outside have it."""
        if self._only_mesh is None or layout.mesh in (None, self._only_mesh):
            return layout
        return replicated(layout.rank)

    def _returned_layout(self, value: Value) -> Layout | None:
        """The layout in which a function that is called from outside returns ``value``; None if none does."""
        for user, _ in value._uses:
            if user.name == "func.return":
                return next(self._returned_layouts(value), None)
        return None

    def _returned_layouts(self, value: Value) -> Iterator[Layout]:
        for user, index in value.uses:
            if user.name != "func.return":
                continue
            function = user.parent_op
            if function is None or function is not self.entry:
                continue
            layout = self._layout(placement.function_result_sharding(function, index), value.type)
            yield self.at_entry(replicated(rank_of(value.type)) if layout is None else layout)

    def _layout(self, sharding: TensorSharding | None, type: Type) -> Layout | None:
        if sharding is None:
            return None
        key = (sharding, rank_of(type))
        found = self._layouts.get(key)
        if found is None:
            found = self._layouts[key] = layout_of(sharding, type, self._meshes)
        return found


def _unsaid_layout(op: Operation, result: Value) -> Layout | None:
    """The layout of a result that propagation left without a sharding: replicated. An elementwise operation keeps the
    layout of its operands, as a later operation may need less than the whole."""
    return None if op.traits & ELEMENTWISE else replicated(rank_of(result.type))
