"""The pass ``sdy-manual-axes-cleanup``: sorts the axes of each manual computation, and names all in each of its
shardings.

A manual axis that a sharding does not use becomes explicitly replicated, so that propagation cannot take it. The import
pipeline runs it after ``remove_size_one_axes``. Shardy's documentation asks users for both, its verifier for neither:
remarks say where it was not done.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from pyshardy.dialects.sdy.dataflow import manual_axes
from pyshardy.dialects.sdy.placement import common_mesh_ref, meshes
from pyshardy.ir import rewriting
from pyshardy.ir.context import Context
from pyshardy.ir.operation import Operation, Value
from pyshardy.ir.operation_index import operation_index
from pyshardy.ir.passes import Pass, PassFailure, register_pass
from pyshardy.ir.types import ShapedType
from pyshardy.ir.verifying.operation_diagnostics import emit_at
from pyshardy.sharding.axes import AxisRef, difference, mesh_order, sort_and_merge
from pyshardy.sharding.lists import ManualAxes
from pyshardy.sharding.mesh import Mesh
from pyshardy.sharding.tensor import TensorSharding, TensorShardingPerValue

_PASS = "sdy-manual-axes-cleanup"
_SIDES = ("in_shardings", "out_shardings")


class _Cleanup:
    """What one computation needs: its mesh, as its shardings refer to it, and its manual axes in the mesh's order."""

    def __init__(self, computation: Operation, mesh_ref: str | Mesh, known_meshes: Mapping[str, Mesh]) -> None:
        self.mesh_ref = mesh_ref
        self.mesh = known_meshes[mesh_ref] if isinstance(mesh_ref, str) else mesh_ref
        self.axes = sorted(map(AxisRef, manual_axes(computation)), key=lambda axis: mesh_order(axis, self.mesh))

    def remarks(
        self,
        written: Sequence[str],
        shardings: Mapping[str, TensorShardingPerValue],
        values: Mapping[str, Iterable[Value]],
    ) -> Iterator[str]:
        """What the computation should have said by itself. Axes of size 1 are passed over: where one is missing, it may
        have been removed just before."""
        if [axis.name for axis in self.axes] != list(written):
            order = f"are not in the order of the mesh; {_PASS} makes them {_braced(self.axes)}"
            yield f"manual axes {_braced(map(AxisRef, written))} {order}"
        for side, listed in shardings.items():
            for index, (sharding, value) in enumerate(zip(listed, values[side], strict=False)):
                unused = [axis for axis in self._unused(sharding, value) if axis.size(self.mesh) > 1]
                if unused:
                    yield (
                        f"{side}[{index}] neither shards a dimension by manual axes {_braced(unused)} nor has them as "
                        f"replicated; {_PASS} adds them to replicated"
                    )

    def _unused(self, sharding: TensorSharding, value: Value) -> list[AxisRef]:
        return difference(self.axes, list(sharding.axes()), self.mesh) if isinstance(value.type, ShapedType) else []

    def with_all_axes(self, sharding: TensorSharding, value: Value) -> TensorSharding:
        unused = self._unused(sharding, value)
        if not unused:
            return sharding
        replicated = sort_and_merge((*sharding.replicated, *unused), self.mesh)
        return sharding.replace(mesh_or_ref=self.mesh_ref, replicated=replicated)


def _braced(axes: Iterable[AxisRef]) -> str:
    return "{" + ", ".join(axis.body_text for axis in axes) + "}"


def clean_up_manual_axes(computation: Operation, known_meshes: Mapping[str, Mesh], context: Context) -> None:
    """Sorts the manual axes of ``computation``; in each sharding, makes those that it does not use replicated.
    With ``context.remarks`` the user hears of each of these.

    Raises:
        PassFailure: there are manual axes and something in the body, but no shardings.
    """
    shardings = {side: _shardings(computation, side) for side in _SIDES}
    mesh_ref = common_mesh_ref((one for listed in shardings.values() for one in listed), known_meshes)
    if mesh_ref is None:
        _require_no_axes(computation, context)
        return
    cleanup = _Cleanup(computation, mesh_ref, known_meshes)
    values: Mapping[str, Iterable[Value]] = {"in_shardings": computation.operands, "out_shardings": computation.results}
    if context.remarks:
        for remark in cleanup.remarks(manual_axes(computation), shardings, values):
            emit_at(context, "remark", computation, remark)
    properties = computation.properties.with_("manual_axes", ManualAxes(axis.name for axis in cleanup.axes))
    for side, listed in shardings.items():
        properties = properties.with_(side, TensorShardingPerValue(map(cleanup.with_all_axes, listed, values[side])))
    rewriting.set_properties(computation, properties)


def _shardings(computation: Operation, side: str) -> TensorShardingPerValue:
    found = computation.properties.get(side)
    assert isinstance(found, TensorShardingPerValue)
    return found


def _require_no_axes(computation: Operation, context: Context) -> None:
    first = computation.body.first
    if manual_axes(computation) and first is not None and first.name != "sdy.return":
        message = (
            "op has manual_axes when there are no in/out shardings and the body is not empty. This isn't allowed at "
            "this stage, please contact the Shardy team or file a bug."
        )
        emit_at(context, "error", computation, message)
        raise PassFailure


@register_pass(_PASS, on="builtin.module", notes_changes=True)
class ManualAxesCleanup(Pass):
    """Sorts the manual axes of manual computations and names all of them in each sharding."""

    def apply(self, op: Operation, context: Context) -> bool:
        known_meshes = meshes(op)
        changed = False
        for nested in operation_index(op, context).named_postorder("sdy.manual_computation"):
            before = nested.properties
            clean_up_manual_axes(nested, known_meshes, context)
            changed = changed or nested.properties is not before
        return changed
