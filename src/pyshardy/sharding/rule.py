"""The sharding rule of an operation: which dimensions of its operands and results shard together, by factors.

An ``OpShardingRule`` is an immutable attribute with its text form and its check against an operation.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import Enum
from typing import TYPE_CHECKING, NoReturn

from pyshardy.ir.attribute import Attribute
from pyshardy.ir.types import OtherShapedType, TensorType, Type
from pyshardy.sharding.mesh import LARGEST_INTEGER
from pyshardy.sharding.text import parameter

if TYPE_CHECKING:
    from pyshardy.ir.parsing.attribute_parser import AttributeParser

DimMapping = tuple[int, ...]
"""The factors of one dimension, most significant first."""

TensorMapping = tuple[DimMapping, ...]
"""One entry a dimension; empty for scalars and for values without a shape."""

SHARDING_RULE = "sdy.sharding_rule"
"""The discardable attribute that holds an operation's rule."""

_SINGLE_SYMBOLS = "ijklmnopqrstuvwxyz"
_LAST_SINGLE = len(_SINGLE_SYMBOLS) - 1


def dim_with(mapping: TensorMapping, factor: int) -> int:
    """The dimension of a tensor that has ``factor``."""
    return next(dim for dim, factors in enumerate(mapping) if factor in factors)


class FactorKind(Enum):
    """What sharding a factor costs."""

    PASS_THROUGH = "pass_through"
    """Nothing: each device computes its part."""
    REDUCTION = "reduction"
    """Each device holds a partial result, to be reduced."""
    NEED_REPLICATION = "need_replication"
    """The operation needs the whole factor on each device."""
    PERMUTATION = "permutation"
    """Neighbours exchange data (halo or shift)."""


