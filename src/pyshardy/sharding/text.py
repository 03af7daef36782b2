"""Parses meshes and shardings, with the messages of Shardy's parser at its places.

Each ``parse_…`` reads the body of one attribute, the text without ``#sdy.mnemonic``, as it occurs inside other
attributes and in operations. ``ir.parsing.attribute_parser`` gives the tokens; the ``sdy`` dialect calls these
functions. The ``body_text`` of each class prints it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

from pyshardy.ir.attribute import Attribute
from pyshardy.ir.attributes import SymbolRefAttr
from pyshardy.ir.parsing.token_parser import ParseError
from pyshardy.sharding.axes import AxisRef
from pyshardy.sharding.mesh import LARGEST_INTEGER, Mesh, MeshAxis
from pyshardy.sharding.tensor import DimSharding, TensorSharding, TensorShardingPerValue

if TYPE_CHECKING:
    from pyshardy.ir.parsing.attribute_parser import AttributeParser

A = TypeVar("A", bound=Attribute)

REDUCTIONS = ("sum", "max", "min")
"""How the shards of an unreduced tensor combine."""

_PLAIN_SHARDING = re.compile(r'<@[\w"{}?:(),=\[\] ]*>', re.ASCII)
_shardings_by_text: dict[str, TensorSharding] = {}


# --- what all parsers of attributes share -----------------------------------------------------------------------------


@contextmanager
def parameter(parser: AttributeParser, attribute: str, name: str, type: str) -> Iterator[None]:
    """Adds MLIR's line about the parameter being read to an error that happens inside."""
    try:
        yield
    except ParseError as error:
        parser.append_errors(error, f"failed to parse Sdy_{attribute} parameter '{name}' which is to be a `{type}`")


def check_kind(parser: AttributeParser, kind: type[A], parse_body: Callable[[AttributeParser], A]) -> A:
    """An element: its body, or the attribute written out (``#sdy…``) or by alias, which must be of ``kind``."""
    if parser.kind != "hash":
        return parse_body(parser)
    offset = parser.start
    found = parser.attribute()
    if not isinstance(found, kind):
        parser.error("invalid kind of attribute specified", at=offset)
    return found


def comma_separated(parser: AttributeParser, kind: type[A], parse_body: Callable[[AttributeParser], A]) -> list[A]:
    """At least one element of ``kind``."""
    found = [check_kind(parser, kind, parse_body)]
    while parser.accept(","):
        found.append(check_kind(parser, kind, parse_body))
    return found


def checked(parser: AttributeParser, offset: int, make: Callable[[], A]) -> A:
    """``make()``; a ValueError of it becomes an error at ``offset``."""
    try:
        return make()
    except ValueError as error:
        parser.error(str(error), at=offset)


# --- meshes and axes --------------------------------------------------------------------------------------------------


def parse_mesh_axis(parser: AttributeParser) -> MeshAxis:
    """``"a"=2``."""
    offset = parser.start
    with parameter(parser, "MeshAxis", "name", "::llvm::StringRef"):
        name = parser.string()
    parser.expect("=")
    with parameter(parser, "MeshAxis", "size", "int64_t"):
        size = parser.integer()
    return checked(parser, offset, lambda: MeshAxis(name, size))


def parse_mesh(parser: AttributeParser) -> Mesh:
    """``<["a"=2, "b"=4], device_ids=[…]>``."""
    offset = parser.start
    parser.expect("<")
    parser.expect("[")
    axes: list[MeshAxis] = []
    if not parser.at("]"):
        with parameter(parser, "Mesh", "axes", "::llvm::ArrayRef<MeshAxisAttr>"):
            axes = comma_separated(parser, MeshAxis, parse_mesh_axis)
    parser.expect("]")
    ids: list[int] = []
    if parser.accept(","):
        parser.expect_keyword("device_ids")
        parser.expect("=")
        parser.expect("[")
        with parameter(parser, "Mesh", "device_ids", "::llvm::ArrayRef<int64_t>"):
            ids.append(parser.integer())
            while parser.accept(","):
                ids.append(parser.integer())
        parser.expect("]")
    parser.expect(">")
    return checked(parser, offset, lambda: Mesh(axes, ids))


def parse_axis_ref(parser: AttributeParser) -> AxisRef:
    """``"a"`` or ``"a":(1)2``."""
    with parameter(parser, "AxisRef", "name", "::llvm::StringRef"):
        name = parser.string()
    if not parser.accept(":"):
        return AxisRef(name)
    with parameter(parser, "AxisRef", "sub_axis_info", "SubAxisInfoAttr"):
        info = check_kind(parser, SubAxisInfo, parse_sub_axis_info)
    return AxisRef(name, info.pre, info.size)


class SubAxisInfo(Attribute):
    """The part ``(pre)size`` of an axis. Seen only in text: an ``AxisRef`` holds the two numbers."""

    __slots__ = ("pre", "size")
    pre: int
    size: int

    def __new__(cls, pre: int, size: int) -> SubAxisInfo:
        return cls._table[pre, size]

    def _render(self) -> str:
        return f"#sdy<sub_axis_info({self.pre}){self.size}>"


