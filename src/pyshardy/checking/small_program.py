"""Makes a program smaller, so that one that is too large to run can be checked.

Every operation, name and layer stays; dimensions become as small as the program and its shardings allow. The shardings
stay, so a check of the small program proves the strategy for the large one as far as the partitioning does not depend
on sizes.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from typing import TypeVar

from pyshardy.checking.size_classes import BOUNDS, SizeClasses
from pyshardy.dialects.func import function_type
from pyshardy.dialects.main_function import functions
from pyshardy.dialects.sdy.shared_constants import is_foreign_constant
from pyshardy.ir import rewriting
from pyshardy.ir.adapting import adapted_properties
from pyshardy.ir.attributes import DenseArrayAttr
from pyshardy.ir.elements import DenseElementsAttr
from pyshardy.ir.operation import Operation, Value
from pyshardy.ir.registry import foreign_row
from pyshardy.ir.types import DYNAMIC, FunctionType, TensorType, Type, element_count, tensor_shape
from pyshardy.ir.verifying.verifier import verify
from pyshardy.module import Module
from pyshardy.plugins import failure_text
from pyshardy.rules.properties import integers

AnyModule = TypeVar("AnyModule", bound=Module)

MADE_SMALL = "the program was made small"
"""The beginning of the note on the small program."""

_LEAST_PER_DEVICE, _LEAST = 2, 4
"""The least size of a dimension: on each device, if it was as large, and in all."""
_MANUAL = "sdy.manual_computation"


class NotSmaller(ValueError):
    """The program cannot be made smaller; the message says why."""


def small_program(module: AnyModule) -> AnyModule:
    """A copy of ``module`` with the smallest shapes that its shardings can split as before.

    Raises:
        NotSmaller: nothing of it can be made smaller, it is not static, or it has manual computations, whose shapes
            are those of devices.
    """
    source = module.op
    if any(op.name == _MANUAL for op in source.walk()):
        raise NotSmaller("it cannot be made small: it has manual computations, whose shapes are those of devices")
    if any(map(_is_dynamic, _values(source))):
        raise NotSmaller("it cannot be made small: its shapes are dynamic")
    classes = SizeClasses(source)
    sizes = _Shrinking(classes).smallest()
    if sizes == classes.sizes:
        raise NotSmaller("it cannot be made small: its operations hold all dimensions at their sizes")
    copy = module.copy()
    for given, made in zip(_values(source), _values(copy.op), strict=True):
        type = made.type
        if isinstance(type, TensorType):
            rewriting.set_type(made, type.with_shape(sizes[classes.find(one)] for one in classes.values[given]))
    for op, given_op in zip(copy.op.walk(), source.walk(), strict=True):
        _adapt(op, given_op)
    since = len(copy.context.diagnostics)
    if not verify(copy.op, copy.context):
        said = copy.context.diagnostics[since].message
        raise NotSmaller(f"it cannot be made small: an operation holds a size in a way that is not known here: {said}")
    before, after = (sum(element_count(one.type) for one in _values(each.op)) for each in (module, copy))
    copy.notes.append(f"{MADE_SMALL}, from {before:.3g} elements in all of its tensors to {after:.3g}")
    return copy


def _is_dynamic(value: Value) -> bool:
    return isinstance(value.type, TensorType) and DYNAMIC in value.type.shape


def _values(module: Operation) -> Iterator[Value]:
    """All values of the functions of ``module``; those of a copy come in the same order."""
    for function in functions(module):
        for op in function.walk():
            for region in op.regions:
                for block in region.blocks:
                    yield from block.arguments
            yield from op.results


class _Shrinking:
    """Makes the sizes of ``classes`` smaller by one prime factor at a time, while products, ratios and shards allow."""

    def __init__(self, classes: SizeClasses) -> None:
        self._sizes = classes.sizes
        self._pinned = classes.pinned
        self._products = classes.products
        self._products_of: dict[int, list[int]] = {}
        for number, (whole, parts) in enumerate(self._products):
            for one in {whole, *parts}:
                self._products_of.setdefault(one, []).append(number)
        self._ratios: dict[int, list[frozenset[int]]] = {}
        for together in classes.ratios:
            for one in together:
                self._ratios.setdefault(one, []).append(together)
        self._shards = classes.shards
        self._share_shards()

    def _share_shards(self) -> None:
        """Gives a product and its most significant part the same number of shards, the larger of both."""
        changed = True
        while changed:
            changed = False
            for whole, parts in self._products:
                for one, other in ((whole, parts[0]), (parts[0], whole)):
                    count = self._shards.get(one, 1)
                    if count > self._shards.get(other, 1) and self._sizes[other] % count == 0:
                        self._shards[other] = count
                        changed = True

    def smallest(self) -> dict[int, int]:
        """The smallest sizes."""
        order = sorted(self._sizes, key=lambda one: (-self._sizes[one], one))
        changed = True
        while changed:
            changed = False
            for one in order:
                while any(self._divide(one, prime) for prime in _primes(self._sizes[one])):
                    changed = True
        return self._sizes

    def _divide(self, one: int, by: int) -> bool:
        """Divides the size of a class, and of all that must be divided with it; returns whether that was possible."""
        divided = self._divided_with(one, by, frozenset())
        if divided is None:
            return False
        new = {each: self._sizes[each] // by for each in divided}
        for number in {number for each in divided for number in self._products_of.get(each, ())}:
            whole, parts = self._products[number]
            if new.get(whole, self._sizes[whole]) != prod(new.get(part, self._sizes[part]) for part in parts):
                return False
        self._sizes.update(new)
        return True

    def _divided_with(self, one: int, by: int, divided: frozenset[int]) -> frozenset[int] | None:
        """``divided`` with class ``one`` and all that must be divided with it; None if one of them cannot be."""
        if one in divided:
            return divided
        if one in self._pinned or not self._can_divide(one, by):
            return None
        found: frozenset[int] | None = divided | {one}
        for other in {other for together in self._ratios.get(one, ()) for other in together}:
            found = None if found is None else self._divided_with(other, by, found)
        for number in self._products_of.get(one, ()):
            whole, parts = self._products[number]
            if found is None:
                return None
            if one in parts:
                found = self._divided_with(whole, by, found)
            elif not found & set(parts):
                tried = (self._divided_with(part, by, found) for part in parts)
                found = next((each for each in tried if each is not None), None)
        return found

    def _can_divide(self, one: int, by: int) -> bool:
        size, count = self._sizes[one], self._shards.get(one, 1)
        if size % by or size // by < _LEAST:
            return False
        return size % count != 0 or ((size // by) % count == 0 and size // by >= _LEAST_PER_DEVICE * count)


def _primes(size: int) -> Iterator[int]:
    """The prime factors of ``size``, each once, the smallest first."""
    prime = 2
    while prime * prime <= size:
        if size % prime == 0:
            yield prime
            while size % prime == 0:
                size //= prime
        prime += 1
    if size > 1:
        yield size


# --- properties that depend on sizes ----------------------------------------------------------------------------------


def _adapt(op: Operation, given: Operation) -> None:
    """Makes the properties of ``op`` fit its smaller types; ``given`` is the operation that it is a copy of."""
    if op.name == "func.func" and op.regions[0].blocks:
        body = op.body
        results = [value.type for value in body.terminator.operands]
        new = FunctionType([value.type for value in body.arguments], results)
        if function_type(op) is not new:
            rewriting.set_properties(op, op.properties.with_("function_type", new))
    elif op.name == "stablehlo.constant":
        value, type = op.properties.get("value"), op.results[0].type
        if isinstance(value, DenseElementsAttr) and value.type is not type and isinstance(type, TensorType):
            rewriting.set_properties(op, op.properties.with_("value", DenseElementsAttr(type, value.data)))
    elif foreign_row(op.name) is not None:
        _adapt_foreign(op, given)
    elif op.name in BOUNDS:
        before, after = _shape(given.operands[0].type), _shape(op.operands[0].type)
        for name in BOUNDS[op.name]:
            places = zip(integers(op, name), before, after, strict=True)
            _set_integers(op, name, [bound * new // old if old else bound for bound, old, new in places])
    elif op.name == "stablehlo.dynamic_slice":
        _set_integers(op, "slice_sizes", _shape(op.results[0].type))
    elif op.name == "stablehlo.gather":
        # The size of a part of a dimension is 1, unless the dimension was pinned.
        parts = zip(integers(op, "slice_sizes"), _shape(op.operands[0].type), strict=True)
        _set_integers(op, "slice_sizes", [min(part, size) for part, size in parts])


def _adapt_foreign(op: Operation, given: Operation) -> None:
    """Adapts the properties of an operation of a registered dialect by its row, and constants with equal elements."""
    shapes = [[tensor_shape(value.type) for value in values] for values in (op.operands, op.results)]
    try:
        properties = adapted_properties(op, *shapes)
    except Exception as error:
        raise NotSmaller(f"it cannot be made small: '{op.name}' is not adapted: {failure_text(error)}") from error
    if is_foreign_constant(op):
        before, after = given.results[0].type, op.results[0].type
        for name, value in properties.entries.items():
            is_splat = isinstance(value, DenseElementsAttr) and value.type is before and value.is_splat
            if is_splat and isinstance(value, DenseElementsAttr) and isinstance(after, TensorType):
                properties = properties.with_(name, DenseElementsAttr(after, value.data))
    if properties is not op.properties:
        rewriting.set_properties(op, properties)


def _shape(type: Type) -> tuple[int, ...]:
    assert isinstance(type, TensorType)
    return type.shape


def _set_integers(op: Operation, name: str, new: list[int] | tuple[int, ...]) -> None:
    found = op.properties.get(name)
    if isinstance(found, DenseArrayAttr) and found.values != tuple(new):
        rewriting.set_properties(op, op.properties.with_(name, DenseArrayAttr(found.element_type, new)))