class OpShardingRule(Attribute):
    """How the dimensions of an operation's operands and results correspond.

    ``factor_sizes`` holds one size a factor; ``operand_mappings`` and ``result_mappings`` one mapping a value. The four
    lists of special factors are sorted factor indices; a factor in none of the first three is pass-through. Factors of
    ``blocked_propagation_factors`` never propagate. ``is_custom`` marks a rule of the user, which no pass removes.
    """

    __slots__ = (
        "blocked_propagation_factors",
        "factor_sizes",
        "has_multi_factor_dims",
        "is_custom",
        "need_replication_factors",
        "non_scalar_indices",
        "operand_mappings",
        "permutation_factors",
        "reduction_factors",
        "result_mappings",
        "tensor_mappings",
    )
    factor_sizes: tuple[int, ...]
    operand_mappings: tuple[TensorMapping, ...]
    result_mappings: tuple[TensorMapping, ...]
    reduction_factors: tuple[int, ...]
    need_replication_factors: tuple[int, ...]
    permutation_factors: tuple[int, ...]
    blocked_propagation_factors: tuple[int, ...]
    is_custom: bool
    tensor_mappings: tuple[TensorMapping, ...]
    """The mappings of all operands, then of all results."""
    non_scalar_indices: tuple[int, ...]
    """Positions in ``tensor_mappings`` of the mappings that have dimensions."""
    has_multi_factor_dims: bool

    def __new__(
        cls,
        factor_sizes: Iterable[int],
        operand_mappings: Iterable[TensorMapping],
        result_mappings: Iterable[TensorMapping],
        *,
        reduction_factors: Iterable[int] = (),
        need_replication_factors: Iterable[int] = (),
        permutation_factors: Iterable[int] = (),
        blocked_propagation_factors: Iterable[int] = (),
        is_custom: bool = False,
    ) -> OpShardingRule:
        return cls._table[
            tuple(factor_sizes),
            tuple(operand_mappings),
            tuple(result_mappings),
            tuple(reduction_factors),
            tuple(need_replication_factors),
            tuple(permutation_factors),
            tuple(blocked_propagation_factors),
            bool(is_custom),
        ]

    def _begin(self) -> None:
        self.tensor_mappings = self.operand_mappings + self.result_mappings
        self.non_scalar_indices = tuple(i for i, mapping in enumerate(self.tensor_mappings) if mapping)
        self.has_multi_factor_dims = any(len(dim) > 1 for mapping in self.tensor_mappings for dim in mapping)

    @property
    def num_factors(self) -> int:
        return len(self.factor_sizes)

    def kind(self, factor: int) -> FactorKind:
        """The kind of ``factor``."""
        if factor in self.reduction_factors:
            return FactorKind.REDUCTION
        if factor in self.need_replication_factors:
            return FactorKind.NEED_REPLICATION
        return FactorKind.PERMUTATION if factor in self.permutation_factors else FactorKind.PASS_THROUGH

    def is_pass_through(self, factor: int) -> bool:
        """Whether sharding ``factor`` costs nothing."""
        return self.kind(factor) is FactorKind.PASS_THROUGH

    def in_all_non_scalar_tensors(self, factor: int) -> bool:
        """Whether every operand and result that has dimensions has ``factor``."""
        mappings = self.tensor_mappings
        return all(any(factor in dim for dim in mappings[index]) for index in self.non_scalar_indices)

    def is_batching(self, factor: int) -> bool:
        """Whether ``factor`` is pass-through and in every operand and result that has dimensions."""
        return self.is_pass_through(factor) and self.in_all_non_scalar_tensors(factor)

    def replicating(self, factors: Iterable[int]) -> OpShardingRule:
        """The rule with ``factors`` among those that need replication."""
        moved = frozenset(factors)
        return OpShardingRule(
            self.factor_sizes,
            self.operand_mappings,
            self.result_mappings,
            reduction_factors=[factor for factor in self.reduction_factors if factor not in moved],
            need_replication_factors=sorted(moved.union(self.need_replication_factors)),
            permutation_factors=[factor for factor in self.permutation_factors if factor not in moved],
            blocked_propagation_factors=self.blocked_propagation_factors,
            is_custom=self.is_custom,
        )

    @property
    def body_text(self) -> str:
        """The text from ``<`` to ``>``, as it stands in an operation's own syntax."""
        pieces = [f"<({_mappings_text(self.operand_mappings)})->({_mappings_text(self.result_mappings)})"]
        if self.factor_sizes:
            sizes = (f"{factor_symbol(index)}={size}" for index, size in enumerate(self.factor_sizes))
            pieces.append(" {" + ", ".join(sizes) + "}")
        for keyword, factors in self._special_lists():
            if factors:
                pieces.append(f" {keyword}={{{', '.join(map(factor_symbol, factors))}}}")
        pieces.append(", custom>" if self.is_custom else ">")
        return "".join(pieces)

    def _special_lists(self) -> Iterable[tuple[str, tuple[int, ...]]]:
        return (
            ("reduction", self.reduction_factors),
            ("need_replication", self.need_replication_factors),
            ("permutation", self.permutation_factors),
            ("blocked_propagation", self.blocked_propagation_factors),
        )

    def _render(self) -> str:
        return "#sdy.op_sharding_rule" + self.body_text


# --- text ---------------------------------------------------------------------------------------------------------


def factor_symbol(index: int) -> str:
    """The name of factor ``index``: ``i`` to ``z``, then ``z_1``, ``z_2``, …; that of a negative one, which no rule may
    have, is what MLIR makes of it."""
    if index < 0:
        return chr((ord(_SINGLE_SYMBOLS[0]) + index) & 0xFF)
    return _SINGLE_SYMBOLS[index] if index <= _LAST_SINGLE else f"z_{index - _LAST_SINGLE}"


def dim_mapping_text(mapping: DimMapping) -> str:
    """The symbols of a dimension's factors, ``ij``; without factors what MLIR prints in diagnostics."""
    return "".join(map(factor_symbol, mapping)) or "#sdy.dim_mapping"


def tensor_mapping_text(mapping: TensorMapping) -> str:
    """``[i, jk]``."""
    return "[" + ", ".join(map(dim_mapping_text, mapping)) + "]"


def _mappings_text(mappings: Iterable[TensorMapping]) -> str:
    return ", ".join(map(tensor_mapping_text, mappings))


def parse_rule_body(parser: AttributeParser) -> OpShardingRule:
    """The rule whose ``<`` is the current token.

    Raises:
        ParseError: with the messages of Shardy's parser, at its places.
    """
    parser.expect("<")
    operands = _parse_mappings(parser, "operand_mappings")
    parser.expect("->")
    results = _parse_mappings(parser, "result_mappings")
    sizes = _parse_factor_sizes(parser)
    special = {f"{keyword}_factors": _parse_special_factors(parser, keyword) for keyword in _SPECIAL_KEYWORDS}
    custom = False
    if parser.accept(","):
        parser.expect_keyword("custom")
        custom = True
    parser.expect(">")
    return OpShardingRule(sizes, operands, results, is_custom=custom, **special)


