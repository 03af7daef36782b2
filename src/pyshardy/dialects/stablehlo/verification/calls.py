"""Rules of the operations that leave the program: calls, transfers, and the tuples that some of them take."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from pyshardy.dialects.stablehlo.attributes import ChannelHandle, OutputOperandAlias
from pyshardy.dialects.stablehlo.verification import type_constraints as kinds
from pyshardy.dialects.stablehlo.verification.rules import (
    Many,
    Rules,
    inferred,
    integer,
    operand_types,
    result_types,
    same_types,
    typed,
)
from pyshardy.dialects.stablehlo.verification.wrong import Wrong
from pyshardy.ir.attributes import ArrayAttr, DictionaryAttr, IntegerAttr, StringAttr, SymbolRefAttr
from pyshardy.ir.elements import DenseElementsAttr
from pyshardy.ir.operation import Operation
from pyshardy.ir.types import FunctionType, TensorType, TupleType, Type, UnrankedTensorType

# --- custom_call ------------------------------------------------------------------------------------------------------

_API_VERSIONS = ("UNSPECIFIED", "ORIGINAL", "STATUS_RETURNING", "STATUS_RETURNING_UNIFIED", "TYPED_FFI")


def _check_backend_config(op: Operation) -> None:
    config, version = op.properties.entries.get("backend_config"), integer(op, "api_version", 1)
    if config is None:
        return
    needed, words = (DictionaryAttr, "dictionary") if version == 4 else (StringAttr, "string")
    if not isinstance(config, needed):
        raise Wrong(
            f"backend_config for api_version API_VERSION_{_API_VERSIONS[version]} must be a {words} attribute.",
            named=True,
        )


def _check_layouts(op: Operation) -> None:
    operand_layouts = op.properties.entries.get("operand_layouts")
    result_layouts = op.properties.entries.get("result_layouts")
    if not isinstance(operand_layouts, ArrayAttr) or not isinstance(result_layouts, ArrayAttr):
        if operand_layouts is not None or result_layouts is not None:
            raise Wrong(
                "Layout attributes should be specified for either both operands and results or none.", named=True
            )
        return
    _check_layout_list("operand", operand_types(op), operand_layouts)
    results = result_types(op)
    if len(results) == 1 and isinstance(results[0], TupleType):
        results = list(results[0].elements)
    _check_layout_list("result", results, result_layouts)


def _check_layout_list(what: str, types: Sequence[Type], layouts: ArrayAttr) -> None:
    if len(types) != len(layouts):
        raise Wrong(
            f"Number of {what}s must match the number of {what} layouts, {len(types)} != {len(layouts)}", named=True
        )
    for index, (type, layout) in enumerate(zip(types, layouts, strict=True)):
        assert isinstance(layout, DenseElementsAttr)
        if isinstance(type, TupleType):
            raise Wrong("Tuple types are not fully supported with layout constraints yet", named=True)
        order = layout.integers()
        if isinstance(type, UnrankedTensorType):
            continue
        if not isinstance(type, TensorType):
            if order:
                raise Wrong(
                    f"Only tensor types can have non-empty layout: {what} #{index} of type '{type}' has layout "
                    f"{layout}",
                    named=True,
                )
            continue
        if sorted(order) != list(range(type.rank)):
            raise Wrong(
                f"incorrect layout {layout} for type '{type}', layout must be a permutation of [0, {type.rank})",
                named=True,
            )


def _check_aliases(op: Operation) -> None:
    aliases = op.properties.entries.get("output_operand_aliases")
    for alias in aliases if isinstance(aliases, ArrayAttr) else ():
        assert isinstance(alias, OutputOperandAlias)
        if not 0 <= alias.operand_index < len(op.operands):
            raise Wrong(
                "expects operandIndex in the output_operand_alias attribute to be in range "
                f"[0, {len(op.operands)}); got: {alias.operand_index}.",
                named=True,
            )
        operand = _part(op.operands[alias.operand_index].type, alias.operand_tuple_indices, "operand")
        results = result_types(op)
        whole = results[0] if len(results) == 1 else TupleType(results)
        output = _part(whole, alias.output_tuple_indices, "output")
        if operand is not output:
            raise Wrong(
                f"shapes mismatch in the output_operand_alias attribute: operand part has type '{operand}' and output "
                f"part has type '{output}'",
                named=True,
            )


def _part(type: Type, indices: Sequence[int], what: str) -> Type:
    for index in indices:
        if not isinstance(type, TupleType) or not 0 <= index < len(type.elements):
            raise Wrong(f"{what}_tuple_indices in the output_operand_alias attribute out of bounds", named=True)
        type = type.elements[index]
    return type


# --- composite --------------------------------------------------------------------------------------------------------

_NAME = re.compile(r"[a-zA-Z][a-zA-Z0-9_]*([.][a-zA-Z0-9_$]+)+")


def check_composite(op: Operation, find: Callable[[str], Operation | None]) -> None:
    """``composite`` has a proper name, and its decomposition is a function with the types of its operands and results.

    Raises:
        Wrong: it is not so.
    """
    name = op.properties.entries["name"]
    if not isinstance(name, StringAttr) or _NAME.fullmatch(name.value) is None:
        raise Wrong(
            "name must be a valid namespaced op name, i.e. it must match the following regular expression: "
            '^[a-zA-Z][a-zA-Z0-9_]*([.][a-zA-Z0-9_$]+)+$ e.g. "my_namespace.my_op"'
        )
    symbol = op.properties.entries["decomposition"]
    assert isinstance(symbol, SymbolRefAttr)
    target = find(symbol.root)
    signature = target.properties.entries.get("function_type") if target is not None else None
    if target is None or target.name != "func.func" or not isinstance(signature, FunctionType):
        raise Wrong(f"'{symbol.root}' does not reference a valid function")
    _check_signature("operand", operand_types(op), signature.inputs)
    _check_signature("result", result_types(op), signature.results)


def _check_signature(what: str, found: Sequence[Type], expected: Sequence[Type]) -> None:
    if len(found) != len(expected):
        raise Wrong(f"has {len(found)} {what}(s), but decomposition has {len(expected)}")
    for index, (type, needed) in enumerate(zip(found, expected, strict=True)):
        if type is not needed:
            raise Wrong(f"{what} at index {index} has type '{type}', but decomposition has type '{needed}'")


# --- transfers --------------------------------------------------------------------------------------------------------


def _check_received(op: Operation, words: str) -> None:
    types = result_types(op)
    if not types:
        raise Wrong("result is expected to be at least of size 1, but got 0")
    for type in types[:-1]:
        if not isinstance(type, TensorType):
            raise Wrong(f"{words} expected to be of tensor type, but got '{type}'")
    if not kinds.TOKEN.accepts(types[-1]):
        raise Wrong(f"last element of result types is expected to be of token type, but got '{types[-1]}'")


def _check_infeed(op: Operation) -> None:
    _check_received(op, "all elements of result types, except the last element, are")
    layouts, count = op.properties.entries.get("layout"), len(op.results) - 1
    if not isinstance(layouts, ArrayAttr):
        return
    if len(layouts) != count:
        raise Wrong(
            f"layout-attribute size must be {count} (which is the number of op-results - 1 (for token result)), but "
            f"got {len(layouts)}"
        )
    for layout in layouts:
        if not isinstance(layout, ArrayAttr):
            raise Wrong(f"layout-attribute expected to have elements of type array, but got {layout}")
        for leaf in layout:
            if not isinstance(leaf, IntegerAttr):
                raise Wrong(f"layout-attribute's leaf elements are expected to be of type integer, but got {leaf}")


def _check_recv(op: Operation) -> None:
    _check_channel(op, "HOST_TO_DEVICE", 3)
    _check_received(op, "everything but the last element of result types is")


def _check_send(op: Operation) -> None:
    _check_channel(op, "DEVICE_TO_HOST", 2)


def _check_channel(op: Operation, to_host: str, number: int) -> None:
    channel, is_host = op.properties.entries["channel_handle"], integer(op, "is_host_transfer")
    assert isinstance(channel, ChannelHandle)
    if is_host and channel.type != number:
        raise Wrong(f"channel_type should be {to_host} when is_host_transfer is true")
    if not is_host and channel.type != 1:
        raise Wrong("channel_type should be DEVICE_TO_DEVICE when is_host_transfer is false")


# --- tuples -----------------------------------------------------------------------------------------------------------


def _tuple_element(op: Operation) -> list[Type]:
    whole, index = op.operands[0].type, integer(op, "index")
    assert isinstance(whole, TupleType)
    if index >= len(whole.elements):
        raise Wrong(f"index {index} is out of bounds of operand with size {len(whole.elements)}")
    return [whole.elements[index]]


_VALUES = Many(kinds.CALL_VALUE)
_SENT = Many(kinds.TENSOR_OR_BY_AXIS)
_RECEIVED = Many(kinds.STATIC_OR_TOKEN)

RULES: Rules = {
    "composite": (typed([Many(kinds.COMPOSITE_VALUE)], [Many(kinds.COMPOSITE_VALUE)]),),
    "custom_call": (typed([_VALUES], [_VALUES]), _check_layouts, _check_aliases, _check_backend_config),
    "get_tuple_element": (typed([kinds.TUPLE], [kinds.TUPLE_ELEMENT]), inferred(_tuple_element)),
    "infeed": (typed([kinds.TOKEN], [_RECEIVED]), _check_infeed),
    "outfeed": (typed([_SENT, kinds.TOKEN], [kinds.TOKEN]),),
    "recv": (typed([kinds.TOKEN], [_RECEIVED]), _check_recv),
    "send": (typed([_SENT, kinds.TOKEN], [kinds.TOKEN]), _check_send),
    "tuple": (
        typed([Many(kinds.TUPLE_ELEMENT)], [kinds.TUPLE]),
        inferred(lambda op: [TupleType(operand_types(op))], same_types),
    ),
}
