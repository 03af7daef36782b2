"""Evaluates operations of foreign dialects on exact numbers, by their sharding rules.

Along a factor that passes through, an element of a result depends only on the elements of the operands that have its
index, by the rule; the native evaluator is run on a part of its operands to check that. If it holds, residues of
results are pseudo-random functions of the residues that they depend on: shards and the whole agree exactly. For sums,
sums of products, and maxima rows may say ``EXACT_SUM``, ``EXACT_PRODUCT`` or ``EXACT_CHOICE``: they are computed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import prod
from typing import Any, NamedTuple

import numpy as np

from pyshardy.interpreter.element_types import Array
from pyshardy.interpreter.exact import algebra, residues
from pyshardy.interpreter.exact.numbers import (
    approximation,
    as_kind,
    from_integers,
    is_exact,
    is_void,
    order_keys,
    settled,
    void,
)
from pyshardy.interpreter.exact.opaque import fingerprints, on_doubles, whole_images, with_images
from pyshardy.interpreter.foreign_evaluators import operands_for_plugin
from pyshardy.interpreter.frame import Evaluator, Frame, OutOfTime
from pyshardy.interpreter.number_systems import DOUBLES
from pyshardy.ir.operation import Operation
from pyshardy.rules.registry import rule_for
from pyshardy.sharding.rule import OpShardingRule, TensorMapping


class OnNative(NamedTuple):
    """An exact evaluator that is made of the native one."""

    function: Callable[[Evaluator, Frame, Operation, list[Any]], Sequence[Any]]


def _product(native: Evaluator, frame: Frame, op: Operation, operands: list[Any]) -> list[Any]:
    first, second = operands
    kind = frame.array_type(op.results[0].type)
    first, second = (as_kind(one if is_exact(one.dtype) else from_integers(one), kind) for one in (first, second))
    inner = frame.counting_in(DOUBLES)

    def on_doubles(a: Array, b: Array) -> Array:
        (result,) = native(inner, op, [a, b])
        return np.asarray(result)

    terms = min(prod(first.shape[1:]), prod(second.shape[1:]))
    return [algebra.bilinear(on_doubles, first, second, int(terms), decides=frame.machine.decides(op.results[0]))]


def _sum(native: Evaluator, frame: Frame, op: Operation, operands: list[Any]) -> list[Any]:
    (values,) = operands
    inner = frame.counting_in(DOUBLES)

    def on(plane: Array) -> Array:
        (found,) = native(inner, op, [plane])
        return np.array(found)

    residue = residues.reduced_large(on(values.residue))
    return [settled(void(residue) if is_void(values.value) else on(values.value), residue)]


def _choice(native: Evaluator, frame: Frame, op: Operation, operands: list[Any]) -> list[Any]:
    exact = [one for one in operands if is_exact(one.dtype)]
    flat: Any = np.concatenate([one.reshape(-1) for one in exact])
    order = np.argsort(order_keys(flat), kind="stable")
    ranks = np.empty(len(order))
    ranks[order] = np.arange(len(order))
    ends = np.cumsum([prod(one.shape) for one in exact])
    parts = iter(np.split(ranks, ends[:-1]))
    given = [next(parts).reshape(one.shape) if is_exact(one.dtype) else one for one in operands]
    found = native(frame.counting_in(DOUBLES), op, given)
    return [flat[order[np.rint(one).astype(np.int64)]] if one.dtype.kind == "f" else one for one in found]


EXACT_PRODUCT = OnNative(_product)
"""For a row: the evaluator adds up products of elements of its two operands, and does nothing else."""
EXACT_CHOICE = OnNative(_choice)
"""For a row: floats in the results are floats of the operands, chosen by which is larger (a maximum, a sort)."""
EXACT_SUM = OnNative(_sum)
"""For a row: the evaluator adds up elements of its operand, and does nothing else."""


def exact_as(choose: Callable[[Operation], OnNative]) -> OnNative:
    """For a row: which of those it is, ``choose`` says of each operation."""
    return OnNative(lambda native, frame, op, operands: choose(op).function(native, frame, op, operands))


def by_rule(name: str, native: Evaluator) -> Evaluator:
    """The evaluator of operation ``name`` as a function of what its rule says that results depend on."""
    known: dict[Operation, tuple[OpShardingRule, list[int]] | None] = {}

    def evaluate(frame: Frame, op: Operation, operands: list[Array]) -> list[Array]:
        found = on_doubles(frame, op, operands, native)
        if not any(is_exact(value.dtype) for value in operands):
            return [frame.machine.numbers.constant(value) for value in found]
        if op not in known:
            known[op] = _passing(frame, op, operands, found, native)
        passing = known[op]
        if passing is None:
            return whole_images(name, operands, found, batch=0)
        return _images(name, *passing, operands, found)

    return evaluate


def _passing(
    frame: Frame, op: Operation, operands: Sequence[Array], found: Sequence[Array], native: Evaluator
) -> tuple[OpShardingRule, list[int]] | None:
    """The rule of ``op``, and those of its factors along which it works piece by piece; None if it has none."""
    rule = rule_for(op)
    if rule is None or any(len(factors) > 1 for mapping in rule.tensor_mappings for factors in mapping):
        return None
    doubles = [approximation(value) for value in operands]
    factors = []
    for factor in range(rule.num_factors):
        is_everywhere = all(factor in _places(one) for one in rule.result_mappings)
        is_read = any(factor in _places(one) for one in rule.operand_mappings)
        if rule.is_pass_through(factor) and is_everywhere and is_read:
            pieces = frame, op, native, rule, factor, doubles, found
            factors += [factor] if _works_by_pieces(*pieces) else []
    return rule, factors


def _works_by_pieces(
    frame: Frame,
    op: Operation,
    native: Evaluator,
    rule: OpShardingRule,
    factor: int,
    operands: Sequence[Array],
    found: Sequence[Array],
) -> bool:
    """Whether the native evaluator makes of all but the first index of ``factor`` what it makes of all."""
    if rule.factor_sizes[factor] < 2:
        return True
    part = [
        _without_first(value, mapping, factor) for value, mapping in zip(operands, rule.operand_mappings, strict=True)
    ]
    # Only whole operands give what the types of the operation say.
    evaluate: Evaluator = getattr(native, "__wrapped__", native)
    try:
        made = evaluate(frame.counting_in(DOUBLES), op, operands_for_plugin(op, part))
    except OutOfTime:
        raise
    # What a plugin's function cannot do with a part is no reason to stop: then nothing is known.
    except Exception:
        return False
    wanted = [
        _without_first(value, mapping, factor) for value, mapping in zip(found, rule.result_mappings, strict=True)
    ]
    return len(made) == len(wanted) and all(map(_alike, made, wanted))


def _alike(one: Any, other: Array) -> bool:
    return np.shape(one) == other.shape and bool(np.allclose(one, other, rtol=1e-9, atol=1e-9, equal_nan=True))


def _places(mapping: TensorMapping) -> Mapping[int, int]:
    """Which dimension each factor is."""
    return {factors[0]: dim for dim, factors in enumerate(mapping) if factors}


def _without_first(value: Array, mapping: TensorMapping, factor: int) -> Array:
    dim = _places(mapping).get(factor)
    return value if dim is None else value[(slice(None),) * (dim + 1) + (slice(1, None),)]


def _images(
    name: str, rule: OpShardingRule, factors: Sequence[int], operands: Sequence[Array], found: Sequence[Array]
) -> list[Array]:
    """The results ``found`` as functions of all numbers of the operands that have their indices of ``factors``."""
    key: Array | None = None
    for number, (value, mapping) in enumerate(zip(operands, rule.operand_mappings, strict=True)):
        places = _places(mapping)
        own = [places[factor] + 1 for factor in factors if factor in places]
        others = [dim for dim in range(1, value.ndim) if dim not in own]
        for code in fingerprints(value):
            row = residues.image_of_rows(f"operand {number}", code.transpose(0, *own, *others), len(others))
            sizes = iter(row.shape[1:])
            row = row.reshape(len(row), *(next(sizes) if factor in places else 1 for factor in factors))
            key = row if key is None else residues.image("and", *np.broadcast_arrays(key, row))
    assert key is not None
    return [
        _image(f"{name}.{place}", key, [_places(mapping)[factor] + 1 for factor in factors], value)
        for place, (value, mapping) in enumerate(zip(found, rule.result_mappings, strict=True))
    ]


def _image(name: str, key: Array, own: Sequence[int], value: Array) -> Any:
    """``value`` with an image of ``key``, whose dimensions behind that of lanes are the dimensions ``own`` of it."""
    others = [dim for dim in range(1, value.ndim) if dim not in own]
    order = (0, *own, *others)
    moved = value.transpose(order)
    inner = moved.shape[1 + len(own) :]
    places = np.arange(prod(inner), dtype=np.float64).reshape(inner)
    spread = key.reshape(*key.shape, *(1,) * len(inner))
    made = with_images(moved, name, list(np.broadcast_arrays(spread, places)), zeros=True)
    return made.transpose(tuple(int(place) for place in np.argsort(order)))
