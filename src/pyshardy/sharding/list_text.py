"""Parses lists of axes: manual axes and the parameters of collectives (``sharding.lists``)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from pyshardy.ir.attribute import Attribute
from pyshardy.ir.attributes import StringAttr
from pyshardy.sharding.axes import AxisRef
from pyshardy.sharding.lists import AllToAllParam, AllToAllParamList, AxisRefList, ListOfAxisRefLists, ManualAxes
from pyshardy.sharding.text import comma_separated, parameter, parse_axis_ref

if TYPE_CHECKING:
    from pyshardy.ir.parsing.attribute_parser import AttributeParser

A = TypeVar("A", bound=Attribute)


def parse_manual_axes(parser: AttributeParser) -> ManualAxes:
    """``{"a", "b"}``."""
    return ManualAxes(name.value for name in _listed(parser, "{", "}", "ManualAxes", StringAttr, _parse_name))


def _parse_name(parser: AttributeParser) -> StringAttr:
    offset = parser.start
    found = parser.attribute()
    if not isinstance(found, StringAttr):
        parser.error("invalid kind of attribute specified", at=offset)
    return found


def parse_axis_ref_list(parser: AttributeParser) -> AxisRefList:
    """``{"a", "b":(1)2}``."""
    return AxisRefList(_listed(parser, "{", "}", "AxisRefList", AxisRef, parse_axis_ref))


def parse_list_of_axis_ref_lists(parser: AttributeParser) -> ListOfAxisRefLists:
    """``[{"a"}, {}]``."""
    lists = _listed(parser, "[", "]", "ListOfAxisRefLists", AxisRefList, parse_axis_ref_list)
    return ListOfAxisRefLists(one.axes for one in lists)


def parse_all_to_all_param(parser: AttributeParser) -> AllToAllParam:
    """``{"a"}: 0->1``."""
    parser.expect("{")
    with parameter(parser, "AllToAllParamAttr", "axes", "::llvm::ArrayRef<AxisRefAttr>"):
        axes = comma_separated(parser, AxisRef, parse_axis_ref)
    parser.expect("}")
    parser.expect(":")
    with parameter(parser, "AllToAllParamAttr", "src_dim", "int64_t"):
        source = parser.integer()
    parser.expect("->")
    with parameter(parser, "AllToAllParamAttr", "tgt_dim", "int64_t"):
        return AllToAllParam(axes, source, parser.integer())


def parse_all_to_all_param_list(parser: AttributeParser) -> AllToAllParamList:
    """``[{"a"}: 0->1, {"b"}: 2->3]``."""
    return AllToAllParamList(_listed(parser, "[", "]", "AllToAllParamList", AllToAllParam, parse_all_to_all_param))


def _listed(
    parser: AttributeParser,
    opening: str,
    closing: str,
    attribute: str,
    kind: type[A],
    parse_body: Callable[[AttributeParser], A],
) -> list[A]:
    """The elements of the list attribute ``attribute`` between its brackets, possibly none."""
    parser.expect(opening)
    elements: list[A] = []
    if not parser.at(closing):
        with parameter(parser, attribute, "value", f"::llvm::ArrayRef<{kind.__name__.removesuffix('Attr')}Attr>"):
            elements = comma_separated(parser, kind, parse_body)
    parser.expect(closing)
    return elements
