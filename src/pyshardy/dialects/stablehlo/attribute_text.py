"""Reads StableHLO's attributes and types from text, with MLIR's messages.

``ir.parsing.attribute_parser`` calls ``parse_attribute`` and ``parse_type`` for ``#stablehlo…`` and ``!stablehlo…``;
the pretty forms of operations use the readers of parts (a convolution's dimensions, a dot algorithm).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

from pyshardy.dialects.stablehlo import attributes as stablehlo
from pyshardy.dialects.stablehlo.future_type import FutureType
from pyshardy.dialects.structures import DimensionNumbers, Structure
from pyshardy.ir.attribute import Attribute
from pyshardy.ir.attributes import ArrayAttr, EnumAttr, FloatAttr, SymbolRefAttr
from pyshardy.ir.parsing.token_parser import ParseError
from pyshardy.ir.types import F64, DialectType, TensorType, Type
from pyshardy.sharding.axes import AxisRef

if TYPE_CHECKING:
    from pyshardy.ir.parsing.attribute_parser import AttributeParser

T = TypeVar("T")
D = TypeVar("D", bound=DimensionNumbers)
S = TypeVar("S", bound=Structure)


def parse_attribute(parser: AttributeParser, mnemonic: str) -> Attribute:
    """The attribute ``#stablehlo.mnemonic…``; the parser stands behind the mnemonic.

    Raises:
        ParseError: no such attribute, or its text is wrong.
    """
    reader = _READERS.get(mnemonic)
    if reader is None:
        parser.error("unknown StableHLO attribute", at=parser.previous_end - len(mnemonic))
    return reader(parser)


def parse_type(parser: AttributeParser, mnemonic: str) -> Type:
    """The type ``!stablehlo.mnemonic…``; the parser stands behind the mnemonic.

    Raises:
        ParseError: no such type, or its text is wrong.
    """
    if mnemonic == "future":
        return _future(parser)
    if mnemonic != "token":
        parser.error(f"unknown stablehlo type: {mnemonic}", at=parser.previous_end - len(mnemonic))
    return DialectType("!stablehlo.token")


def _future(parser: AttributeParser) -> Type:
    offset = parser.start
    parser.expect("<")
    elements = [parser.type()]
    while parser.accept(","):
        elements.append(parser.type())
    for element in elements:
        if not isinstance(element, TensorType):
            parser.error(f"future element type must be a ranked tensor, but got '{element}'", at=offset)
    parser.expect(">")
    return FutureType(elements)


# --- the three ways in which fields are written ----------------------------------------------------------------------


def dimension_numbers(kind: type[D], what: str) -> Callable[[AttributeParser], D]:
    """What reads ``<name = [1, 2], name = 3, …>``: each field at most once, in any order; those that are not there are
    empty or 0. Messages say ``what`` they are the dimension numbers of."""

    def read(parser: AttributeParser) -> D:
        parser.expect("<")
        return _dimension_numbers(parser, kind, what)

    return read


def _dimension_numbers(parser: AttributeParser, kind: type[D], what: str) -> D:
    try:
        return kind(*_any_fields(parser, kind.written))
    except ParseError as error:
        parser.append_errors(error, f"failed parsing {what} dimension numbers attribute")


def _any_fields(parser: AttributeParser, kinds: dict[str, type]) -> list[Any]:
    found: dict[str, object] = {}
    started = False
    while not parser.accept(">"):
        if started and not parser.accept(","):
            parser.error_after_previous("expected '>'")
        started = True
        name = parser.text if parser.kind == "bare" else ""
        if name not in kinds:
            parser.error("expected one of: " + ", ".join(f"`{one}`" for one in kinds))
        parser.advance()
        if name in found:
            parser.error(f"duplicated `{name}` entry")
        parser.expect("=")
        found[name] = parser.integer() if kinds[name] is int else tuple(parser.integer_list())
    return [found.get(name, kind()) for name, kind in kinds.items()]


def _all_fields(parser: AttributeParser, readers: dict[str, Callable[[], T]]) -> dict[str, T]:
    """``<name = value, …>`` with every field once, in any order."""
    found: dict[str, T] = {}
    parser.expect("<")
    while len(found) < len(readers):
        if found:
            parser.expect(",")
        name = parser.keyword()
        parser.expect("=")
        if name in found or name not in readers:
            parser.error(f"duplicate or unknown struct parameter name: {name}")
        found[name] = readers[name]()
    parser.expect(">")
    return found


def _field(parser: AttributeParser, name: str, read: Callable[[], T], *, last: bool = False) -> T:
    """``name = value,`` where just this field must stand; without the comma if it is the ``last``."""
    parser.expect_keyword(name)
    parser.expect("=")
    value = read()
    if not last:
        parser.expect(",")
    return value


def _parameter(parser: AttributeParser, owner: str, name: str, kind: str, read: Callable[[], T]) -> Callable[[], T]:
    """``read`` whose failure names the parameter of the attribute ``owner``."""

    def reading() -> T:
        try:
            return read()
        except ParseError as error:
            parser.append_errors(error, f"failed to parse {owner} parameter '{name}' which is to be a `{kind}`")

    return reading


def _of_kind(parser: AttributeParser, kind: type[T], type: Type | None = None) -> T:
    """An attribute that must be an instance of ``kind``."""
    offset = parser.start
    found = parser.attribute(type)
    if not isinstance(found, kind):
        parser.error("invalid kind of attribute specified", at=offset)
    return found


# --- dimension numbers ------------------------------------------------------------------------------------------------


def _conv(parser: AttributeParser) -> Attribute:
    parser.expect("<")
    if parser.accept_keyword("raw"):
        return _raw_conv(parser)
    found = read_convolution_dimensions(parser)
    parser.expect(">")
    return found


def _raw_conv(parser: AttributeParser) -> Attribute:
    found = _dimension_numbers(parser, stablehlo.ConvDimensionNumbers, "dot")
    for dimensions in (
        (found.input_batch, found.input_feature, *found.input_spatial),
        (found.kernel_input_feature, found.kernel_output_feature, *found.kernel_spatial),
        (found.output_batch, found.output_feature, *found.output_spatial),
    ):
        if any(not 0 <= dimension < len(dimensions) for dimension in dimensions):
            parser.error("Invalid spatial dimension.")
    return found


def read_convolution_dimensions(parser: AttributeParser) -> stablehlo.ConvDimensionNumbers:
    """``[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]``.

    Raises:
        ParseError: a dimension is missing, twice there, or unknown.
    """
    input_named, input_spatial = _labelled_dimensions(parser, "bf")
    parser.expect_keyword("x")
    kernel_named, kernel_spatial = _labelled_dimensions(parser, "io")
    parser.expect("->")
    output_named, output_spatial = _labelled_dimensions(parser, "bf")
    return stablehlo.ConvDimensionNumbers(
        input_named["b"],
        input_named["f"],
        input_spatial,
        kernel_named["i"],
        kernel_named["o"],
        kernel_spatial,
        output_named["b"],
        output_named["f"],
        output_spatial,
    )


def _labelled_dimensions(parser: AttributeParser, letters: str) -> tuple[dict[str, int], tuple[int, ...]]:
    named: dict[str, int] = {}
    spatial: dict[int, int] = {}
    missing = list(letters)
    parser.expect("[")
    for dimension in range(len(parser.source)):
        offset = parser.start
        number = parser.optional_integer()
        if number is not None:
            if number < 0:
                parser.error(f"Unexpected dimension {number}", at=offset)
            if number in spatial:
                parser.error(f"Duplicate entries for spatial dimension {number}", at=offset)
            spatial[number] = dimension
        else:
            letter = parser.keyword()
            if letter not in missing:
                parser.error(f"Unexpected dimension {letter}, expecting {', '.join(missing)}", at=offset)
            missing.remove(letter)
            named[letter] = dimension
        if not parser.accept(","):
            break
    if missing:
        parser.error(f"Expected dimensions {', '.join(missing)} not specified")
    parser.expect("]")
    unspecified = [
        str(number) for number in range(min(max(spatial, default=-1) + 1, len(parser.source))) if number not in spatial
    ]
    if unspecified:
        parser.error(f"Expected spatial dimensions {', '.join(unspecified)} not specified")
    return named, tuple(spatial[number] for number in range(len(spatial)))


# --- the rest ---------------------------------------------------------------------------------------------------------


def _channel_handle(parser: AttributeParser) -> Attribute:
    readers = {
        name: _parameter(parser, "StableHLO_ChannelHandle", name, "int64_t", parser.integer)
        for name in ("handle", "type")
    }
    return stablehlo.ChannelHandle(**_all_fields(parser, readers))


def _bounds(parser: AttributeParser) -> Attribute:
    return stablehlo.Bounds(tuple(_bounds_list(parser, "<", ">")))


def _type_extensions(parser: AttributeParser) -> Attribute:
    parser.expect("<")
    found = _field(parser, "bounds", lambda: _bounds_list(parser, "[", "]"), last=True)
    parser.expect(">")
    return stablehlo.Bounds(tuple(found))


def _bounds_list(parser: AttributeParser, opening: str, closing: str) -> list[int | None]:
    return parser.comma_list(opening, closing, lambda: None if parser.accept("?") else parser.integer())


def _fields_in_order(parser: AttributeParser, kind: type[S]) -> S:
    """``<name = value, …>`` with every field, in the order of the table."""
    values: list[Any] = []
    parser.expect("<")
    for name, annotation in kind.__annotations__.items():
        if values:
            parser.expect(",")
        parser.expect_keyword(name)
        parser.expect("=")
        values.append(_VALUES[annotation](parser))
    parser.expect(">")
    return kind(*values)


def _boolean(parser: AttributeParser) -> bool:
    def read() -> bool:
        if parser.kind == "bare" and parser.text in ("true", "false"):
            return parser.advance() == "true"
        return bool(parser.integer())

    return _parameter(parser, "StableHLO_DotAlgorithm", "allowImpreciseAccumulation", "bool", read)()


_VALUES: dict[str, Callable[[AttributeParser], Any]] = {
    "Type": lambda parser: parser.type(),
    "bool": _boolean,
    "int": lambda parser: parser.integer(),
    "tuple[int, ...]": lambda parser: tuple(parser.integer_list()),
}
"""Annotation of a field → what reads its value."""


def read_dot_algorithm(parser: AttributeParser) -> stablehlo.DotAlgorithm:
    """``<lhs_precision_type = tf32, …>``, all seven fields in order.

    Raises:
        ParseError: a field is missing or wrong.
    """
    return _fields_in_order(parser, stablehlo.DotAlgorithm)


def _result_accuracy(parser: AttributeParser) -> Attribute:
    parser.expect("<")
    atol = _tolerance(parser, "atol")
    rtol = _tolerance(parser, "rtol")
    ulps = _field(parser, "ulps", parser.integer) if parser.at("ulps") else 0
    parser.expect_keyword("mode")
    parser.expect("=")
    offset = parser.start
    mode = _of_kind(parser, EnumAttr)
    if mode.mnemonic != "result_accuracy_mode":
        parser.error("invalid kind of attribute specified", at=offset)
    parser.expect(">")
    return stablehlo.ResultAccuracy(atol, rtol, ulps, mode)


def _tolerance(parser: AttributeParser, name: str) -> int:
    if not parser.at(name):
        return 0
    return _field(parser, name, lambda: _of_kind(parser, FloatAttr, F64)).bits


def _mesh(parser: AttributeParser) -> Attribute:
    axis_list = "::llvm::ArrayRef<stablehlo::MeshAxisAttr>"
    parser.expect("<")
    parser.expect_keyword("axes")
    parser.expect("=")
    parser.expect("[")
    read_axis = _parameter(parser, "StableHLO_Mesh", "axes", axis_list, lambda: _mesh_axis_value(parser))
    axes = [read_axis()]
    while parser.accept(","):
        axes.append(read_axis())
    parser.expect("]")
    device_ids = _field(parser, "device_ids", parser.attribute, last=True) if parser.accept(",") else None
    parser.expect(">")
    return stablehlo.Mesh(tuple(axes), device_ids)


def _mesh_axis_value(parser: AttributeParser) -> stablehlo.MeshAxis:
    """An element of a mesh: its body, or the attribute written out or by alias."""
    if parser.kind != "hash":
        return _mesh_axis(parser)
    return _of_kind(parser, stablehlo.MeshAxis)


def _mesh_axis(parser: AttributeParser) -> stablehlo.MeshAxis:
    read_name = _parameter(parser, "StableHLO_MeshAxis", "name", "::llvm::StringRef", parser.string)
    read_size = _parameter(parser, "StableHLO_MeshAxis", "size", "int64_t", lambda: str(parser.integer()))
    fields = _all_fields(parser, {"name": read_name, "size": read_size})
    return stablehlo.MeshAxis(fields["name"], int(fields["size"]))


def _axis_ref(parser: AttributeParser) -> Attribute:
    parser.expect("<")
    read_name = _parameter(parser, "StableHLO_AxisRef", "name", "::llvm::StringRef", parser.string)
    name = _field(parser, "name", read_name, last=True)
    read_part = _parameter(
        parser, "StableHLO_AxisRef", "sub_axis_info", "SubAxisInfoAttr", lambda: _sub_axis_value(parser)
    )
    part = _field(parser, "sub_axis_info", read_part, last=True) if parser.accept(",") else None
    parser.expect(">")
    return stablehlo.AxisRef(name, part)


def _sub_axis_value(parser: AttributeParser) -> stablehlo.SubAxisInfo:
    if parser.kind != "hash":
        return _sub_axis_info(parser)
    return _of_kind(parser, stablehlo.SubAxisInfo)


def _sub_axis_info(parser: AttributeParser) -> stablehlo.SubAxisInfo:
    parser.expect("(")
    pre_size = _parameter(parser, "StableHLO_SubAxisInfo", "pre_size", "int64_t", parser.integer)()
    parser.expect(")")
    return stablehlo.SubAxisInfo(
        pre_size, _parameter(parser, "StableHLO_SubAxisInfo", "size", "int64_t", parser.integer)()
    )


def _replica_group_mesh_axes(parser: AttributeParser) -> Attribute:
    owner = "StableHLO_ReplicaGroupMeshAxes"
    read_axes = _parameter(parser, owner, "axes", "ArrayAttr", lambda: _of_kind(parser, ArrayAttr))
    offset = parser.start
    readers: dict[str, Callable[[], Attribute]] = {"mesh": parser.attribute, "axes": read_axes}
    fields = _all_fields(parser, readers)
    mesh, axes = fields["mesh"], fields["axes"]
    if not (isinstance(mesh, stablehlo.Mesh) or (isinstance(mesh, SymbolRefAttr) and len(mesh.path) == 1)):
        parser.error("mesh must be a FlatSymbolRefAttr or MeshAttr", at=offset)
    assert isinstance(axes, ArrayAttr)
    # Shardy writes its own references there, which it cannot read again.
    if not all(isinstance(one, stablehlo.AxisRef | AxisRef) for one in axes.elements):
        parser.error("expected AxisRefAttr in axes list", at=offset)
    return stablehlo.ReplicaGroupMeshAxes(mesh, axes)


def _result_accuracy_mode(parser: AttributeParser) -> Attribute:
    parser.expect("<")
    found = stablehlo.RESULT_ACCURACY_MODE.read_case(parser)
    parser.expect(">")
    return found


_READERS: dict[str, Callable[[AttributeParser], Attribute]] = {
    **{one.mnemonic: one.read_case for one in stablehlo.ENUMERATIONS},
    "axis_ref": _axis_ref,
    "bounds": _bounds,
    "channel_handle": _channel_handle,
    "conv": _conv,
    "dot": dimension_numbers(stablehlo.DotDimensionNumbers, "dot"),
    "dot_algorithm": read_dot_algorithm,
    "gather": dimension_numbers(stablehlo.GatherDimensionNumbers, "gather"),
    "mesh": _mesh,
    "mesh_axis": _mesh_axis,
    "output_operand_alias": lambda parser: _fields_in_order(parser, stablehlo.OutputOperandAlias),
    "replica_group_mesh_axes": _replica_group_mesh_axes,
    "result_accuracy": _result_accuracy,
    "result_accuracy_mode": _result_accuracy_mode,
    "scatter": dimension_numbers(stablehlo.ScatterDimensionNumbers, "scatter"),
    "sub_axis_info": _sub_axis_info,
    "type_extensions": _type_extensions,
}
