"""Localizes operations of foreign dialects by what their rows say, if they have no localizer of their own.

A collective keeps its groups and is recorded; a value that flows through an operation with regions has one layout on
all its edges; a constant is computed as a shard. All other operations go by their sharding rules
(``localizing.rule_based``). Exceptions that a user's function raises become errors at the operation.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NoReturn

from pyshardy.dialects.sdy.dataflow import DataFlow, flow_of
from pyshardy.dialects.sdy.region_flow import flow_problem
from pyshardy.dialects.stablehlo.replica_groups import group_rows
from pyshardy.emitting.layout import Layout, local_type, replicated
from pyshardy.emitting.sharded import Sharded
from pyshardy.ir.diagnostics import PyshardyError
from pyshardy.ir.elements import DenseElementsAttr
from pyshardy.ir.opdef import CONSTANT_LIKE, ELEMENTWISE, ISOLATED, OpDef
from pyshardy.ir.operation import Block, BlockArgument, Operation, Region, Value
from pyshardy.ir.types import TensorType
from pyshardy.ir.verifying.operation_diagnostics import emit_at
from pyshardy.partitioning.families.constants import local_part, result_with_recipe
from pyshardy.partitioning.layouts.reshard import CannotReshard
from pyshardy.partitioning.localizing.rule_based import localize_by_rule
from pyshardy.partitioning.localizing.site import Site, replicated_layout
from pyshardy.plugins import failure_text, place_of, place_of_failure

Localizer = Callable[[Site], Sequence[Sharded]]


def row_localizer(row: OpDef, op: Operation) -> Localizer | None:
    """The localizer that the ``row`` of ``op`` asks for; None if the sharding rule suffices."""
    found: Localizer
    if row.collective is not None:
        found = _collective
    elif flow_of(op.name) is not None:
        found = _by_flow
    elif row.traits & CONSTANT_LIKE and not op.operands and len(op.results) == 1 and not op.regions:
        found = _constant
    else:
        return None
    return found


def guarded(localizer: Localizer, site: Site) -> Sequence[Sharded]:
    """The results of ``localizer``, which a user has written, at ``site``.

    Raises:
        PyshardyError: the function raises an error, or returns something else than results.
    """
    op = site.op
    try:
        made: object = localizer(site)
    except (PyshardyError, CannotReshard):
        raise
    except Exception as problem:
        refuse(site, failure_text(problem), localizer, problem)
    if not isinstance(made, list | tuple) or not all(isinstance(one, Sharded) for one in made):
        refuse(site, f"returns {type(made).__name__}, and a list with one Sharded a result is expected", localizer)
    if len(made) != len(op.results):
        refuse(site, f"returns {len(made)} values for {len(op.results)} results", localizer)
    return made


def refuse(site: Site, problem: str, localizer: Callable[..., object], raised: BaseException | None = None) -> NoReturn:
    """Ends the run with an error at the operation of ``site``.

    Raises:
        PyshardyError: always.
    """
    place = place_of(localizer) if raised is None else place_of_failure(raised, localizer)
    subject = f"the localizer of op '{site.op.name}'{place}"
    if localizer in (_collective, _by_flow, _constant, localize_by_rule):
        # The localizer is ours: a function of the row has raised.
        place = place_of_failure(raised) if raised is not None else ""
        subject = f"what the row of op '{site.op.name}' says of it{place}"
    context = site.run.context
    since = len(context.diagnostics)
    context.emit("error", site.op.location, f"{subject} {problem}")
    raise context.failure(since)


# --- constants --------------------------------------------------------------------------------------------------------


def _constant(site: Site) -> list[Sharded]:
    if not isinstance(site.op.results[0].type, TensorType) or not site.op.results[0].type.has_static_shape:
        return site.fall_back()
    return result_with_recipe(site, _constant_maker)


def _constant_maker(site: Site) -> Callable[[Layout], Value]:
    """A constant that is elementwise, or a splat, is created with the local shape; of any other the device slices its
    shard."""
    op, builder, type = site.op, site.builder, site.op.results[0].type
    assert isinstance(type, TensorType)
    attributes = site.attributes()
    splat = next(
        (
            name
            for name, value in op.properties.entries.items()
            if isinstance(value, DenseElementsAttr) and value.type == type and value.is_splat
        ),
        None,
    )

    def made(local: TensorType) -> Value:
        properties = site.adapted((), (local.shape,))
        found = properties.get(splat) if splat is not None else None
        if splat is not None and isinstance(found, DenseElementsAttr) and found.type != local:
            properties = properties.with_(splat, DenseElementsAttr(local, found.data))
        key = op.name, properties, attributes, local
        return builder.cached(key, lambda: builder.create(op.name, (), (local,), properties, attributes).results[0])

    def make(layout: Layout) -> Value:
        if splat is not None or op.traits & ELEMENTWISE:
            local = local_type(type, layout)
            assert isinstance(local, TensorType)
            return made(local)
        return local_part(builder, made(type), layout)

    return make


# --- data flow --------------------------------------------------------------------------------------------------------


def _by_flow(site: Site) -> list[Sharded]:
    op, model = site.op, flow_of(site.op.name)
    problem = flow_problem(op)
    if problem is not None:
        since = len(site.run.context.diagnostics)
        emit_at(site.run.context, "error", op, f"'{op.name}' op {problem}")
        raise site.run.context.failure(since)
    if any(len(region.blocks) > 1 for region in op.regions):
        return site.fall_back()
    assert model is not None
    return _Flow(site, model).localized()


class _Flow:
    """One operation with data flow: each value that flows has one layout on all its edges, all others are
    replicated."""

    def __init__(self, site: Site, model: DataFlow) -> None:
        self._site = site
        op = site.op
        self._fed: dict[tuple[Operation, int], Value] = {}
        """The owner of the edge that an operand is a source of."""
        self._seen: dict[Value, Value] = {}
        """The owner of the edge that a block argument is a target of."""
        self._layouts: dict[Value, Layout | None] = {}
        for owner in (*model.block_argument_owners(op), *op.results):
            self._seen[owner] = owner
            self._seen.update(dict.fromkeys(model.non_owner_targets(owner), owner))
            uses = model.source_uses(owner)
            self._fed.update(dict.fromkeys(uses, owner))
            layout = None if isinstance(owner, BlockArgument) else site.requested[owner.index]  # type: ignore[attr-defined]
            for source, index in uses:
                if layout is None and source is op:
                    layout = site.operands[index].layout
            # A value without source is replicated.
            self._layouts[owner] = None if layout is None or not uses else layout.reduced()

    def localized(self) -> list[Sharded]:
        """The local operation, with operands, regions and results in the layouts of their edges."""
        site, op = self._site, self._site.op
        operands = [
            site.reshard(one, self._layout(self._fed.get((op, index)), one.type))
            for index, one in enumerate(site.operands)
        ]
        regions = tuple(map(self._region, op.regions))
        layouts = [self._layout(result, result.type) for result in op.results]
        shapes = [_shape(one.value) for one in operands]
        types = [local_type(result.type, layout) for result, layout in zip(op.results, layouts, strict=True)]
        made = site.builder.create(
            op.name,
            [one.value for one in operands],
            types,
            site.adapted(shapes, [tuple(getattr(type, "shape", ())) for type in types]),
            site.attributes(),
            regions,
        )
        return [site.result(index, value, layouts[index]) for index, value in enumerate(made.results)]

    def _layout(self, owner: Value | None, type: object) -> Layout:
        found = self._layouts.get(owner) if owner is not None else None
        return replicated(len(getattr(type, "shape", ()))) if found is None else found

    def _region(self, region: Region) -> Region:
        """The local copy of ``region``."""
        if region.empty:
            return Region([])
        site, source, block = self._site, region.blocks[0], Block()
        env = site.run.env
        for old in source.arguments:
            layout = self._layout(self._seen.get(old), old.type)
            env[old] = Sharded(block.add_argument(local_type(old.type, layout), old.location), old.type, layout)
        builder = site.builder
        inside = builder.in_function if site.op.traits & ISOLATED else builder.in_block
        with inside(block):
            terminator = site.run.emit_operations(source)
            returned = [
                self._returned(terminator, index, env[value]) for index, value in enumerate(terminator.operands)
            ]
            builder.create(
                terminator.name, [one.value for one in returned], (), terminator.properties, terminator.attributes
            )
        builder.location = site.op.location
        return Region([block])

    def _returned(self, terminator: Operation, index: int, found: Sharded) -> Sharded:
        """A value that a body returns. If nothing else gives its edge a layout, the first region does."""
        owner = self._fed.get((terminator, index))
        if owner is not None and self._layouts.get(owner) is None:
            self._layouts[owner] = found.layout.reduced()
        return self._site.reshard(found, self._layout(owner, found.type))


def _shape(value: Value) -> tuple[int, ...]:
    return tuple(getattr(value.type, "shape", ()))


# --- collectives ------------------------------------------------------------------------------------------------------


def _collective(site: Site) -> list[Sharded]:
    """A collective keeps its groups, which name devices. Dimensions that its rule relates may be sharded by other
    axes."""
    rule = site.declared_rule()
    strategy = site.strategy(rule) if rule is not None else None
    if strategy is None:
        operands = [site.replicate(operand) for operand in site.operands]
        results = site.emit(operands, [replicated_layout(result.type) for result in site.op.results])
    else:
        results = site.emit(list(map(site.reshard, site.operands, strategy.operands)), strategy.results)
    made = results[0].value.defining_op if results else None
    row = site.op.definition
    if made is not None and row is not None and row.collective is not None:
        groups = group_rows(site.op, site.run.module)
        devices = max((mesh.total_size for mesh in site.run.meshes.values()), default=1)
        size = max(map(len, groups), default=devices)
        site.collectives.record(made, row.collective.kind, (), size)
    return results
