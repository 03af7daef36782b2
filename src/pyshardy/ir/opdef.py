"""The definitions of operations: one ``OpDef`` for each, grouped into one ``Dialect`` for each dialect.

Dialects fill these tables (``pyshardy.dialects``); the parser, the printer and the verifier read them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from pyshardy.ir.attribute import Attribute
from pyshardy.ir.attributes import DictionaryAttr
from pyshardy.ir.explicit_stack import Steps
from pyshardy.ir.types import Type

if TYPE_CHECKING:
    # Files that import this one define these classes; a row only carries functions that take them. A test holds the
    # functions of all rows to these names.
    AttributeParser: TypeAlias = Any
    Operation: TypeAlias = Any
    DataFlow: TypeAlias = Any
    Evaluator: TypeAlias = Any
    Localizer: TypeAlias = Any
    OperationState: TypeAlias = Any
    OperationCost: TypeAlias = Any
    OpShardingRule: TypeAlias = Any
    Parser: TypeAlias = Any
    Printer: TypeAlias = Any
    Verification: TypeAlias = Any

Shapes: TypeAlias = Sequence[tuple[int, ...]]

PURE = 1 << 0
"""No side effects: unused operations may be erased."""
RECURSIVE_EFFECTS = 1 << 1
"""Side effects are those of the operations in its regions."""
TERMINATOR = 1 << 2
ISOLATED = 1 << 3
"""Regions cannot see values from outside."""
SYMBOL = 1 << 4
SYMBOL_TABLE = 1 << 5
ELEMENTWISE = 1 << 6
COMMUTATIVE = 1 << 7
CONSTANT_LIKE = 1 << 8
"""A constant for MLIR's folding driver (``sdy.constant`` is not)."""
SAME_TYPE = 1 << 9
"""All operands and results have one type."""
SINGLE_BLOCK = 1 << 10
"""Regions have at most one block."""
NO_TERMINATOR = 1 << 11
"""Blocks of the regions need no terminator."""
DATA_FLOW = 1 << 12
"""Owns data-flow edges (``dialects.sdy.dataflow``)."""
GRAPH_REGION = 1 << 13
"""Operations of the region may stand in any order."""
OPERAND_VALUES = 1 << 14
"""Whether it is legal depends on the values of constant operands, too: those made alike are verified one by one."""
DATA_MOVEMENT = 1 << 15
"""Computes nothing: the elements of the results are elements of the operands, of whatever kind, or sizes."""
LINEAR = 1 << 16
"""Applied to partial sums in all operands, it gives partial sums: f(a + b) = f(a) + f(b)."""
EXPENSIVE = 1 << 17
"""Takes so long for each element that it is not done twice to save memory."""
NO_SHARDING_RULE = 1 << 18
"""Computes tensors from tensors, and Shardy has no sharding rule for it: no sharding passes through."""
COLLECTIVE = 1 << 19
"""Devices send each other what they have: all of a group have to reach it."""


class PropertyKind(NamedTuple):
    """What a property may be. ``stores(value)`` says whether it can hold the value at all, which the generic form's
    ``<{…}>`` checks while it is read; ``accepts(value)`` whether the value is legal, else the verifier says that it
    "failed to satisfy constraint: ``summary``"."""

    summary: str
    stores: Callable[[Attribute], bool]
    accepts: Callable[[Attribute], bool]


def property_kind(summary: str, *classes: type[Attribute]) -> PropertyKind:
    """A property that holds any attribute of ``classes``."""

    def is_one(value: Attribute) -> bool:
        return isinstance(value, classes)

    return PropertyKind(summary, is_one, is_one)


class CollectiveDef(NamedTuple):
    """How the devices talk in an operation with the trait ``COLLECTIVE``: as in the StableHLO collective called
    ``kind`` (``all_reduce``, …), each with those of its group. ``groups(op)`` gives the groups, lists of the numbers of
    devices; without it they are the property ``replica_groups``, as in StableHLO. An empty list is one group of all."""

    kind: str
    groups: Callable[[Operation], Sequence[Sequence[int]]] | None = None


