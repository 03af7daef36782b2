"""The readers of the dialect's attributes, by mnemonic: which function of ``sharding`` reads the body of ``#sdy.…``."""

from __future__ import annotations

from collections.abc import Callable

from pyshardy.ir.attribute import Attribute
from pyshardy.ir.attributes import OpaqueAttr
from pyshardy.ir.parsing.attribute_parser import AttributeParser
from pyshardy.sharding.list_text import (
    parse_all_to_all_param,
    parse_all_to_all_param_list,
    parse_axis_ref_list,
    parse_list_of_axis_ref_lists,
    parse_manual_axes,
)
from pyshardy.sharding.propagation_edges import (
    parse_axis_to_propagation_details,
    parse_edge_value_ref,
    parse_propagation_edges,
    parse_propagation_one_step,
)
from pyshardy.sharding.rule import (
    factor_symbol,
    parse_dim_mapping,
    parse_rule_body,
    parse_tensor_mapping,
    tensor_mapping_text,
)
from pyshardy.sharding.text import (
    parse_axis_ref,
    parse_dim_sharding,
    parse_mesh,
    parse_mesh_axis,
    parse_sharding_per_value,
    parse_sub_axis_info,
    parse_tensor_sharding,
)


def _parse_tensor_mapping(parser: AttributeParser) -> Attribute:
    """A mapping standing alone, which nothing looks into."""
    return OpaqueAttr(f"#sdy<tensor_mapping{tensor_mapping_text(parse_tensor_mapping(parser))}>")


def _parse_dim_mapping(parser: AttributeParser) -> Attribute:
    return OpaqueAttr("#sdy.dim_mapping" + "".join(map(factor_symbol, parse_dim_mapping(parser))))


_BODIES: dict[str, Callable[[AttributeParser], Attribute]] = {
    "all_to_all_param": parse_all_to_all_param,
    "all_to_all_param_list": parse_all_to_all_param_list,
    "axis_ref": parse_axis_ref,
    "axis_ref_list": parse_axis_ref_list,
    "axis_to_propagation_details": parse_axis_to_propagation_details,
    "dim_mapping": _parse_dim_mapping,
    "dimension_sharding": parse_dim_sharding,
    "edge_value_ref": parse_edge_value_ref,
    "list_of_axis_ref_lists": parse_list_of_axis_ref_lists,
    "manual_axes": parse_manual_axes,
    "mesh": parse_mesh,
    "mesh_axis": parse_mesh_axis,
    "op_sharding_rule": parse_rule_body,
    "propagation_edges": parse_propagation_edges,
    "propagation_one_step": parse_propagation_one_step,
    "sharding": parse_tensor_sharding,
    "sharding_per_value": parse_sharding_per_value,
    "sub_axis_info": parse_sub_axis_info,
    "tensor_mapping": _parse_tensor_mapping,
}


def parse_attribute(parser: AttributeParser, mnemonic: str) -> Attribute:
    """The attribute ``#sdy.mnemonic`` whose body starts at the current token."""
    body = _BODIES.get(mnemonic)
    if body is None:
        mnemonic_offset = parser.previous_end - len(mnemonic)
        parser.error(f"unknown attribute `{mnemonic}` in dialect `sdy`", at=mnemonic_offset)
    return body(parser)
