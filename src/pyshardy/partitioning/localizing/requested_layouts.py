"""Requested layouts: those that the shardings of a program ask for, at the boundary, of results, and by users.

A result that comes out in another layout is resharded to the requested one only if that serves a user. The partitioner
and ``clusters`` ask here; ``emitting.layout`` turns shardings into layouts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pyshardy.dialects.control_flow import has_control_flow
from pyshardy.dialects.func import function_type
from pyshardy.dialects.sdy import placement
from pyshardy.dialects.sdy.dataflow import SHARDING
from pyshardy.emitting.layout import Layout, layout_of, rank_of, replicated
from pyshardy.ir.attributes import DictionaryAttr
from pyshardy.ir.opdef import ELEMENTWISE
from pyshardy.ir.operation import Operation, Value
from pyshardy.ir.types import Type, quantized_axis
from pyshardy.sharding.mesh import Mesh
from pyshardy.sharding.tensor import TensorSharding, TensorShardingPerValue


def is_bound(op: Operation) -> bool:
    """Whether the shardings of the results of ``op`` hold even with free results: constraints and the like, and control
    flow."""
    return has_control_flow(op) or op.name.startswith("sdy.")


class RequestedLayouts:
    """The layouts that the shardings of a program on ``meshes`` request. ``boundary_mesh`` and ``ignore_requested`` are
    those of ``RunOptions``; ``entry`` is the current function if it is called from outside."""

    def __init__(self, meshes: Mapping[str, Mesh], *, boundary_mesh: str | None, ignore_requested: bool) -> None:
        self.ignore_requested = ignore_requested
        self.entry: Operation | None = None
        self._meshes = meshes
        self._boundary_mesh = meshes.get(boundary_mesh) if boundary_mesh is not None else None
        self._requested: dict[tuple[DictionaryAttr, Type], list[Layout | None]] = {}
        self._layouts: dict[tuple[TensorSharding, int, int | None], Layout] = {}

    def for_arguments(self, function: Operation) -> list[Layout | None]:
        """The layouts that ``function`` declares for its arguments; None where it declares none."""
        return [
            self._layout(sharding, type)
            for sharding, type in zip(
                placement.function_arguments_as_stored(function), function_type(function).inputs, strict=True
            )
        ]

    def problem_at_boundary(self, function: Operation) -> str | None:
        """What keeps callers from giving arguments to ``function``, or getting results, as these are sharded: one is
        sharded along a dimension that has a scale for each place. None if nothing does."""
        type = function_type(function)
        for what, shardings, types in (
            ("argument", placement.function_arguments_as_stored(function), type.inputs),
            ("result", placement.function_results_as_stored(function), type.results),
        ):
            for number, (sharding, one) in enumerate(zip(shardings, types, strict=True)):
                axis = quantized_axis(one)
                if (
                    axis is not None
                    and sharding is not None
                    and any(dim.axes for dim in sharding.dims[axis : axis + 1])
                ):
                    return (
                        f"{what} {number} is quantized with a scale for each place of dimension {axis}, so that it "
                        "cannot be sharded along it: all devices have one type; give that dimension no axes"
                    )
        return None

    def for_results(self, op: Operation) -> list[Layout | None]:
        """The layouts that are requested for the results of ``op``; None where there is no request."""
        if self.ignore_requested and not is_bound(op):
            return [self._returned_layout(result) for result in op.results]
        one_type = op.results[0].type if len(op.results) == 1 else None
        if one_type is not None and op.attributes.entries:
            known = self._requested.get((op.attributes, one_type))
            if known is not None:
                return known
        found = op.attributes.entries.get(SHARDING)
        if not isinstance(found, TensorShardingPerValue) or len(found) != len(op.results):
            return [self._returned_layout(result) or _default_layout(op, result) for result in op.results]
        requested = [self._layout(one, result.type) for one, result in zip(found, op.results, strict=True)]
        if one_type is not None:
            self._requested[op.attributes, one_type] = requested
        return requested

    def for_value(self, value: Value) -> tuple[Layout, ...]:
        """The layouts in which ``value`` is returned or used, as far as known."""
        found = dict.fromkeys(self._returned_layouts(value))
        if not found and not self.ignore_requested:
            layout = self._layout(placement.sharding_of(value), value.type)
            found = {layout: None} if layout is not None and self.has_user_in(value, layout) else {}
        return tuple(found)

    def has_user_in(self, value: Value, layout: Layout) -> bool:
        """Whether a function returns ``value``, or an elementwise operation has its result in ``layout``, too."""
        return any(
            user.name == "func.return" or (user.traits & ELEMENTWISE and self.for_results(user) == [layout])
            for user in value.users
        )

    def where_returned(self, value: Value) -> tuple[Layout, ...]:
        """The layouts in which the current function returns ``value``, if it is called from outside."""
        return tuple(self._returned_layouts(value))

    def at_entry(self, layout: Layout) -> Layout:
        """``layout`` as callers from outside have it: replicated, if it is on another mesh than ``boundary_mesh``."""
        if self._boundary_mesh is None or layout.mesh in (None, self._boundary_mesh):
            return layout
        return replicated(layout.rank)

    def _returned_layout(self, value: Value) -> Layout | None:
        """The layout in which the current function returns ``value``; None if it does not, or is not called from
        outside."""
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
        key = (sharding, rank_of(type), quantized_axis(type))
        found = self._layouts.get(key)
        if found is None:
            found = self._layouts[key] = layout_of(sharding, type, self._meshes)
        return found


def _default_layout(op: Operation, result: Value) -> Layout | None:
    """The layout requested for a result that propagation left without sharding: replicated. None for an elementwise
    operation, which keeps the layout of its operands, because a later operation may need less than the whole."""
    return None if op.traits & ELEMENTWISE else replicated(rank_of(result.type))
