"""The values that each property of the dialect's operations may have, with the wording of MLIR's verifier."""

from __future__ import annotations

from pyshardy.ir.attribute import Attribute
from pyshardy.ir.attributes import IntegerAttr, StringAttr
from pyshardy.ir.elements import DenseElementsAttr, DenseResourceAttr, SparseElementsAttr, StringElementsAttr
from pyshardy.ir.opdef import PropertyKind, property_kind
from pyshardy.ir.types import I32, I64
from pyshardy.sharding.lists import AllToAllParamList, AxisRefList, ListOfAxisRefLists, ManualAxes
from pyshardy.sharding.mesh import Mesh
from pyshardy.sharding.tensor import TensorSharding, TensorShardingPerValue

ELEMENTS = (DenseElementsAttr, DenseResourceAttr, SparseElementsAttr, StringElementsAttr)


def _is_integer(value: Attribute) -> bool:
    return isinstance(value, IntegerAttr)


def _is_i64(value: Attribute) -> bool:
    return isinstance(value, IntegerAttr) and value.type is I64


def _is_direction(value: Attribute) -> bool:
    return isinstance(value, IntegerAttr) and value.type is I32 and 0 <= value.value <= 3


def _is_reduction(value: Attribute) -> bool:
    return isinstance(value, IntegerAttr) and value.type is I32 and 0 <= value.value <= 2


_SHARDING = property_kind("Tensor sharding", TensorSharding)
_SHARDINGS = property_kind("Tensor sharding per operand/result of an op", TensorShardingPerValue)
_STRING = property_kind("string attribute", StringAttr)
AXIS_REFS = property_kind("List of axis refs", AxisRefList)
AXIS_REF_LISTS = property_kind("List of axis ref lists", ListOfAxisRefLists)
_PARAMS = property_kind("List of all-to-all parameters", AllToAllParamList)
AXES = (AXIS_REFS, AXIS_REF_LISTS, _PARAMS)
"""What says along which axes a collective moves."""

KINDS: dict[str, PropertyKind] = {
    "allowed_direction": PropertyKind("propagation direction enum", _is_direction, _is_direction),
    "gathering_axes": AXIS_REF_LISTS,
    "group_id": PropertyKind("64-bit signless integer attribute", _is_integer, _is_i64),
    "in_shardings": _SHARDINGS,
    "manual_axes": property_kind("A list of axes that a ManualComputationOp is manual on", ManualAxes),
    "mesh": property_kind("Mesh of axes and a list of devices", Mesh),
    "name": _STRING,
    "out_sharding": _SHARDING,
    "out_shardings": _SHARDINGS,
    "params": _PARAMS,
    "reduce_scatter_axes": AXIS_REF_LISTS,
    "reduction_axes": AXIS_REFS,
    "reduction_op": PropertyKind("reduction operation enum", _is_reduction, _is_reduction),
    "sharding": _SHARDING,
    "slicing_axes": AXIS_REF_LISTS,
    "sym_name": _STRING,
    "value": property_kind("constant vector/tensor attribute", *ELEMENTS),
}
"""By name of the property; ``axes``, which differs by operation, is not here."""
