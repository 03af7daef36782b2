"""Groups of operations, with those of the dialect ``sdy``, by name, for those who treat all of a group alike."""

from __future__ import annotations

STABLEHLO_MESH = "stablehlo.mesh"
"""The attribute of ``sdy.mesh`` that says the same mesh again, as StableHLO writes meshes."""

COLLECTIVES = frozenset(
    f"sdy.{name}"
    for name in (
        "all_gather",
        "all_reduce",
        "all_slice",
        "all_to_all",
        "collective_permute",
        "reduce_scatter",
        "replicated_to_unreduced",
        "sharded_to_unreduced",
    )
)
"""What a reshard becomes."""

REDUCING_COLLECTIVES = ("sdy.all_reduce", "sdy.reduce_scatter")
"""Collectives that reduce partial sums."""

IDENTITIES = COLLECTIVES | {
    "sdy.data_flow_edge",
    "sdy.func_data_flow_edge",
    "sdy.propagation_barrier",
    "sdy.reshard",
    "sdy.sharding_constraint",
}
"""Operations with one operand, whose result is the same tensor, perhaps laid out in another way."""

HANDED_ON = IDENTITIES | {"stablehlo.optimization_barrier"}
"""Operations whose results are their operands, number by number."""

CONSTANTS = frozenset({"sdy.constant", "stablehlo.constant"})
"""Constants before, during and after propagation."""
