"""Operations that become one local operation each, emitted like those that were alike.

Layers repeat: most operations of a program were made like an earlier one, get operands that lie alike, and are wanted
in the same place. Where the earlier one became a single operation on the local values of its operands, or on forms of
them that were there already, so does this one, and nothing needs to be asked again. That is exact for the operations
that are taken here: what becomes of them depends on nothing but how they were made (name, properties, types: the
signature; the body of a reduction, and what constant it begins with), their attributes, the layouts of their operands,
whether and how those can be made anew, and where the result is wanted; all of it is in the key. What brings an operand
elsewhere, masks it, keeps terms or makes something anew is never remembered; a result that can be made of nothing
(``recipe``) can be so again.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import NamedTuple, Protocol, cast

from pyshardy.dialects.sdy.dataflow import SHARDING
from pyshardy.emitting.layout import Layout, Sharded
from pyshardy.ir import rewriting, shortcuts
from pyshardy.ir.opdef import ELEMENTWISE
from pyshardy.ir.operation import BlockArgument, Operation, OpResult, Signature, Value
from pyshardy.partitioning.localizing.free_results import chain_of
from pyshardy.partitioning.localizing.registry import localizer
from pyshardy.partitioning.localizing.run import Run
from pyshardy.partitioning.localizing.site import Site
from pyshardy.rules.registry import looks_around

_BY_THEMSELVES = frozenset(
    f"stablehlo.{name}"
    for name in ("broadcast", "broadcast_in_dim", "dot", "dot_general", "iota", "reduce", "reshape", "transpose")
)
"""Operations besides elementwise ones whose localizers look at nothing else, as long as those are our own."""


class _ForSites(Protocol):
    """A recipe (``Sharded.recipe``) that others like it can be made of."""

    def __call__(self, layout: Layout) -> Sharded: ...

    def for_site(self, site: Site) -> _ForSites:
        """The same recipe for an operation that was made alike, whose operands lie alike."""


class _Lowering(NamedTuple):
    """A local operation, how its result lies, in which layouts it takes its operands (None for those that it takes as
    they lie, and if it takes all so), and how the result can be made anew of nothing."""

    op: Operation
    layout: Layout
    forms: tuple[Layout | None, ...] | None
    recipe: _ForSites | None


class LoweringCache:
    """What operations of one run became."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._known: dict[Hashable, _Lowering] = {}
        self._names: dict[str, bool] = {}

    def made(
        self, op: Operation, operands: Sequence[Sharded], wanted: Sequence[Layout | None]
    ) -> tuple[Hashable, Sharded | None]:
        """Under what it is remembered what becomes of ``op``, None if it is not; and what it is, emitted, if something
        like it is known."""
        key = self._key(op, operands, wanted)
        known = self._known.get(key) if key is not None else None
        if known is None:
            return key, None
        alike, layout, forms, recipe = known
        builder = self._run.builder
        values = [one.value for one in operands]
        if forms is not None:
            for index, form in enumerate(forms):
                if form is not None:
                    found = self._form(operands[index], form)
                    if found is None:
                        return key, None
                    values[index] = found
        regions = tuple([rewriting.copied_region(region) for region in op.regions]) if op.regions else ()
        local = rewriting.append_alike(builder.block, alike, values, builder.location, regions)
        if recipe is None:
            return key, Sharded(local, op.results[0].type, layout)
        own = recipe.for_site(Site(self._run, op, list(operands), wanted))
        return key, Sharded(local, op.results[0].type, layout, own)

    def learn(
        self, key: Hashable, op: Operation, operands: Sequence[Sharded], results: Sequence[Sharded], movements: int
    ) -> None:
        """Remembers under ``key`` what ``op`` became, if that is one operation like it on the values of ``operands`` as
        they were; ``movements`` says how many operations were put somewhere on the way."""
        if len(results) != 1:
            return
        found = results[0]
        local = found.value.defining_op
        if local is None or local is not self._run.builder.block.last or local.name != op.name:
            return
        if movements != (len(local.operations()) if local.regions else 1) or len(local.regions) != len(op.regions):
            return
        if len(found.versions) > 1 or len(local.results) != 1 or local.successors:
            return
        recipe = found.recipe
        if recipe is not None and not hasattr(recipe, "for_site"):
            return
        if len(local.operands) != len(operands):
            return
        forms: list[Layout | None] = []
        for mine, one in zip(local.operands, operands, strict=True):
            layout = None
            if mine is not one.value:
                layout = next((form.layout for form in one.versions if form.value is mine), None)
                if layout is None or self._form(one, layout) is not mine:
                    return
            forms.append(layout)
        if local.signature is None:
            # Its body is in the key: those like it are made alike, and need to be verified only once.
            local.signature = Signature()
            local.signature.properties, local.signature.attributes = local.properties, local.attributes
        brought = tuple(forms) if any(form is not None for form in forms) else None
        self._known[key] = _Lowering(local, found.layout, brought, cast("_ForSites | None", recipe))

    def _form(self, operand: Sharded, layout: Layout) -> Value | None:
        """The form of ``operand`` that a reshard to ``layout`` finds; None if there is none yet."""
        sees = self._run.builder.sees
        return next((one.value for one in operand.versions if one.layout is layout and sees(one.value)), None)

    def _key(
        self, op: Operation, operands: Sequence[Sharded], wanted: Sequence[Layout | None]
    ) -> tuple[Hashable, ...] | None:
        signature = op.signature
        if signature is None or op.properties is not signature.properties or len(wanted) != 1:
            return None
        taken = self._names.get(op.name)
        if taken is None:
            taken = self._names[op.name] = _may_be_taken(op)
        place = wanted[0]
        if not taken or (place is not None and place.unreduced):
            return None
        lying = [one.layout if one.recipe is None else (one.layout, chain_of(one)) for one in operands]
        if not op.regions:
            return signature, op.attributes, place, self._run.manual_depth, *lying
        body = _body(op)
        if body is None:
            return None
        constants = [self._constant(value) for value in op.operands]
        return signature, op.attributes, place, self._run.manual_depth, *lying, *constants, *body

    def _constant(self, value: Value) -> Hashable:
        """What ``value`` is here, and what it is where it comes from, if those are constants."""
        origins, found = self._run.origins, _constant(value)
        while value in origins:
            value = origins[value]
        return found, _constant(value)


