"""The pass ``sdy-remove-sub-axes-in-input-output-shardings``: removes sub-axes from the program's inputs and outputs.

Some frameworks cannot express sub-axes. The pass runs after ``update_non_divisible_input_output_shardings`` and before
``close_shardings``, so that it sees which dimensions the user left open: only those are changed.
"""

from __future__ import annotations

from functools import cache
from itertools import takewhile

from pyshardy.dialects.main_function import main_function
from pyshardy.ir.context import Context
from pyshardy.ir.operation import Operation
from pyshardy.ir.passes import Pass, register_pass
from pyshardy.passes.exporting.update_non_divisible_input_output_shardings import transform_boundary
from pyshardy.sharding.tensor import DimSharding, TensorSharding


def without_sub_axes(sharding: TensorSharding) -> TensorSharding:
    """``sharding`` with each open dimension cut before its first sub-axis."""
    return sharding.replace(dims=map(_full_axes, sharding.dims))


def _full_axes(dim: DimSharding) -> DimSharding:
    return dim if dim.is_closed else dim.with_axes(takewhile(lambda axis: axis.is_full, dim.axes))


def remove_sub_axes_at_boundary(module: Operation, context: Context) -> bool:
    """Cuts the open dimensions of the main function's arguments and results before their first sub-axis.

    Returns:
        Whether there was one.

    Raises:
        PassFailure: several functions, none of them ``@main``, or no function at all.
    """
    cut = cache(without_sub_axes)
    return transform_boundary(main_function(module, context), lambda sharding, _: cut(sharding))


@register_pass("sdy-remove-sub-axes-in-input-output-shardings", on="builtin.module")
class RemoveSubAxesInInputOutputShardings(Pass):
    """Removes sub-axes and what is behind them from open dimensions of the main function's inputs and outputs."""

    def apply(self, op: Operation, context: Context) -> bool:
        return remove_sub_axes_at_boundary(op, context)
