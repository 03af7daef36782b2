"""Where GSPMD writes shardings in a program: an attribute, and custom calls that only mark a value.

``sharding_text`` reads what the attribute says; ``conversion`` and ``manual_parts`` look here for it.
"""

from __future__ import annotations

import re

from pyshardy.ir.attributes import StringAttr
from pyshardy.ir.operation import Operation
from pyshardy.rules.properties import string

GSPMD_SHARDING = "mhlo.sharding"
SHARDING_MARKER = "Sharding"
FULL_TO_SHARD = "SPMDFullToShardShape"
SHARD_TO_FULL = "SPMDShardToFullShape"
MARKERS = (SHARDING_MARKER, FULL_TO_SHARD, SHARD_TO_FULL)
_UNSPECIFIED = re.compile(r"unspecified_dims=\[([\d, ]*)\]")


def gspmd_text(op: Operation) -> str | None:
    """The text of the sharding that ``op`` carries itself."""
    found = op.attributes.entries.get(GSPMD_SHARDING)
    return found.value if isinstance(found, StringAttr) else None


def is_call_of(op: Operation, target: str) -> bool:
    """Whether ``op`` is a custom call of ``target``."""
    return op.name == "stablehlo.custom_call" and string(op, "call_target_name") == target


def unspecified_dims(op: Operation) -> frozenset[int]:
    """The dimensions of which a ``@Sharding`` says that propagation may shard them further."""
    found = _UNSPECIFIED.search(string(op, "backend_config") or "")
    return frozenset(int(one) for one in found[1].split(",") if one.strip()) if found else frozenset()