_SPECIAL_KEYWORDS = ("reduction", "need_replication", "permutation", "blocked_propagation")


def _parse_mappings(parser: AttributeParser, name: str) -> list[TensorMapping]:
    parser.expect("(")
    with parameter(parser, "OpShardingRule", name, "::llvm::ArrayRef<TensorMappingAttr>"):
        mappings = [parse_tensor_mapping(parser)]
        while parser.accept(","):
            mappings.append(parse_tensor_mapping(parser))
    parser.expect(")")
    return mappings


def parse_tensor_mapping(parser: AttributeParser) -> TensorMapping:
    """The mapping whose ``[`` is the current token; a dimension may be empty, as in ``[i, ]``."""
    parser.expect("[")
    if parser.accept("]"):
        return ()
    with parameter(parser, "TensorMapping", "dim_mappings", "::llvm::ArrayRef<DimMappingAttr>"):
        dims = [parse_dim_mapping(parser)]
        while parser.accept(","):
            dims.append(parse_dim_mapping(parser))
    parser.expect("]")
    return tuple(dims)


def parse_dim_mapping(parser: AttributeParser) -> DimMapping:
    """The mapping of a dimension, ``ij``; a keyword, or nothing."""
    rest = parser.advance() if parser.kind == "bare" else ""
    factors: list[int] = []
    while rest:
        index, rest = _take_symbol(parser, rest)
        factors.append(index)
    return tuple(factors)


def _take_symbol(parser: AttributeParser, text: str) -> tuple[int, str]:
    """The factor of the first symbol of ``text``, a keyword that has just been consumed, and what follows it."""
    if text[0] not in _SINGLE_SYMBOLS:
        _symbol_error(parser, "expecting symbol from 'i' to 'z'", text[0])
    if not text.startswith("z_"):
        return _SINGLE_SYMBOLS.index(text[0]), text[1:]
    rest = text[2:].lstrip("0123456789")
    digits = text[2 : len(text) - len(rest)]
    if not digits:
        _symbol_error(parser, "expecting integer after 'z_'", text)
    if digits[0] == "0":
        _symbol_error(parser, "expecting positive integer without leading zeros", digits)
    number = int(digits) if len(digits) < 20 else LARGEST_INTEGER + 1
    if number > LARGEST_INTEGER:
        # As in the reference: the error is reported, and the symbol read without its number.
        place = parser.context.source.position(parser.start)
        parser.context.emit("error", place, f"{_TOO_LARGE}. Received: '{digits}'")
        number = 0
    index = number + _LAST_SINGLE
    return index if index <= LARGEST_INTEGER else index - 2 * (LARGEST_INTEGER + 1), rest


_TOO_LARGE = "expecting symbol index <=2^63-1"


def _symbol_error(parser: AttributeParser, expectation: str, received: str) -> NoReturn:
    parser.error(f"{expectation}. Received: '{received}'")


def _parse_factor_sizes(parser: AttributeParser) -> list[int]:
    sizes: list[int] = []
    if not parser.accept("{") or parser.accept("}"):
        return sizes
    sizes.append(_parse_factor_size(parser, 0))
    while parser.accept(","):
        sizes.append(_parse_factor_size(parser, len(sizes)))
    parser.expect("}")
    return sizes


def _parse_factor_size(parser: AttributeParser, expected: int) -> int:
    index, rest = _take_symbol(parser, parser.keyword())
    if rest:
        parser.error(f"expecting single factor symbol: {rest}")
    if index != expected:
        parser.error(
            "expecting factor indices to be ordered like an iota ([0,1,2,...], e.g. {i=#, j=#, ...}). "
            f"Expecting factor index symbol '{factor_symbol(expected)}', received: '{factor_symbol(index)}'"
        )
    parser.expect("=")
    return parser.integer()