def parse_sub_axis_info(parser: AttributeParser) -> SubAxisInfo:
    """``(1)2``."""
    parser.expect("(")
    with parameter(parser, "SubAxisInfo", "pre_size", "int64_t"):
        pre = parser.integer()
    parser.expect(")")
    with parameter(parser, "SubAxisInfo", "size", "int64_t"):
        return SubAxisInfo(pre, parser.integer())


# --- shardings --------------------------------------------------------------------------------------------------------


def parse_dim_sharding(parser: AttributeParser) -> DimSharding:
    """``{"a", ?}p1``."""
    parser.expect("{")
    axes: list[AxisRef] = []
    closed = True
    if not parser.at("}"):
        if parser.accept("?"):
            closed = False
        else:
            axes.append(parse_axis_ref(parser))
        while closed and parser.accept(","):
            if parser.accept("?"):
                closed = False
            else:
                axes.append(parse_axis_ref(parser))
        if closed and not parser.at("}"):
            parser.expect(",")
    parser.expect("}")
    return DimSharding(axes, closed, _parse_priority(parser))


def _parse_priority(parser: AttributeParser) -> int | None:
    if parser.kind != "bare":
        return None
    word = parser.advance()
    digits = word[1:]
    if word[0] != "p" or not (digits.isascii() and digits.isdigit()):
        parser.error(f"expecting priority in format 'p<number>', got: {word}")
    if len(digits) > 1 and digits[0] == "0":
        parser.error(f"priorities with leading zeros are not allowed, got: {word}")
    if len(digits) > 19 or int(digits) > LARGEST_INTEGER:
        parser.error(f"expecting integer priority, got: {word}")
    return int(digits)


def parse_tensor_sharding(parser: AttributeParser) -> TensorSharding:
    """``<@mesh, [{"a"}, {?}], replicated={"c"}, unreduced={"d"}>``; what has been read before is found by its text."""
    match = _PLAIN_SHARDING.match(parser.source, parser.start)
    if match is None:
        return _parse_tensor_sharding(parser)
    known = _shardings_by_text.get(match[0])
    if known is not None:
        parser.move_to(match.end())
        return known
    found = _parse_tensor_sharding(parser)
    if parser.previous_end == match.end():
        _shardings_by_text[match[0]] = found
    return found


def _parse_tensor_sharding(parser: AttributeParser) -> TensorSharding:
    parser.expect("<")
    mesh_or_ref = _parse_mesh_or_ref(parser)
    parser.expect(",")
    parser.expect("[")
    dims: list[DimSharding] = []
    if not parser.at("]"):
        with parameter(parser, "TensorSharding", "dim_shardings", "::llvm::ArrayRef<DimensionShardingAttr>"):
            dims = comma_separated(parser, DimSharding, parse_dim_sharding)
    parser.expect("]")
    named: dict[str, list[AxisRef]] = {}
    reduction = "sum"
    while parser.accept(","):
        name = parser.text if parser.kind == "bare" else ""
        if name not in ("replicated", "unreduced") or name in named:
            parser.error("failed to parse Sdy_TensorSharding, expected valid named axis list after comma")
        parser.advance()
        try:
            if name != "unreduced" or not parser.at("{"):
                parser.expect("=")
            if name == "unreduced" and parser.kind == "bare" and parser.text in REDUCTIONS:
                reduction = parser.advance()
            named[name] = _parse_named_axes(parser)
        except ParseError as error:
            parser.append_errors(error, f"failed to parse Sdy_TensorSharding parameter '{name}_axes'")
    parser.expect(">")
    return TensorSharding(mesh_or_ref, dims, named.get("replicated", ()), named.get("unreduced", ()), reduction)


def _parse_mesh_or_ref(parser: AttributeParser) -> str | Mesh:
    if parser.accept_keyword("mesh"):
        try:
            return check_kind(parser, Mesh, parse_mesh)
        except ParseError as error:
            parser.append_errors(error, "failed to parse MeshAttr")
    try:
        offset = parser.start
        found = parser.attribute()
        if not isinstance(found, SymbolRefAttr) or len(found.path) != 1:
            parser.error("invalid kind of attribute specified", at=offset)
    except ParseError as error:
        parser.append_errors(error, "expecting MeshAttr or FlatSymbolRefAttr, got: <<NULL ATTRIBUTE>>")
    return found.root


def _parse_named_axes(parser: AttributeParser) -> list[AxisRef]:
    parser.expect("{")
    try:
        axes = comma_separated(parser, AxisRef, parse_axis_ref)
    except ParseError as error:
        parser.append_errors(error, "failed to parse axis list which is expected to be an `ArrayRef<AxisRefAttr>`")
    parser.expect("}")
    return axes


def parse_sharding_list(parser: AttributeParser) -> TensorShardingPerValue:
    """``[<@mesh, [{"a"}]>, <@mesh, []>]``, possibly empty."""
    parser.expect("[")
    shardings: list[TensorSharding] = []
    if not parser.at("]"):
        with parameter(parser, "TensorShardingPerValue", "shardings", "::llvm::ArrayRef<TensorShardingAttr>"):
            shardings = comma_separated(parser, TensorSharding, parse_tensor_sharding)
    parser.expect("]")
    return TensorShardingPerValue(shardings)


def parse_sharding_per_value(parser: AttributeParser) -> TensorShardingPerValue:
    """``<[<@mesh, [{"a"}]>]>``."""
    parser.expect("<")
    found = parse_sharding_list(parser)
    parser.expect(">")
    return found
