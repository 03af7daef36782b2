"""A cache of operations that become one local operation each.

Models repeat layers, so most operations are equal to an earlier one, with operands in the same layouts and the same
requested layout of the result. If the earlier one became a single operation on local values of its operands, or on
versions of them that existed already, the later one becomes an equal operation without being localized. This is exact
for the operations that are cached, because their local form depends only on what the key contains: the signature (name,
properties, types), the attributes, the layouts of the operands, whether and how these can be computed again, the
requested layout, and for a reduction its body and its initial constant. Operations whose localizer reshards or masks an
operand, keeps it unreduced, or computes something again are not cached.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import NamedTuple, Protocol, cast

from pyshardy.dialects.sdy.dataflow import SHARDING
from pyshardy.dialects.sdy.names import CONSTANTS
from pyshardy.emitting.layout import Layout
from pyshardy.emitting.sharded import Sharded
from pyshardy.ir import rewriting, shortcuts
from pyshardy.ir.opdef import ELEMENTWISE
from pyshardy.ir.operation import BlockArgument, Operation, OpResult, Signature, Value
from pyshardy.partitioning.localizing.recipes import recipe_key
from pyshardy.partitioning.localizing.registry import localizer
from pyshardy.partitioning.localizing.run import PartitionRun
from pyshardy.partitioning.localizing.site import Site
from pyshardy.rules.registry import looks_around

_CONTEXT_FREE = frozenset(
    f"stablehlo.{name}"
    for name in ("broadcast", "broadcast_in_dim", "dot", "dot_general", "iota", "reduce", "reshape", "transpose")
)
"""Operations, besides elementwise ones, whose localizers look at nothing but what the key contains."""


class _ForSites(Protocol):
    """A recipe (``Sharded.recipe``) of which a copy for another operation can be made."""

    def __call__(self, layout: Layout) -> Sharded: ...

    def for_site(self, site: Site) -> _ForSites:
        """A copy of the recipe for another operation that is made alike, with operands in the same layouts."""


class _Lowering(NamedTuple):
    """A local operation, the layout of its result, the layouts of the versions that it reads (None for operands that
    are read as they are, and if all are), and the recipe of its result."""

    op: Operation
    layout: Layout
    versions: tuple[Layout | None, ...] | None
    recipe: _ForSites | None


class LoweringCache:
    """The operations of one run that became one local operation each."""

    def __init__(self, run: PartitionRun) -> None:
        self._run = run
        self._known: dict[Hashable, _Lowering] = {}
        self._names: dict[str, bool] = {}

    def find(
        self, op: Operation, operands: Sequence[Sharded], requested: Sequence[Layout | None]
    ) -> tuple[Hashable, Sharded | None]:
        """The key of ``op``, None if it cannot be cached; and its result, emitted like that of an equal operation, None
        if there was none."""
        key = self._key(op, operands, requested)
        known = self._known.get(key) if key is not None else None
        if known is None:
            return key, None
        alike, layout, versions, recipe = known
        builder = self._run.builder
        values = [one.value for one in operands]
        if versions is not None:
            for index, version in enumerate(versions):
                if version is not None:
                    found = self._version(operands[index], version)
                    if found is None:
                        return key, None
                    values[index] = found
        regions = tuple([rewriting.copied_region(region) for region in op.regions]) if op.regions else ()
        local = rewriting.append_alike(builder.block, alike, values, builder.location, regions)
        if recipe is None:
            return key, Sharded(local, op.results[0].type, layout)
        own = recipe.for_site(Site(self._run, op, list(operands), requested))
        return key, Sharded(local, op.results[0].type, layout, own)

    def remember(
        self, key: Hashable, op: Operation, operands: Sequence[Sharded], results: Sequence[Sharded], inserted: int
    ) -> None:
        """Caches under ``key`` what ``op`` became, if that is one equal operation on existing versions of ``operands``.
        ``inserted`` is the number of operations that were inserted while ``op`` was localized."""
        if len(results) != 1:
            return
        found = results[0]
        local = found.value.defining_op
        if local is None or local is not self._run.builder.block.last or local.name != op.name:
            return
        if inserted != (len(local.operations()) if local.regions else 1) or len(local.regions) != len(op.regions):
            return
        if len(found.versions) > 1 or len(local.results) != 1 or local.successors:
            return
        recipe = found.recipe
        if recipe is not None and not hasattr(recipe, "for_site"):
            return
        if len(local.operands) != len(operands):
            return
        versions: list[Layout | None] = []
        for used, one in zip(local.operands, operands, strict=True):
            layout = None
            if used is not one.value:
                layout = next((version.layout for version in one.versions if version.value is used), None)
                if layout is None or self._version(one, layout) is not used:
                    return
            versions.append(layout)
        if local.signature is None:
            # The body is in the key, so that all operations appended for this entry are equal and verified only once.
            local.signature = Signature()
            local.signature.properties, local.signature.attributes = local.properties, local.attributes
        read = tuple(versions) if any(version is not None for version in versions) else None
        self._known[key] = _Lowering(local, found.layout, read, cast("_ForSites | None", recipe))

    def _version(self, operand: Sharded, layout: Layout) -> Value | None:
        """The version of ``operand`` that a reshard to ``layout`` finds; None if there is none."""
        sees = self._run.builder.sees
        return next((one.value for one in operand.versions if one.layout is layout and sees(one.value)), None)

    def _key(
        self, op: Operation, operands: Sequence[Sharded], requested: Sequence[Layout | None]
    ) -> tuple[Hashable, ...] | None:
        """Everything that the local form of ``op`` depends on; None if the operation cannot be cached."""
        signature = op.signature
        if signature is None or op.properties is not signature.properties or len(requested) != 1:
            return None
        is_cached = self._names.get(op.name)
        if is_cached is None:
            is_cached = self._names[op.name] = _is_context_free(op)
        layout = requested[0]
        if not is_cached or (layout is not None and layout.unreduced):
            return None
        layouts = [one.layout if one.recipe is None else (one.layout, recipe_key(one)) for one in operands]
        if not op.regions:
            return signature, op.attributes, layout, self._run.manual_depth, *layouts
        body = _body(op)
        if body is None:
            return None
        constants = [self._constant(value) for value in op.operands]
        return signature, op.attributes, layout, self._run.manual_depth, *layouts, *constants, *body

    def _constant(self, value: Value) -> Hashable:
        """The constants that ``value`` is and that it is a copy of, None for those that it is not."""
        origins, found = self._run.origins, _constant(value)
        while value in origins:
            value = origins[value]
        return found, _constant(value)


def _constant(value: Value) -> Hashable:
    producer = value.defining_op
    return producer.properties if producer is not None and producer.name in CONSTANTS else None


def _body(op: Operation) -> list[Hashable] | None:
    """The contents of the only region of ``op``, as a key. None if it is more than one block of operations without
    regions, calls and shardings that read nothing from outside."""
    (region,) = op.regions if len(op.regions) == 1 else (None,)
    if region is None or len(region.blocks) != 1:
        return None
    block = region.blocks[0]
    parts: list[Hashable] = [one.type for one in block.arguments]
    numbers: dict[Operation, int] = {}
    for inner in block:
        if inner.regions or inner.successors or SHARDING in inner.attributes.entries:
            return None
        if inner.name == "func.call" or inner.name.startswith("sdy."):
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


def _is_context_free(op: Operation) -> bool:
    if not shortcuts.enabled() or op.definition is None or looks_around(op):
        return False
    own = localizer(op.name)
    if own is not None and not own.__module__.startswith("pyshardy."):
        return False
    return op.name in _CONTEXT_FREE or (own is None and bool(op.traits & ELEMENTWISE))