class OpDef:
    """One kind of operation.

    ``operands`` and ``results`` bound the counts: an exact number, or (least, most) with None for "any".
    ``properties`` names the inherent attributes, ``required`` those that must be there, ``defaults`` those that are
    present even when not written, ``kinds`` says what some of them may hold. ``parse`` reads the pretty form after
    the operation's name and ``print_`` writes it; both are None for an operation that has only the generic form, and
    both may be generators (``ir.explicit_stack``). ``elides(op)`` gives the names of properties that pretty printing
    leaves out because they have their default. ``types_alike`` says that ``parse`` looks at nothing of the types in the
    text but whether they are ranked tensors, and at nothing of constants but their type. ``is_pure(op)`` decides for
    kinds whose effects depend on the attributes (``PURE`` says it for all). ``verifiers`` check one operation by
    itself, ``symbol_verifiers`` with the symbols of the module. ``rules`` is for the dialect's own verifier: what it
    checks, or the name of the file that says so, which need not be loaded before.
    What follows is for foreign dialects (docs/dialects.md), whose rows say in one place what the packages of pyshardy
    know of our own operations. ``rule(op, conservative)`` is the sharding rule; ``combines`` says how partial results
    combine that come of sharing its reduction factors ("sum", "max", …), or a function of the operation does.
    ``adapts(op, operand_shapes, result_shapes)`` gives the properties that are others for tensors of those shapes,
    ``localizer(site)`` makes the whole operation of one device. ``data_flow`` is how values flow through its regions,
    ``turns(op)`` how often these run (None: not known). ``evaluator(frame, op, operands)`` computes it,
    ``exact_evaluator`` does so for exact numbers. ``cost(op)`` is what it computes and moves, ``collective`` how its
    devices talk, ``priority`` the place in op-priority propagation of one that is not elementwise: that of a
    "pass_through", a "slice" or a "broadcast".
    """

    __slots__ = (
        "adapts",
        "argument_names",
        "collective",
        "combines",
        "cost",
        "data_flow",
        "default_dialect",
        "defaults",
        "elides",
        "evaluator",
        "exact_evaluator",
        "is_pure",
        "kinds",
        "localizer",
        "name",
        "operands",
        "parse",
        "print_",
        "priority",
        "properties",
        "regions",
        "required",
        "result_names",
        "results",
        "rule",
        "rules",
        "symbol_verifiers",
        "traits",
        "turns",
        "types_alike",
        "verifiers",
    )

    def __init__(
        self,
        name: str,
        *,
        operands: int | tuple[int, int | None] = (0, None),
        results: int | tuple[int, int | None] = (0, None),
        regions: int | tuple[int, int | None] = 0,
        properties: Iterable[str] = (),
        required: Iterable[str] = (),
        kinds: Mapping[str, PropertyKind] | None = None,
        defaults: Callable[[], DictionaryAttr] | None = None,
        traits: int = 0,
        parse: Callable[[Parser, OperationState], Steps | None] | None = None,
        print_: Callable[[Printer, Operation], Steps | None] | None = None,
        types_alike: bool = False,
        elides: Callable[[Operation], Iterable[str]] | None = None,
        is_pure: Callable[[Operation], bool] | None = None,
        result_names: Callable[[Operation], list[str]] | None = None,
        argument_names: Callable[[Operation, int], list[str]] | None = None,
        default_dialect: str | None = None,
        verifiers: tuple[Callable[[Verification, Operation], None], ...] = (),
        symbol_verifiers: tuple[Callable[[Verification, Operation], None], ...] = (),
        rules: str | tuple[Callable[[Operation], None], ...] = (),
        rule: Callable[[Operation, bool], OpShardingRule | None] | None = None,
        combines: str | Callable[[Operation], str | None] | None = None,
        adapts: Callable[[Operation, Shapes, Shapes], Mapping[str, Attribute]] | None = None,
        localizer: Localizer | None = None,
        data_flow: DataFlow | None = None,
        turns: Callable[[Operation], int | None] | None = None,
        evaluator: Evaluator | None = None,
        exact_evaluator: Evaluator | None = None,
        cost: Callable[[Operation], OperationCost] | None = None,
        collective: CollectiveDef | None = None,
        priority: str | None = None,
    ) -> None:
        for field, value in (("properties", properties), ("required", required), ("verifiers", verifiers)):
            if isinstance(value, str) or not isinstance(value, Iterable):
                raise TypeError(f"the row of '{name}': {field} is {value!r}, and a list is expected")
        if not isinstance(traits, int):
            raise TypeError(f"the row of '{name}': traits is {traits!r}, and traits joined by | are expected")
        self.name = name
        self.operands = operands
        self.results = results
        self.regions = regions
        self.properties = frozenset(properties)
        self.required = tuple(required)
        self.kinds = kinds or {}
        self.defaults = defaults
        self.traits = traits | (DATA_FLOW if data_flow is not None else 0) | (COLLECTIVE if collective else 0)
        self.parse = parse
        self.print_ = print_
        self.types_alike = types_alike
        self.elides = elides
        self.is_pure = is_pure
        self.result_names = result_names
        self.argument_names = argument_names
        self.default_dialect = default_dialect
        self.verifiers = tuple(verifiers)
        self.symbol_verifiers = symbol_verifiers
        self.rules = rules
        self.rule = rule
        self.combines = combines
        self.adapts = adapts
        self.localizer = localizer
        self.data_flow = data_flow
        self.turns = turns
        self.evaluator = evaluator
        self.exact_evaluator = exact_evaluator
        self.cost = cost
        self.collective = collective
        self.priority = priority

    def __repr__(self) -> str:
        return f"<OpDef {self.name}>"


class Dialect:
    """A namespace of operations, attributes and types.

    ``parse_attribute(parser, mnemonic)`` reads the body of ``#name.mnemonic…`` (the parser stands right after the
    mnemonic) and ``parse_type`` that of ``!name.mnemonic…``; None keeps the text as it is. ``verify_attribute``
    checks a discardable attribute ``name.…`` on any operation; ``verify_argument_attribute`` does so in the
    dictionary of argument (``arg``) or ``result`` number n of a function. ``partial`` says that the dialect has
    operations beyond these rows; in generic form they are read and kept.
    """

    __slots__ = (
        "definitions",
        "name",
        "parse_attribute",
        "parse_type",
        "partial",
        "verify_argument_attribute",
        "verify_attribute",
    )

    def __init__(
        self,
        name: str,
        definitions: Iterable[OpDef],
        *,
        parse_attribute: Callable[[AttributeParser, str], Attribute] | None = None,
        parse_type: Callable[[AttributeParser, str], Type] | None = None,
        verify_attribute: Callable[[Verification, Operation, str, Attribute], None] | None = None,
        verify_argument_attribute: Callable[[Verification, Operation, str, int, str, Attribute], None] | None = None,
        partial: bool = False,
    ) -> None:
        self.name = name
        self.partial = partial
        self.definitions: dict[str, OpDef] = {}
        for definition in definitions:
            if definition.name in self.definitions:
                raise ValueError(f"two rows of the dialect '{name}' are called '{definition.name}'")
            self.definitions[definition.name] = definition
        self.parse_attribute = parse_attribute
        self.parse_type = parse_type
        self.verify_attribute = verify_attribute
        self.verify_argument_attribute = verify_argument_attribute
