"""Localizes loops and branches. A carried value has one layout in the operand, the body and the result of a loop.

Conditions are replicated scalars, so all devices take the same branch and reach the same collectives.
"""

from __future__ import annotations

from collections.abc import Sequence

from pyshardy.emitting.layout import Layout, local_type
from pyshardy.emitting.sharded import Sharded
from pyshardy.ir.operation import Block, Region
from pyshardy.partitioning.localizing.registry import localizes
from pyshardy.partitioning.localizing.site import Site


@localizes("stablehlo.while")
def _while(site: Site) -> list[Sharded]:
    """Each carried value gets the requested layout, or else that of the operand, in the condition and the body."""
    op = site.op
    layouts = [
        (operand.layout if requested is None else requested).reduced()
        for operand, requested in zip(site.operands, site.requested, strict=True)
    ]
    carried = list(map(site.reshard, site.operands, layouts))
    types = [value.value.type for value in carried]
    copies = []
    for number, region in enumerate(op.regions):
        source, block = region.blocks[0], Block(types)
        for old, new, layout in zip(source.arguments, block.arguments, layouts, strict=True):
            site.run.env[old] = Sharded(new, old.type, layout)
        # Region 0 is the condition, which returns a scalar.
        _emit_block(site, source, block, None if number == 0 else layouts)
        copies.append(Region([block]))
    made = site.builder.create(
        op.name, [value.value for value in carried], types, op.properties, site.attributes(), tuple(copies)
    )
    return [site.result(index, value, layouts[index]) for index, value in enumerate(made.results)]


@localizes("stablehlo.if", "stablehlo.case")
def _branches(site: Site) -> list[Sharded]:
    """All branches return results in the requested layouts, or else in those of the first branch."""
    op = site.op
    chosen = site.replicate(site.operands[0])
    layouts: list[Layout | None] = [None if layout is None else layout.reduced() for layout in site.requested]
    copies = []
    for region in op.regions:
        block = Block()
        returned = _emit_block(site, region.blocks[0], block, layouts)
        # A result without a requested layout has the layout of the first branch.
        layouts = [value.layout for value in returned]
        copies.append(Region([block]))
    known = [layout for layout in layouts if layout is not None]
    types = [local_type(result.type, layout) for result, layout in zip(op.results, known, strict=True)]
    made = site.builder.create(op.name, [chosen.value], types, op.properties, site.attributes(), tuple(copies))
    return [site.result(index, value, known[index]) for index, value in enumerate(made.results)]


def _emit_block(site: Site, source: Block, block: Block, layouts: Sequence[Layout | None] | None) -> list[Sharded]:
    """Emits ``source`` with its terminator into ``block``. The returned values get ``layouts``: replicated if there are
    none, as they come out where an entry is None."""
    builder, run = site.builder, site.run
    with builder.in_block(block):
        terminator = run.emit_operations(source)
        values = [run.env[value] for value in terminator.operands]
        if layouts is None:
            returned = list(map(site.replicate, values))
        else:
            returned = [
                site.reshard(value, value.layout.reduced() if layout is None else layout)
                for value, layout in zip(values, layouts, strict=True)
            ]
        builder.create(terminator.name, [value.value for value in returned], (), terminator.properties)
    builder.location = site.op.location
    return returned


@localizes("stablehlo.optimization_barrier")
def _optimization_barrier(site: Site) -> list[Sharded]:
    layouts = [
        (operand.layout if requested is None else requested).reduced()
        for operand, requested in zip(site.operands, site.requested, strict=True)
    ]
    return site.emit(list(map(site.reshard, site.operands, layouts)), layouts)
