"""The names of the exchange form: frontend attributes, custom calls, and functions with manual bodies."""

from __future__ import annotations

from pyshardy.ir.attributes import DictionaryAttr, StringAttr
from pyshardy.ir.operation import Operation
from pyshardy.rules.properties import string

PREFIX = "xla.sdy."
FRONTEND_ATTRIBUTES = "mhlo.frontend_attributes"
GSPMD_SHARDING = "mhlo.sharding"

MESHES = "xla.sdy.meshes"
SHARDING = "xla.sdy.sharding"
SHARDING_RULE = "xla.sdy.sharding_rule"
IN_SHARDINGS = "xla.sdy.in_shardings"
OUT_SHARDINGS = "xla.sdy.out_shardings"
MANUAL_AXES = "xla.sdy.manual_axes"
GROUP_ID = "xla.sdy.sharding_group_id"
ALLOWED_DIRECTION = "xla.sdy.allowed_direction"
USE_TUPLE_ARGUMENTS = "xla.sdy.use_tuple_args"
TUPLE_ARGUMENTS = "xla.sdy.tuple_args_shardings"
TUPLE_RESULTS = "xla.sdy.tuple_results_shardings"
IMPORT_GSPMD = "xla.sdy.import_mhlo_shardings"
ORIGINAL_FUNCTION = "xla.sdy.original_func_name"

CONSTRAINT = "Sharding"
RESULT_SHARDING = "xla.sdy.FuncResultSharding"
SHARDING_GROUP = "xla.sdy.ShardingGroup"
BARRIER = "xla.sdy.PropagationBarrier"
GLOBAL_TO_LOCAL = "xla.sdy.GlobalToLocalShape"
LOCAL_TO_GLOBAL = "xla.sdy.LocalToGlobalShape"
MANUAL_BODY = "xla.sdy.manual_computation_body"
_LOCAL = "local_"
"""The prefix of manual computations in a program that was made for one process of many."""


def call_target(op: Operation) -> str | None:
    """The target of the custom call ``op``, without the prefix that programs of one process have; None if ``op`` is no
    custom call. A call of an unknown dialect counts if its target is one of this form."""
    target = string(op, "call_target_name") if op.name == "stablehlo.custom_call" else None
    if op.definition is None:
        found = op.attributes.get("call_target_name") or op.properties.get("call_target_name")
        if isinstance(found, StringAttr) and PREFIX in found.value:
            target = found.value
    return target.removeprefix(_LOCAL) if target is not None and target.startswith(_LOCAL + PREFIX) else target


def frontend_attributes(attributes: DictionaryAttr) -> DictionaryAttr | None:
    """The frontend attributes among ``attributes``."""
    found = attributes.get(FRONTEND_ATTRIBUTES)
    return found if isinstance(found, DictionaryAttr) else None


def with_frontend_attributes(attributes: DictionaryAttr, frontend: DictionaryAttr) -> DictionaryAttr:
    """``attributes`` with these frontend attributes, without any if there are none."""
    if not frontend:
        return attributes.without(FRONTEND_ATTRIBUTES)
    return attributes.with_(FRONTEND_ATTRIBUTES, frontend)
