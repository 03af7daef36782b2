"""The places of GSPMD shardings in a program: an attribute, and custom calls that only mark a value.

``sharding_text`` parses the attribute; ``conversion`` and ``manual_parts`` use these functions.
"""

from __future__ import annotations

import re

from pyshardy.ir.attributes import IntegerAttr, StringAttr
from pyshardy.ir.operation import Operation
from pyshardy.rules.properties import string

GSPMD_SHARDING = "mhlo.sharding"
SHARDING_MARKER = "Sharding"
FULL_TO_SHARD = "SPMDFullToShardShape"
SHARD_TO_FULL = "SPMDShardToFullShape"
GSPMD_MARKERS = (SHARDING_MARKER, FULL_TO_SHARD, SHARD_TO_FULL)
_NUM_PARTITIONS = "mhlo.num_partitions"
_UNSPECIFIED = re.compile(r"unspecified_dims=\[([\d, ]*)\]")


def gspmd_text(op: Operation) -> str | None:
    """The text of the sharding that ``op`` carries itself."""
    found = op.attributes.entries.get(GSPMD_SHARDING)
    return found.value if isinstance(found, StringAttr) else None


def num_partitions(module: Operation) -> int:
    """The number of devices that ``module`` declares; 1 by default."""
    found = module.attributes.get(_NUM_PARTITIONS)
    return found.value if isinstance(found, IntegerAttr) else 1


def is_call_of(op: Operation, target: str) -> bool:
    """Whether ``op`` is a custom call of ``target``."""
    return op.name == "stablehlo.custom_call" and string(op, "call_target_name") == target


def unspecified_dims(op: Operation) -> frozenset[int]:
    """The dimensions that a ``@Sharding`` leaves open for propagation."""
    found = _UNSPECIFIED.search(string(op, "backend_config") or "")
    return frozenset(int(one) for one in found[1].split(",") if one.strip()) if found else frozenset()