def _parse_special_factors(parser: AttributeParser, keyword: str) -> list[int]:
    if not parser.accept_keyword(keyword):
        return []
    parser.expect("=")
    factors: list[int] = []
    if not parser.accept("{") or parser.accept("}"):
        return factors
    # Shardy reads only the first symbol of each token here: `{ij}` means `{i}`.
    factors.append(_take_symbol(parser, parser.keyword())[0])
    while parser.accept(","):
        factors.append(_take_symbol(parser, parser.keyword())[0])
    parser.expect("}")
    return factors


# --- verification -------------------------------------------------------------------------------------------------


def check_rule(rule: OpShardingRule, operand_types: Sequence[Type], result_types: Sequence[Type]) -> str | None:
    """What is wrong with ``rule`` on an operation of these types: the first message of Shardy's verifier (without the
    name of the operation), or None."""
    return (
        _check_values(rule, rule.operand_mappings, operand_types, "operand")
        or _check_values(rule, rule.result_mappings, result_types, "result")
        or _check_all_used(rule)
        or _check_special_factors(rule)
    )


def _check_values(
    rule: OpShardingRule, mappings: Sequence[TensorMapping], types: Sequence[Type], what: str
) -> str | None:
    if len(types) != len(mappings):
        return f"number of {what}s and mappings must match: {len(types)} != {len(mappings)}"
    if not mappings:
        return (
            f"number of {what}s mappings cannot be 0. Op sharding rules can only be defined on operations with at"
            " least one operand and result."
        )
    for index, (mapping, type) in enumerate(zip(mappings, types, strict=True)):
        message = _check_mapping(rule, mapping, type)
        if message is not None:
            return f"{what} - {message}" if len(types) == 1 else f"{what} {index} - {message}"
    return None


def _check_mapping(rule: OpShardingRule, mapping: TensorMapping, type: Type) -> str | None:
    if not (isinstance(type, TensorType | OtherShapedType) and type.has_static_shape):
        return f"expected a ranked tensor with a static shape. type: '{type}'"
    if len(mapping) != len(type.shape):
        return f"mapping rank must match: {len(mapping)} != {len(type.shape)}"
    seen: set[int] = set()
    for dim in mapping:
        if not dim:
            return "dim mapping must have at least one factor"
        message = _check_dim(rule, dim, seen)
        if message is not None:
            return message
    return None


def _check_dim(rule: OpShardingRule, dim: DimMapping, seen: set[int]) -> str | None:
    for factor in dim:
        if not 0 <= factor < rule.num_factors:
            return (
                "expecting factor indices to be within 0<=...<num_factors;"
                f" received: {factor}, num_factors: {rule.num_factors}"
            )
        if factor in seen:
            return "cannot reuse factors for the same tensor value"
        if rule.factor_sizes[factor] == 1 and len(dim) > 1:
            return "dim mapping can't have a factor of size 1 if there are multiple factors"
        seen.add(factor)
    return None


def _check_all_used(rule: OpShardingRule) -> str | None:
    used = {factor for mapping in rule.tensor_mappings for dim in mapping for factor in dim}
    for factor, size in enumerate(rule.factor_sizes):
        if factor not in used:
            return f"has factor {factor_symbol(factor)}={size} that isn't used in operand and result mappings"
    return None


def _check_special_factors(rule: OpShardingRule) -> str | None:
    exclusive = (rule.reduction_factors, rule.need_replication_factors, rule.permutation_factors)
    for factors in exclusive:
        message = _check_indices(factors, rule.num_factors)
        if message is not None:
            return message
    if len({factor for factors in exclusive for factor in factors}) != sum(map(len, exclusive)):
        return "a factor can only be in one of the reduction, need replication, or permutation factor sets"
    message = _check_indices(rule.blocked_propagation_factors, rule.num_factors)
    if message is not None:
        return message
    if any(factor in dim for factor in rule.reduction_factors for mapping in rule.result_mappings for dim in mapping):
        return "reduction factor cannot be in result mappings"
    return None


def _check_indices(factors: tuple[int, ...], num_factors: int) -> str | None:
    if list(factors) != sorted(factors):
        return "indices of special factors must be sorted"
    if len(set(factors)) != len(factors):
        return "indices of special factors must be unique"
    for factor in factors:
        if factor < 0:
            return "index must be non-negative"
        if factor >= num_factors:
            return f"index must be less than {num_factors}, got: {factor}"
    return None
