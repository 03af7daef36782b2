"""Finds attention in a program: the values that one kernel for all of it would keep on the chip.

Scores are the result of a product with batch dimensions; scale, mask, softmax and their gradients work on as many
elements, and products read the result. Connected values of that size are scores if some are exponentials that are
summed, one product makes such a value, and one product reads one. In one kernel none of them is in memory, except those
that something else reads; and the backward pass computes the first product again. Where a causal mask hides the keys
after each query, the kernel skips blocks of scores that are hidden completely.

Sources: Dao et al., "FlashAttention" (2022), sections 3.1 and 3.2; Dao, "FlashAttention-2" (2023), section 3.1
(skipping blocks) and 3.3 (their sizes).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from pyshardy.analysis.cost.causal_masks import CausalMasks
from pyshardy.dialects.func import callee, is_declaration
from pyshardy.dialects.stablehlo.attributes import DotDimensionNumbers
from pyshardy.ir.opdef import CONSTANT_LIKE, ELEMENTWISE, TERMINATOR
from pyshardy.ir.operation import Block, Operation, Value
from pyshardy.ir.types import TensorType, element_count
from pyshardy.rules.properties import integers

_PRODUCT, _CALL = "stablehlo.dot_general", "func.call"
_EXPONENTIALS = frozenset({"stablehlo.exponential"})
_ALONG = frozenset({"stablehlo.reduce", "stablehlo.broadcast_in_dim", "stablehlo.reshape", "stablehlo.transpose"})
_MASKING = frozenset({"stablehlo.add", "stablehlo.subtract", "stablehlo.select", _CALL})
_BLOCK = 128
"""A kernel works on blocks of so many queries and keys."""


@dataclass
class Attention:
    """What belongs to attention in one block."""

    scores: set[Value] = field(default_factory=set)
    """The values that a kernel keeps on the chip."""
    again: set[Operation] = field(default_factory=set)
    """The products that make scores and that the backward pass computes again."""
    causal: dict[Operation, float] = field(default_factory=dict)
    """The operations on scores under a causal mask, each with the fraction of the scores that a kernel computes."""
    count: int = 0
    """The number of attentions."""


class AttentionFinder:
    """Finds attention in the blocks of a program with ``functions``. ``find`` must see a caller's block before its
    callee's."""

    def __init__(self, functions: Mapping[str, Operation]) -> None:
        self._functions = functions
        self._along: dict[str, bool] = {}
        self._masks = CausalMasks(functions)
        self._called: dict[Block, float] = {}
        """The bodies of functions that are called on scores, and which part of these a kernel computes."""

    def find(self, operations: Sequence[Operation]) -> Attention:
        """The attention among ``operations``, those of one block. What a function makes that is called on scores are
        scores, too: a mask, as a rule."""
        found = Attention()
        block = operations[0].parent if operations else None
        if block in self._called:
            found.scores.update(result for op in operations for result in op.results)
            found.scores.update(block.arguments)
            found.causal.update((op, self._called[block]) for op in operations)
        if not any(op.name in _EXPONENTIALS for op in operations):
            return found
        seen: set[Value] = set()
        for op in operations:
            if op.name == _PRODUCT and _is_batched(op) and op.results[0] not in seen:
                cluster = _Cluster(op.results[0], block, self._works_along)
                seen |= cluster.values
                if cluster.is_attention:
                    found.count += 1
                    found.scores |= {one for one in cluster.values if cluster.stays(one)}
                    if len(cluster.writers) > 1:
                        found.again.add(op)
                    part = cluster.part_computed(self._masks)
                    if part < 1:
                        found.causal.update((one, part) for one in cluster.operations())
        for op in operations:
            if op.name == _CALL and any(result in found.scores for result in op.results):
                body = self._functions[callee(op)].body
                self._called[body] = max(self._called.get(body, 0.0), found.causal.get(op, 1.0))
        return found

    def _works_along(self, op: Operation) -> bool:
        """Whether ``op`` works on scores as they are."""
        if op.name != _CALL:
            return _works_along(op)
        name = callee(op)
        if name not in self._along:
            function = self._functions.get(name)
            inside = function.body.operations() if function is not None and not is_declaration(function) else []
            self._along[name] = bool(inside) and all(
                _works_along(one) or one.traits & (TERMINATOR | CONSTANT_LIKE) for one in inside
            )
        return self._along[name]


class _Cluster:
    """The values with as many elements as ``first`` that hang together with it in ``block``."""

    def __init__(self, first: Value, block: object, works_along: Callable[[Operation], bool]) -> None:
        self._works_along = works_along
        self._size = element_count(first.type)
        self._block = block
        self.values = {first}
        self.writers: dict[Operation, None] = {}
        self.readers: dict[Operation, None] = {}
        self._sums: dict[Value, tuple[int, ...]] = {}
        self._exponentials: set[Value] = set()
        waiting = [first]
        while waiting:
            value = waiting.pop()
            for other in self._beside(value):
                if other not in self.values and element_count(other.type) == self._size:
                    self.values.add(other)
                    waiting.append(other)

    def _beside(self, value: Value) -> list[Value]:
        found: list[Value] = []
        made = value.defining_op
        if made is not None and made.parent is self._block:
            if made.name == _PRODUCT:
                self.writers[made] = None
            elif self._works_along(made):
                found += made.operands
            if made.name in _EXPONENTIALS:
                self._exponentials.add(value)
        for user in value.users:
            if user.parent is not self._block:
                continue
            if user.name == _PRODUCT:
                self.readers[user] = None
            elif self._works_along(user):
                found += user.results
                if user.name == "stablehlo.reduce":
                    self._sums[value] = integers(user, "dimensions")
        return found

    @property
    def is_attention(self) -> bool:
        """Whether it has all that attention has."""
        return bool(self.writers and self.readers and self._sums.keys() & self._exponentials) and self._size > 1

    def operations(self) -> list[Operation]:
        """Its operations: the products, and what works on scores."""
        made = (one.defining_op for one in self.values)
        inside = [op for op in made if op is not None and op.parent is self._block and self._works_along(op)]
        return [*self.writers, *self.readers, *inside]

    def part_computed(self, masks: CausalMasks) -> float:
        """Which part of the scores a kernel computes: about half of them under a causal mask, as many keys as
        queries."""
        masking = [one for one in self.values if one.defining_op is not None and one.defining_op.name in _MASKING]
        for exponential in self._exponentials & self._sums.keys():
            type, along = exponential.type, self._sums[exponential]
            if not isinstance(type, TensorType) or len(along) != 1:
                continue
            key = along[0]
            length = type.shape[key]
            queries = [dim for dim, size in enumerate(type.shape) if size == length and dim != key]
            alike = [one for one in masking if one.type is type]
            if any(masks.masks(one, query, key) for query in queries for one in alike):
                return min(1.0, 0.5 + _BLOCK / (2 * length))
        return 1.0

    def stays(self, value: Value) -> bool:
        """Whether nothing but attention makes or reads ``value``."""
        made = value.defining_op
        if made is None or made.parent is not self._block:
            return False
        return all(user in self.readers or self._works_along(user) for user in value.users)


def _works_along(op: Operation) -> bool:
    """Whether ``op``, which calls nothing, works on scores as they are."""
    return bool(op.traits & ELEMENTWISE) or op.name in _ALONG


def _is_batched(op: Operation) -> bool:
    numbers = op.properties.get("dot_dimension_numbers")
    return isinstance(numbers, DotDimensionNumbers) and bool(numbers.lhs_batching)