def _constant(value: Value) -> Hashable:
    made = value.defining_op
    return made.properties if made is not None and made.name in ("stablehlo.constant", "sdy.constant") else None


def _body(op: Operation) -> list[Hashable] | None:
    """What the only region of ``op`` is made of; None if it is more than one block of operations that have no regions,
    no shardings, and read nothing from outside."""
    (region,) = op.regions if len(op.regions) == 1 else (None,)
    if region is None or len(region.blocks) != 1:
        return None
    block = region.blocks[0]
    parts: list[Hashable] = [one.type for one in block.arguments]
    numbers: dict[Operation, int] = {}
    for inner in block:
        if inner.regions or inner.successors or SHARDING in inner.attributes.entries or inner.name.startswith("sdy."):
            return None
        parts += (inner.name, inner.properties, inner.attributes)
        for value in inner.operands:
            if isinstance(value, BlockArgument) and value.owner is block:
                parts.append(value.index)
            elif isinstance(value, OpResult) and value.owner in numbers:
                parts.append((numbers[value.owner], value.index))
            else:
                return None
        parts += [result.type for result in inner.results]
        numbers[inner] = len(numbers)
    return parts


def _may_be_taken(op: Operation) -> bool:
    if not shortcuts.taken() or op.definition is None or looks_around(op):
        return False
    own = localizer(op.name)
    if own is not None and not own.__module__.startswith("pyshardy."):
        return False
    return op.name in _BY_THEMSELVES or (own is None and bool(op.traits & ELEMENTWISE))
