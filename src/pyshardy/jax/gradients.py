"""Plans the gradient of a planned function: its vector-Jacobian product, lowered with the same shardings.

``jax.grad`` of a compiled plan asks the ``jax.export.Exported`` inside for its vjp; it gets the plan of the program
that is lowered here. JAX runs it with the arguments and the cotangents of the results, so that the function itself is
computed again.
"""

from __future__ import annotations

from typing import Any

import jax
from jax.extend.core import jaxpr_as_fun
from jax.sharding import AbstractMesh, AxisType

from pyshardy.jax.lowering import Lowering, lower
from pyshardy.jax.runnable import Runnable


def lowered_vjp(runnable: Runnable, one: Lowering) -> Lowering:
    """The gradient of ``one``, which was planned and made ``runnable``: arguments as the plan has them, cotangents of
    results where the results are, gradients where the arguments are."""
    function = jaxpr_as_fun(one.traced.jaxpr)
    count = len(runnable.in_specs)

    def vjp(*both: Any) -> Any:
        _, pull_back = jax.vjp(function, *both[:count])
        return pull_back(list(both[count:]))

    vjp.__name__ = vjp.__qualname__ = f"vjp_of_{one.name}"
    exported = runnable.exported
    avals = (*exported.in_avals, *(aval.to_tangent_aval() for aval in exported.out_avals))
    shapes = tuple(jax.ShapeDtypeStruct(aval.shape, aval.dtype, weak_type=aval.weak_type) for aval in avals)
    options: dict[str, Any] = {}
    if runnable.axes:
        types = tuple(AxisType[name] for name in runnable.axis_types)
        mesh = AbstractMesh(tuple(runnable.axes.values()), tuple(runnable.axes), axis_types=types)
        inputs, outputs = runnable.shardings(mesh)
        options = {"in_shardings": (*inputs, *outputs), "out_shardings": tuple(inputs)}
    return lower(vjp, shapes, {}, options, one.given_mesh, one.platform)
