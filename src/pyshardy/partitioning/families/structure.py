"""Localizes tuples, tokens and random numbers, which are never sharded.

Tuples and tokens are the same on every device. Random bits are drawn whole by every device, so that they are those of
the global program.
"""

from __future__ import annotations

from pyshardy.emitting.layout import replicated
from pyshardy.emitting.sharded import Sharded
from pyshardy.ir.operation import Operation
from pyshardy.partitioning.localizing.registry import localizes
from pyshardy.partitioning.localizing.site import Site
from pyshardy.rules.properties import integer


@localizes("stablehlo.rng_bit_generator", "stablehlo.rng")
def _whole(site: Site) -> list[Sharded]:
    return site.fall_back()


@localizes("stablehlo.tuple")
def _tuple(site: Site) -> list[Sharded]:
    """A tuple whose only users take its elements is not created."""
    result = site.op.results[0]
    if not site.operands or any(user.name != _ELEMENT for user in result.users):
        return site.fall_back()
    return [Sharded(site.operands[0].value, result.type, replicated(0))]


_ELEMENT = "stablehlo.get_tuple_element"


@localizes(_ELEMENT)
def _get_tuple_element(site: Site) -> list[Sharded]:
    tuple: Operation | None = site.op.operands[0].defining_op
    if tuple is None or tuple.name != "stablehlo.tuple":
        return site.fall_back()
    return [site.run.env[tuple.operands[integer(site.op, "index", 0)]]]


@localizes("stablehlo.get_dimension_size")
def _get_dimension_size(site: Site) -> list[Sharded]:
    shape = site.operands[0].shape
    dim = integer(site.op, "dimension", 0)
    if dim >= len(shape) or shape[dim] < 0:
        return site.fall_back()
    return [site.result(0, site.builder.scalar(shape[dim]), replicated(0))]
