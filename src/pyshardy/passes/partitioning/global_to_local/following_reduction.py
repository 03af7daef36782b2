"""Checks that a collective reduces the partial results of an operation, over the right axes.

Between the operation and a reduce-scatter there may be a pad with zeros, so that the scattered dimension divides.
"""

from __future__ import annotations

from pyshardy.emitting.layout import Axes
from pyshardy.ir.operation import Operation, Value
from pyshardy.passes.partitioning.global_to_local.conversion import ConversionSite
from pyshardy.passes.partitioning.legalization import refuse
from pyshardy.rules.properties import integers
from pyshardy.sharding.axes import difference, sort_and_merge
from pyshardy.sharding.lists import AxisRefList, ListOfAxisRefLists
from pyshardy.sharding.mesh import Mesh


def expect_reduction(site: ConversionSite, mesh: Mesh, axes: Axes, what: str, dimensions: str) -> None:
    """Checks that a collective reduces the result of the operation over ``axes``, except those over which the result
    stays unreduced.

    Raises:
        NotConvertible: there is none, or it reduces over other axes.
    """
    sharding = site.sharding(site.op.results[0])
    wanted = difference(axes, sharding.unreduced, mesh) if sharding is not None else axes
    if not wanted:
        return
    found = _axes_combined(site.op.results[0])
    if found is None:
        refuse(f"Expected {what} to have one user and the user is an sdy.all_reduce.")
    if sort_and_merge(found, mesh) != sort_and_merge(wanted, mesh):
        refuse(f"The axes of the sdy.all_reduce should match the sharded {dimensions}")


def _axes_combined(value: Value) -> Axes | None:
    """The axes over which the only user of ``value`` reduces it; None if it does not."""
    users = list(value.users)
    if len(users) != 1:
        return None
    (user,) = users
    axes, scattered = user.properties.get("reduction_axes"), user.properties.get("reduce_scatter_axes")
    if user.name == "sdy.all_reduce" and isinstance(axes, AxisRefList):
        return axes.axes
    if user.name == "sdy.reduce_scatter" and isinstance(scattered, ListOfAxisRefLists):
        return tuple(axis for each in scattered for axis in each)
    passes = user.name == "sdy.replicated_to_unreduced" or pads_behind(user)
    return _axes_combined(user.results[0]) if passes and user.operands[0] is value else None


def pads_behind(op: Operation) -> bool:
    """Whether ``op`` is a pad that only adds elements at the end of dimensions."""
    around = (*integers(op, "edge_padding_low"), *integers(op, "interior_padding"))
    return op.name == "stablehlo.pad" and not any(around) and min(integers(op, "edge_padding_high"), default=0) >= 0
