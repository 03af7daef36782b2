"""Localizes tuples, tokens and random numbers: what is never shared.

Tuples and tokens are the same on every device; random bits are drawn whole by every device, so that they are those
of the global program. Registers with ``registry``.
"""

from __future__ import annotations

from pyshardy.partitioning.layout import Sharded
from pyshardy.partitioning.registry import localizes
from pyshardy.partitioning.site import Site


@localizes("stablehlo.get_tuple_element", "stablehlo.tuple", "stablehlo.rng_bit_generator", "stablehlo.rng")
def _whole(site: Site) -> list[Sharded]:
    return site.fall_back()
