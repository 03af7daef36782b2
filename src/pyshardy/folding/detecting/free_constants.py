"""Detection: constants whose value no stage looks at, so that layers may differ in it.

flax.linen makes the random key of each dropout by ``fold_in`` with a number of its own, a hash of the path of its
module. With stochastic depth layers are left out with a probability of their own. A scalar constant of integers or
floats in the function that has the layers is *free* if

- what reads it *hides* its value: no stage follows values back through a shift, say. A stage that looks for a constant
  begins at an operation that needs it (the start of a slice, the init of a reduction, scores of attention), and goes
  back through operations that pass numbers on;
- few constants are equal to it, or it is one of several numbers that occur equally often and begin one after the other,
  as those of layers do. For passes and the partitioner make one constant of equal ones. ``comparison`` tests that these
  stand at the same places of one layer, and ``folded_plan`` that the partitioner, the only stage that makes numbers of
  its own, has made none of those of layers that were left out.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping

from pyshardy.dialects.func import callee, is_declaration
from pyshardy.folding.detecting.repeats import FEWEST_REPEATS
from pyshardy.ir.attribute import Attribute
from pyshardy.ir.attributes import DictionaryAttr
from pyshardy.ir.elements import DenseElementsAttr
from pyshardy.ir.operation import Block, Operation, OpResult, Value
from pyshardy.ir.operation_kinds import OperationKinds
from pyshardy.ir.types import FloatType, IntegerType, TensorType, Type

_CONSTANT = "stablehlo.constant"
VALUE = "value"
"""The property that holds what a constant is."""
_BY_NUMBER, _BY_MASK = 1, 2
"""The analyses that read the value of a constant: those of indices, trip counts and neutral elements
(``index_columns``, ``trip_count``, ``is_neutral``), and that of causal masks (``causal_masks``)."""
_SEEN_BEHIND = {
    "stablehlo.and": _BY_MASK,
    "stablehlo.broadcast_in_dim": _BY_NUMBER | _BY_MASK,
    "stablehlo.concatenate": _BY_NUMBER,
    "stablehlo.convert": _BY_NUMBER | _BY_MASK,
    "stablehlo.or": _BY_MASK,
    "stablehlo.reshape": _BY_NUMBER | _BY_MASK,
    "stablehlo.shift_left": 0,
    "stablehlo.shift_right_arithmetic": 0,
    "stablehlo.shift_right_logical": 0,
    "stablehlo.xor": 0,
}
"""The operations that may read a free constant, and who sees its value through them."""

_NOT_KNOWN = frozenset(
    f"stablehlo.{name}"
    for name in (
        "bitcast_convert",
        "cosine",
        "divide",
        "dot_general",
        "exponential",
        "log",
        "logistic",
        "maximum",
        "minimum",
        "power",
        "reduce",
        "rsqrt",
        "sine",
        "sqrt",
        "tanh",
    )
)
"""The results of these are no known numbers to who looks for causal masks, and they remain what they are in the local
program. Others may become constants there."""
_OF_KNOWN_NUMBERS = frozenset({"stablehlo.compare", "stablehlo.multiply"})
"""The results of these are known numbers only if both operands are, but for a product with zero."""
_MOST_CALLS = 8
"""A result is followed through at most this many nested calls."""
_MOVING = frozenset(f"stablehlo.{name}" for name in ("broadcast_in_dim", "convert", "reshape", "transpose"))
"""Operations that such a search passes by."""
_LEAST_SPREAD = 8
"""Constants belong to single layers if their first occurrences spread over at least this part (one of so many) of the
range in which they occur; constants that every layer has all begin in the first layer."""
_MOST_EQUAL = 64
"""Numbers that occur more often belong to no layer."""

SplatValue = tuple[Type, bytes]
"""An element type, and a number of this type: what constants share of which one may be taken for the other."""


def splat_of(op: Operation) -> SplatValue | None:
    """The number that all elements of ``op`` are, if it is a constant; None if they differ, or it is none."""
    return None if op.operands else splat_in(op.properties.entries.get(VALUE))


def splat_in(value: Attribute | None) -> SplatValue | None:
    """The number that all elements of a constant of that ``value`` are; None if they differ, or are none."""
    return (value.type.element, value.data) if isinstance(value, DenseElementsAttr) and value.is_splat else None


class FreeConstants:
    """The free constants that stand in ``body``. ``kinds`` are those of all operations of the program, ``functions``
    its functions by name."""

    def __init__(self, kinds: OperationKinds, body: Block, functions: Mapping[str, Operation]) -> None:
        self._functions = functions
        self._hidden: set[tuple[Value, int]] = set()
        """Values that are known to be hidden from those who may see them."""
        self.values: dict[Operation, Attribute] = {}
        """The value of each. The program may have been changed when it is asked for."""
        self.groups: dict[SplatValue, list[Operation]] = {}
        """Those that are equal, by their number."""
        found: dict[SplatValue, list[int]] = {}
        for kind, op in enumerate(kinds.examples):
            number = splat_of(op)
            if number is not None and isinstance(number[0], IntegerType | FloatType):
                found.setdefault(number, []).append(kind)
        rare = {
            kind: number
            for number in _of_single_layers(found, kinds)
            if all(self._is_free(kinds.examples[kind], body) for kind in found[number])
            for kind in found[number]
        }
        # Each layer has a number of its own, or more.
        if len(rare) < FEWEST_REPEATS:
            return
        for kind, op in zip(kinds.numbers, kinds.operations, strict=True):
            if kind in rare:
                self.groups.setdefault(rare[kind], []).append(op)
        for number, group in list(self.groups.items()):
            if all(self._is_free(op, body) for op in group):
                self.values.update((op, op.properties.entries[VALUE]) for op in group)
            else:
                del self.groups[number]

    def is_copy(self, op: Operation, source: Operation) -> bool:
        """Whether ``op`` has the value of ``source``, if that is a free constant."""
        value = self.values.get(source)
        return value is not None and op.properties.entries.get(VALUE) is value

    def common(self, op: Operation, _: Operation) -> Hashable:
        """The properties of ``op``, a copy of a free constant, that have to be those of other layers."""
        return "free", *op.properties.without(VALUE)

    def properties(self, op: Operation, other: Operation) -> DictionaryAttr | None:
        """The properties of ``op``, a copy of a free constant, with the value of ``other``; None if that is none."""
        value = self.values.get(other)
        return None if value is None else op.properties.with_(VALUE, value)

    def _is_free(self, op: Operation, body: Block) -> bool:
        """Whether ``op``, a constant, may be free as far as it is not compared with others."""
        if op.name != _CONSTANT or op.parent is not body:
            return False
        type = op.result.type
        return isinstance(type, TensorType) and not type.shape and self._is_hidden(op.result)

    def _is_hidden(self, value: Value) -> bool:
        """Whether what reads ``value``, or what is made of it, hides it."""
        found = [(value, _BY_NUMBER | _BY_MASK)]
        known = {*found}
        for one, seen_by in found:
            for user, index in one._uses:
                made = self._behind(user, index)
                if made is None:
                    return False
                key = made[0], seen_by & made[1]
                if key[1] and key not in known and key not in self._hidden:
                    known.add(key)
                    found.append(key)
        self._hidden |= known
        return True

    def _behind(self, user: Operation, index: int) -> tuple[Value, int] | None:
        """What ``user`` makes of its operand number ``index``, and who sees that through it; None if the operand may be
        looked at."""
        if user.name == "func.call":
            called = self._functions.get(callee(user))
            if called is None or is_declaration(called):
                return None
            return called.body.arguments[index], _BY_NUMBER | _BY_MASK
        seen_by = _SEEN_BEHIND.get(user.name)
        if seen_by is None and self._hides(user, index):
            seen_by = 0
        return None if seen_by is None else (user.result, seen_by)

    def _hides(self, user: Operation, index: int) -> bool:
        """Whether ``user`` makes of its operand number ``index``, a float, what nobody takes for a known number: a
        quotient, a comparison with a value that is not known either, or a product with one if the operand is not
        zero."""
        type = user.operands[index].type
        if not (isinstance(type, TensorType) and isinstance(type.element, FloatType)):
            return False
        if user.name == "stablehlo.divide":
            return True
        if user.name == "stablehlo.multiply" and _moved_number(user.operands[index]) in (None, 0):
            return False
        return user.name in _OF_KNOWN_NUMBERS and not self._may_be_known(user.operands[1 - index])

    def _may_be_known(self, value: Value) -> bool:
        """Whether ``value`` may be a known number to who looks for causal masks."""
        for _ in range(_MOST_CALLS):
            value = _before_moves(value)
            maker = value.defining_op
            if maker is None or not isinstance(value, OpResult):
                return True
            called = self._functions.get(callee(maker)) if maker.name == "func.call" else None
            if called is None or is_declaration(called):
                return maker.name not in _NOT_KNOWN
            value = called.body.terminator.operands[value.index]
        return True


def _moved_number(value: Value) -> object:
    """The number that all elements of ``value`` are, a constant that was only moved; None if it is none."""
    maker = _before_moves(value).defining_op
    found = maker.properties.entries.get(VALUE) if maker is not None and not maker.operands else None
    return found.splat_value if isinstance(found, DenseElementsAttr) and found.is_splat else None


def _before_moves(value: Value) -> Value:
    """The value that is moved to become ``value``; itself if it is not moved."""
    maker = value.defining_op
    while maker is not None and maker.name in _MOVING:
        value = maker.operands[0]
        maker = value.defining_op
    return value


def _of_single_layers(found: Mapping[SplatValue, list[int]], kinds: OperationKinds) -> list[SplatValue]:
    """Those of ``found``, numbers with the kinds of the constants that are such a number, which may each belong to one
    layer."""
    rare: list[SplatValue] = []
    alike: dict[tuple[Type, int], list[SplatValue]] = {}
    for number, own in found.items():
        count = sum(map(kinds.counts.__getitem__, own))
        if count < FEWEST_REPEATS:
            rare.append(number)
        elif count <= _MOST_EQUAL:
            alike.setdefault((number[0], count), []).append(number)
    families = [one for one in alike.values() if len(one) >= FEWEST_REPEATS]
    if families:
        number_of = {kind: number for one in families for number in one for kind in found[number]}
        places: dict[SplatValue, list[int]] = {}
        for place, kind in enumerate(kinds.numbers):
            if kind in number_of:
                places.setdefault(number_of[kind], []).append(place)
        for one in families:
            begins, last = [places[number][0] for number in one], max(places[number][-1] for number in one)
            if _LEAST_SPREAD * (max(begins) - min(begins)) >= last - min(begins):
                rare += one
    return rare
