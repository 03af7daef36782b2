"""Operations that become one local operation each, emitted like those that were alike.

Layers repeat: most operations of a program were made like an earlier one, get operands that lie alike, and are wanted
in the same place. Where the earlier one became a single operation on the local values of its operands, so does this
one, and nothing needs to be asked again. That is exact for the operations that are taken here: what becomes of them
depends on nothing but how they were made (name, properties, types: the signature), their attributes, the layouts of
their operands, whether those can be made anew, and where the result is wanted; all of it is in the key. What brings an
operand elsewhere, masks it, keeps terms or makes something anew is never remembered. The partitioner stands right of
this file.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import NamedTuple

from pyshardy.emitting.layout import Layout, Sharded
from pyshardy.ir import rewriting, shortcuts
from pyshardy.ir.attributes import DictionaryAttr
from pyshardy.ir.opdef import ELEMENTWISE
from pyshardy.ir.operation import Operation, Signature
from pyshardy.ir.types import Type
from pyshardy.partitioning.localizing.registry import localizer
from pyshardy.partitioning.localizing.run import Run
from pyshardy.rules.registry import looks_around

_BY_THEMSELVES = frozenset(
    f"stablehlo.{name}" for name in ("broadcast", "broadcast_in_dim", "dot", "dot_general", "transpose")
)
"""Operations besides elementwise ones whose localizers look at nothing else, as long as those are our own."""


class _Stamp(NamedTuple):
    """The local operation: what it is made of, and how its result lies."""

    properties: DictionaryAttr
    attributes: DictionaryAttr
    type: Type
    signature: Signature | None
    layout: Layout


class Stamps:
    """What operations of one run became."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._known: dict[Hashable, _Stamp] = {}
        self._names: dict[str, bool] = {}

    def made(
        self, op: Operation, operands: Sequence[Sharded], wanted: Sequence[Layout | None]
    ) -> Sequence[Sharded] | None:
        """What becomes of ``op``, emitted; None if nothing like it is known."""
        key = self._key(op, operands, wanted)
        stamp = self._known.get(key) if key is not None else None
        if stamp is None:
            return None
        builder = self._run.builder
        values = [one.value for one in operands]
        local = rewriting.create(
            op.name, values, (stamp.type,), stamp.properties, stamp.attributes, location=builder.location
        )
        local.signature = stamp.signature
        rewriting.append(builder.block, local)
        return [Sharded(local.results[0], op.results[0].type, stamp.layout)]

    def learn(
        self,
        op: Operation,
        operands: Sequence[Sharded],
        wanted: Sequence[Layout | None],
        results: Sequence[Sharded],
        movements: int,
    ) -> None:
        """Remembers what ``op`` became, if that is one operation like it on the values of ``operands`` as they were;
        ``movements`` says how many operations were put somewhere on the way."""
        if movements != 1 or len(results) != 1:
            return
        found = results[0]
        local = found.value.defining_op
        if local is None or local is not self._run.builder.block.last or local.name != op.name or local.regions:
            return
        if found.recipe is not None or len(found.versions) > 1 or len(local.results) != 1:
            return
        if len(local.operands) != len(operands) or any(
            mine is not one.value for mine, one in zip(local.operands, operands, strict=True)
        ):
            return
        key = self._key(op, operands, wanted)
        if key is not None:
            self._known[key] = _Stamp(
                local.properties, local.attributes, local.results[0].type, local.signature, found.layout
            )

    def _key(self, op: Operation, operands: Sequence[Sharded], wanted: Sequence[Layout | None]) -> Hashable | None:
        signature, name = op.signature, op.name
        if signature is None or op.properties is not signature.properties or len(wanted) != 1:
            return None
        taken = self._names.get(name)
        if taken is None:
            taken = self._names[name] = _may_be_taken(op)
        place = wanted[0]
        if not taken or (place is not None and place.unreduced):
            return None
        key: list[Hashable] = [signature, op.attributes, place, self._run.manual_depth]
        for one in operands:
            key.append(one.layout)
            if one.recipe is not None:
                key.append(None)
        return tuple(key)


def _may_be_taken(op: Operation) -> bool:
    if not shortcuts.taken() or op.definition is None or looks_around(op):
        return False
    own = localizer(op.name)
    if own is not None and not own.__module__.startswith("pyshardy."):
        return False
    return op.name in _BY_THEMSELVES or (own is None and bool(op.traits & ELEMENTWISE))
